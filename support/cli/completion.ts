import { Argument, type Command } from 'commander'

const shells = ['bash', 'zsh', 'fish'] as const

export function addCompletion(command: Command): void {
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', '\nExample:\n  store-conformance completion bash >> ~/.bashrc')
    .action(async (shell: (typeof shells)[number]) => {
      const { entries } = await import('./catalogue.ts')
      const rules = entries.map(({ id }) => id)
      process.stdout.write(scripts[shell](wordsOf(command.parent?.commands ?? [], rules)))
    })
}

interface Words {
  /** Name and description. */
  readonly commands: readonly (readonly [name: string, description: string])[]
  readonly flags: ReadonlyMap<string, readonly string[]>
  readonly rules: readonly string[]
}

function wordsOf(commands: readonly Command[], rules: readonly string[]): Words {
  const flagsOf = (command: Command) => [
    ...command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : [])),
    '--help',
  ]
  return {
    commands: commands.map(command => [command.name(), command.description()] as const),
    flags: new Map(commands.map(command => [command.name(), flagsOf(command)])),
    rules,
  }
}

/** Completes rule ids after `explain`, `--only` and `--skip`, else flags of the command; the first word may also be a command. */
function bash({ commands, flags, rules }: Words): string {
  const cases = [...flags].map(([name, own]) => `    ${name}) words='${own.join(' ')}' ;;`)
  return `_store_conformance() {
  local words rules='${rules.join(' ')}'
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
    *) words='${flags.get('run')?.join(' ')}' ;;
  esac
  [ "$COMP_CWORD" -gt 1 ] || words+=' ${commands.map(([name]) => name).join(' ')}'
  case $before in explain|--only|--skip) words=$rules ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _store_conformance store-conformance
`
}

const zsh = (words: Words): string => `autoload -U +X bashcompinit && bashcompinit\n${bash(words)}`

function fish({ commands, flags, rules }: Words): string {
  const first = commands.map(
    ([name, description]) =>
      `complete -c store-conformance -n __fish_use_subcommand -f -a ${name} -d '${description.replaceAll("'", "\\'")}'`,
  )
  const long = [...flags].flatMap(([name, own]) =>
    own.map(
      flag =>
        `complete -c store-conformance -n '__fish_seen_subcommand_from ${name}' -l ${flag.replace(/^--/, '')}`,
    ),
  )
  const explained = `complete -c store-conformance -n '__fish_seen_subcommand_from explain' -f -a '${rules.join(' ')}'`
  return `${[...first, ...long, explained].join('\n')}\n`
}

const scripts = { bash, zsh, fish }
