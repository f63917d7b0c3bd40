import { Argument, type Command } from 'commander'

export function addCompletion(command: Command): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(scripts)))
    .addHelpText('after', '\nExample:\n  store-conformance completion bash >> ~/.bashrc')
    .action(async (shell: keyof typeof scripts) => {
      const { entries } = await import('./catalogue.ts')
      const commands = command.parent?.commands ?? []
      process.stdout.write(scripts[shell](commands, entries.map(({ id }) => id).join(' ')))
    })
}

const flagsOf = ({ options }: Command): string[] => [
  ...options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : [])),
  '--help',
]

/** Completes rule ids after `explain`, `--only` and `--skip`, else flags of the command; the first word may also be a command. */
function bash(commands: readonly Command[], rules: string): string {
  const cases = commands.map(command => `    ${command.name()}) words='${flagsOf(command).join(' ')}' ;;`)
  const [run] = commands.filter(command => command.name() === 'run')
  return `_store_conformance() {
  local words rules='${rules}'
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
    *) words='${run ? flagsOf(run).join(' ') : ''}' ;;
  esac
  [ "$COMP_CWORD" -gt 1 ] || words+=' ${commands.map(command => command.name()).join(' ')}'
  case $before in explain|--only|--skip) words=$rules ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _store_conformance store-conformance
`
}

const zsh: typeof bash = (commands, rules) =>
  `autoload -U +X bashcompinit && bashcompinit\n${bash(commands, rules)}`

function fish(commands: readonly Command[], rules: string): string {
  const complete = (condition: string, what: string) =>
    `complete -c store-conformance -n ${condition} ${what}\n`
  const after = (name: string) => `'__fish_seen_subcommand_from ${name}'`
  const lines = commands.flatMap(command => {
    const description = command.description().replaceAll("'", "\\'")
    return [
      complete('__fish_use_subcommand', `-f -a ${command.name()} -d '${description}'`),
      ...flagsOf(command).map(flag => complete(after(command.name()), `-l ${flag.slice(2)}`)),
    ]
  })
  return [...lines, complete(after('explain'), `-f -a '${rules}'`)].join('')
}

const scripts = { bash, zsh, fish }
