import { Command, CommanderError, InvalidArgumentError, type Option } from 'commander'
import { Misconfigured } from '../judge/outcome.ts'
import { EXIT_WRONG_USAGE } from '../judge/verdict.ts'
import { SUITE_VERSION } from '../report/package-root.ts'
import { printable } from '../report/printable.ts'
import { guardOutput } from '../run/process/output.ts'
import { endingText } from '../settings/mistake.ts'
import { commands } from './commands.ts'
import { shownFlags } from './help.ts'

/**
 * Performs the command in these words, in the working folder, environment and streams of this process.
 * @returns its exit code
 */
export async function perform(words: readonly string[]): Promise<number> {
  guardOutput(process.env)
  process.exitCode = undefined
  const said: string[] = []
  let program: Command | undefined
  try {
    program = await programFor(words, text => said.push(text))
    if (words.length === 0) {
      program.outputHelp()
      // A CI job without a command must not pass.
      throw new Misconfigured('No command is given, so nothing was judged.')
    }
    await program.parseAsync(words, { from: 'user' })
    // Each command leaves its exit code there.
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const flags = Object.assign({}, ...(program?.commands ?? []).map(command => command.opts()))
    // Loaded when needed, so that help is printed at once.
    const { redactorFrom } = await import('../settings/environment.ts')
    const { givenSettings } = await import('./flags.ts')
    // Any message may quote a secret that is at the place of another setting.
    const redact = redactorFrom(givenSettings(flags), process.env, process.cwd())
    const text = error instanceof CommanderError ? said.join('') : `${printable(endingText(error), true)}\n`
    process.stderr.write(redact(text))
    return EXIT_WRONG_USAGE
  }
}

/** @param say prints what commander finds wrong */
async function programFor(words: readonly string[], say: (text: string) => void): Promise<Command> {
  const program = new Command('store-conformance')
    .description('Conformance test suite for the Store Service Interface.')
    .version(SUITE_VERSION)
    .exitOverride()
    // Without a terminal, commander assumes 80 columns, which makes the help twice as long.
    .configureHelp({
      helpWidth: Math.min(process.stdout.columns ?? 110, 110),
      subcommandTerm: command =>
        `${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim(),
      visibleOptions: shownFlags(words.includes('--all')),
    })
    .configureOutput({
      writeErr: say,
      // The value of an unknown flag may be a secret, so it is not printed.
      outputError: (text, write) =>
        write(text.replace(/(unknown option '[^'=]*)=[^']*'/, "$1' with a value")),
    })
    .showHelpAfterError('(Nothing was sent. --help lists commands and flags.)')
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nExample:\n  STORE_API_KEY=… npx --no-install store-conformance run https://store.example/v1 --pets 1,2',
    )
  const loaded = loadedNames(words)
  for (const [name, { about, usage = '', load }] of Object.entries(commands)) {
    const command = program.command(name, { isDefault: name === 'run' }).description(about)
    if (loaded.includes(name)) {
      ;(await load())(command)
      command.options.forEach(refuseFlagAsValue)
    } else command.usage(usage)
  }
  return program
}

/** In a script, `--out $OUT --read-only` with an empty variable would be a run into the folder `--read-only` that changes the store. */
function refuseFlagAsValue(option: Option): void {
  const { parseArg: parse, required } = option
  if (!required) return
  option.argParser((text: string, before: unknown) => {
    if (text.startsWith('--')) throw new InvalidArgumentError('The value is missing: this is another flag.')
    return parse ? parse(text, before as never) : text
  })
}

/** Only these commands are loaded, because loading all of them would delay help and error messages. */
function loadedNames(words: readonly string[]): readonly string[] {
  const [word = 'run'] = words.filter(each => each !== 'help')
  if (words.length === 0) return []
  if (Object.hasOwn(commands, word)) return [word]
  return ['-h', '--help', '-V', '--version'].includes(word) || words.includes('help') ? [] : ['run']
}
