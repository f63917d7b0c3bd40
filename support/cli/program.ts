import { Command, CommanderError, InvalidArgumentError, type Option } from 'commander'
import { EXIT_WRONG_USAGE, Misconfigured } from '../interface/verdict.ts'
import { compareReports, diffMarkdown, diffText } from '../report/diff.ts'
import { printable } from '../report/document.ts'
import { readReport, SUITE_VERSION } from '../report/report.ts'
import { endingText, guardOutput } from '../run/process.ts'
import { readSettings } from '../settings/configuration.ts'
import { columns, givenSettings, MORE } from './flags.ts'

/** Adds arguments, flags and action to a command. */
type Load = () => Promise<{ readonly add: (command: Command) => unknown }>

/** In the order of the help. Only the one that is performed is loaded, so that help and mistakes are printed at once. */
// biome-ignore format: a table
export const commands: Readonly<Record<string, readonly [about: string, load: Load]>> = {
  run: ['judge the store that flags, environment or .env name', () => import('./run.ts')],
  doctor: ['check what a run needs, and show what it would send and change', () => import('./doctor.ts')],
  list: ['list the rules, or explain one', () => import('./list.ts')],
  diff: ['compare two reports: what broke, is fixed, or is not tested now', async () => ({ add: addDiff })],
  restore: ['restore the stock that an interrupted run has changed', () => import('./restore.ts')],
  verify: ['check the certificate of a run, and judge its log again', () => import('./verify.ts')],
  serve: ['serve the bundled reference store, to develop a client', async () => ({ add: (await import('./stores.ts')).addServe })],
  selfcheck: ['check the suite: judge stores with known faults and freedoms', async () => ({ add: (await import('./stores.ts')).addSelfcheck })],
}

/** Performs the command in these words, and returns its exit code. */
export async function perform(words: readonly string[]): Promise<number> {
  guardOutput(process.env)
  process.exitCode = undefined
  const program = await programFor(words)
  try {
    if (words.length === 0) {
      program.outputHelp()
      // A CI job without a command must not pass.
      throw new Misconfigured('No command is given, so nothing was judged.')
    }
    await program.parseAsync(words, { from: 'user' })
    // Each command leaves its exit code there.
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE
    complain(program, `${printable(endingText(error), true)}\n`)
    return EXIT_WRONG_USAGE
  }
}

/** Prints an error. It may quote a secret that is at the place of another setting. */
function complain(program: Command, text: string): void {
  const flags = Object.assign({}, ...program.commands.map(command => command.opts()))
  const { redact } = readSettings(givenSettings(flags))
  process.stderr.write(redact(text))
}

const EXAMPLE = 'npx --no-install store-conformance run https://store.example/v1 --pets 1,2'
const AFTER_ERROR =
  '(Nothing was sent. A command comes first: --help lists commands and flags. Command lines are public, so a secret is never a flag: set STORE_API_KEY, or --api-key-file.)'

async function programFor(words: readonly string[]): Promise<Command> {
  const program = new Command('store-conformance')
    .description('Conformance test suite for the Store Service Interface.')
    .version(SUITE_VERSION)
    .exitOverride()
    // Without a terminal, commander assumes 80 columns, which makes the help twice as long.
    .configureHelp({ helpWidth: Math.min(process.stdout.columns ?? 110, 110) })
    .configureOutput({
      writeErr: text => complain(program, text),
      // A word that is no command, and the value of an unknown flag, may be a secret, so they are not printed.
      outputError: (text, write) =>
        write(text.replace(/(?<=unknown (?:command '|option '[^'=]*=)).*(?=')/s, '…')),
    })
    .showHelpAfterError(AFTER_ERROR)
    .addHelpText('after', `\nExample:\n  STORE_API_KEY=… ${EXAMPLE}`)
  for (const [name, [about, load]] of Object.entries(commands)) {
    const command = program.command(name).description(about)
    if (!words.includes(name)) continue
    ;(await load()).add(command)
    for (const option of command.options) {
      refuseFlagAsValue(option)
      option.hideHelp(option.helpGroupHeading === MORE && !words.includes('--all'))
    }
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

const DIFF_HELP = `
The gate of NEW decides which rules count. The first lines say whether the reports are about different stores.

Example:
  npx --no-install store-conformance diff main/reports reports --markdown

Exit: 0 no regression · 1 a gating rule broke · 2 a file cannot be read, or is not a report
      3 no regression, but a gating rule that was judged is not judged any more`

const addDiff = (command: Command): Command =>
  command
    .argument('<old>', 'conformance.json of the earlier run, or the folder that holds it')
    .argument('<new>', 'the same of the later run')
    .option('--json', 'print JSON, for programs')
    .option('--markdown', 'print Markdown, for a comment on a pull request')
    .addHelpText('after', DIFF_HELP)
    .action((before: string, after: string, { json, markdown }: { json?: true; markdown?: true }) => {
      const difference = compareReports(readReport(before), readReport(after))
      const shown = () => (markdown ? diffMarkdown(difference) : diffText(difference, { width: columns() }))
      process.stdout.write(json ? `${JSON.stringify(difference, undefined, 2)}\n` : shown())
      process.exitCode = difference.regression ? 1 : difference.lost ? 3 : 0
    })
