import { Command, CommanderError, InvalidArgumentError, type Option } from 'commander'
import { Misconfigured } from '../judge/outcome.ts'
import { EXIT_WRONG_USAGE } from '../judge/verdict.ts'
import { SUITE_VERSION } from '../report/package-root.ts'
import { printable } from '../report/printable.ts'
import { endingText } from '../run/process/ending.ts'
import { guardOutput } from '../run/process/output.ts'
import { suggestion } from '../settings/mistake.ts'
import { givenSettings, shownFlags } from './flags.ts'

/** What a command does, its arguments, and what adds its arguments, flags and action. In the order of the help. */
export const commands: Readonly<
  Record<string, readonly [about: string, usage: string, load: () => Promise<(command: Command) => unknown>]>
> = {
  run: [
    'judge the store that flags, environment or .env name',
    '[url]',
    async () => (await import('./run.ts')).addRun,
  ],
  doctor: [
    'check what a run needs, and print what it would send and may change; judge nothing',
    '[url]',
    async () => (await import('./doctor.ts')).addDoctor,
  ],
  list: [
    'list the rules, explain one, or list the statements of the document with their rules',
    '[rule]',
    async () => (await import('./list.ts')).addList,
  ],
  diff: [
    'compare two reports: what fails, passes or is not tested now, and was before',
    '<old> <new>',
    async () => (await import('./diff.ts')).addDiff,
  ],
  restore: [
    'restore the stock that an interrupted run had changed (reports/undo.json)',
    '',
    async () => (await import('./restore.ts')).addRestore,
  ],
  serve: [
    'serve the bundled reference store, to develop a client against it',
    '',
    async () => (await import('./serve.ts')).addServe,
  ],
  selfcheck: [
    'check the suite itself: judge the reference store with each fault and each freedom',
    '',
    async () => (await import('./selfcheck.ts')).addSelfcheck,
  ],
}

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
    const { readSettings } = await import('../settings/configuration.ts')
    // Any message may quote a secret that is at the place of another setting.
    const { redact } = readSettings(givenSettings(flags), process.env, process.cwd())
    const text = error instanceof CommanderError ? said.join('') : `${printable(endingText(error), true)}\n`
    process.stderr.write(redact(text))
    return EXIT_WRONG_USAGE
  }
}

const COMMAND = 'npx --no-install store-conformance'

/** @param say prints what commander finds wrong @throws {Misconfigured} if the first word is no command */
async function programFor(
  [word = 'help', ...rest]: readonly string[],
  say: (text: string) => void,
): Promise<Command> {
  const words = [word, ...rest]
  const isHelp = ['help', '-h', '--help', '-V', '--version'].includes(word)
  if (!isHelp && !Object.hasOwn(commands, word)) throw new Misconfigured(notACommand(word))
  const program = new Command('store-conformance')
    .description('Conformance test suite for the Store Service Interface.')
    .version(SUITE_VERSION)
    .exitOverride()
    .configureHelp({
      // Without a terminal, commander assumes 80 columns, which makes the help twice as long.
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
    .addHelpText('after', `\nExample:\n  STORE_API_KEY=… ${COMMAND} run https://store.example/v1 --pets 1,2`)
  for (const [name, [about, usage, load]] of Object.entries(commands)) {
    const command = program.command(name).description(about).usage(usage)
    // Loading all of them would delay help and error messages.
    if (words.find(each => each !== 'help') !== name) continue
    command.usage('')
    ;(await load())(command)
    command.options.forEach(refuseFlagAsValue)
  }
  return program
}

/** The word may be a key, so it is not printed. */
function notACommand(word: string): string {
  const names = Object.keys(commands)
  if (/^-|^https?:/i.test(word))
    return `The command is missing. Flags and addresses follow it, as in ${COMMAND} run https://store.example/v1 --pets 1,2. Nothing was sent.`
  return `There is no such command. ${suggestion(word, names, `The commands are ${names.join(', ')}.`)} Nothing was sent.`
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
