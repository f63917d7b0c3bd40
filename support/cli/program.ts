import { Command, CommanderError, InvalidArgumentError, type Option } from 'commander'
import { EXIT_WRONG_USAGE, Misconfigured } from '../interface/verdict.ts'
import { printable } from '../report/document.ts'
import { SUITE_VERSION } from '../report/report.ts'
import { endingText, guardOutput } from '../run/process.ts'
import { readSettings } from '../settings/configuration.ts'
import { suggestion } from '../settings/selection.ts'
import { givenSettings, MORE } from './flags.ts'

/** Adds arguments, flags and action to a command. */
type Add = (command: Command) => unknown
type Load = () => Promise<{ readonly add: Add }>

/** In the order of the help. Only the one that is performed is loaded, so that help and mistakes are printed at once. */
// biome-ignore format: a table
export const commands: Readonly<Record<string, readonly [about: string, load: Load]>> = {
  run: ['judge the store that flags, environment or .env name', () => import('./run.ts')],
  doctor: ['check what a run needs, and show what it would send and change', () => import('./doctor.ts')],
  list: ['list the rules, or explain one', () => import('./list.ts')],
  diff: ['compare two reports: what broke, is fixed, or is not tested now', () => import('./diff.ts')],
  restore: ['restore the stock that an interrupted run has changed', () => import('./restore.ts')],
  verify: ['check the certificate of a run, and judge its log again', () => import('./verify.ts')],
  serve: ['serve the bundled reference store, to develop a client', () => import('./serve.ts')],
  selfcheck: ['check the suite: judge stores with known faults and freedoms', () => import('./selfcheck.ts')],
}

/** Performs the command in these words, and returns its exit code. */
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
    // Any message may quote a secret that is at the place of another setting.
    const { redact } = readSettings(givenSettings(flags))
    const text = error instanceof CommanderError ? said.join('') : `${printable(endingText(error), true)}\n`
    process.stderr.write(redact(text))
    return EXIT_WRONG_USAGE
  }
}

/** Somebody may have given a secret as a flag. */
const AFTER_ERROR =
  '(Nothing was sent. --help lists commands and flags. Command lines are public, so a secret is never a flag: set STORE_API_KEY, or --api-key-file.)'
const EXAMPLE = 'npx --no-install store-conformance run https://store.example/v1 --pets 1,2'

/** @param say prints what commander finds wrong @throws {Misconfigured} if the first word is no command */
async function programFor(words: readonly string[], say: (text: string) => void): Promise<Command> {
  const [word = 'help'] = words
  const isHelp = /^(help|-h|--help|-V|--version)$/.test(word)
  if (!isHelp && !Object.hasOwn(commands, word)) throw new Misconfigured(notACommand(word))
  const program = new Command('store-conformance')
    .description('Conformance test suite for the Store Service Interface.')
    .version(SUITE_VERSION)
    .exitOverride()
    // Without a terminal, commander assumes 80 columns, which makes the help twice as long.
    .configureHelp({ helpWidth: Math.min(process.stdout.columns ?? 110, 110) })
    .configureOutput({
      writeErr: say,
      // The value of an unknown flag may be a secret, so it is not printed.
      outputError: (text, write) =>
        write(text.replace(/(unknown option '[^'=]*)=[^']*'/, "$1' with a value")),
    })
    .showHelpAfterError(AFTER_ERROR)
    .addHelpText('after', `\nExample:\n  STORE_API_KEY=… ${EXAMPLE}`)
  for (const [name, [about, load]] of Object.entries(commands)) {
    const command = program.command(name).description(about)
    if (words.find(each => each !== 'help') !== name) continue
    ;(await load()).add(command)
    for (const option of command.options) {
      refuseFlagAsValue(option)
      option.hideHelp(option.helpGroupHeading === MORE && !words.includes('--all'))
    }
  }
  return program
}

/** The word may be a key, so it is not printed. */
function notACommand(word: string): string {
  const names = Object.keys(commands)
  if (/^-|^https?:/i.test(word))
    return `The command is missing. Flags and addresses follow it: ${EXAMPLE}. Nothing was sent.`
  const hint = suggestion(word, names, `The commands are ${names.join(', ')}.`)
  return `There is no such command. ${hint} Nothing was sent.`
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
