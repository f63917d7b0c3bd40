import { Command, CommanderError } from 'commander'
import { isLimit, reasonOf } from '../http/problems.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { EXIT_WRONG_USAGE } from '../judge/verdict.ts'
import { SUITE_VERSION } from '../report/package-root.ts'
import { printable } from '../report/printable.ts'
import { guardOutput } from '../run/process/output.ts'
import { ConfigurationError, mistakesText } from '../settings/mistake.ts'
import { commands } from './commands.ts'
import { UsageError } from './usage.ts'

/**
 * Performs the command in these words, in the working folder, environment and streams of this process.
 * @returns its exit code
 */
export async function perform(words: readonly string[]): Promise<number> {
  guardOutput(process.env)
  process.exitCode = undefined
  try {
    await (await programFor(words)).parseAsync(words, { from: 'user' })
    // Each command leaves its exit code there.
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return explain(error)
  }
}

async function programFor(words: readonly string[]): Promise<Command> {
  const program = new Command('store-conformance')
    .description('Conformance test suite for the Store Service Interface.')
    .version(SUITE_VERSION)
    .exitOverride()
    // Without a terminal, commander assumes 80 columns, which makes the help twice as long.
    .configureHelp({
      helpWidth: Math.min(process.stdout.columns ?? 110, 110),
      subcommandTerm: command =>
        `${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim(),
    })
    .configureOutput({
      // The value of an unknown flag may be a secret, so it is not printed.
      outputError: (text, write) => write(text.replace(/(unknown option '[^'=]*)=[^']*/, '$1')),
    })
    .showHelpAfterError('(Nothing was sent. --help lists commands and flags.)')
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nExample:\n  STORE_API_KEY=… npx store-conformance run --base-url https://store.example/v1 --pets 1,2',
    )
  const loaded = loadedNames(words)
  for (const [name, { about, usage = '', load }] of Object.entries(commands)) {
    const command = program.command(name, { isDefault: name === 'run' }).description(about)
    if (loaded.includes(name)) (await load())(command)
    else command.usage(usage)
  }
  return program
}

/** Only these commands are loaded, because loading all of them would delay help and error messages. */
function loadedNames(words: readonly string[]): readonly string[] {
  const [word = 'run'] = words.filter(each => each !== 'help')
  if (word === 'completion') return Object.keys(commands)
  if (Object.hasOwn(commands, word)) return [word]
  return ['-h', '--help', '-V', '--version'].includes(word) || words.includes('help') ? [] : ['run']
}

/** Prints the error, unless commander has printed it, and returns the exit code. */
function explain(error: unknown): number {
  // Commander has printed its own message. --help and --version end here too, with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE
  if (error instanceof ConfigurationError) return refuse(mistakesText(error.mistakes))
  if (error instanceof UsageError || error instanceof Misconfigured) return refuse(error.message)
  if (isLimit(error)) return refuse(`The command could not be completed (${reasonOf(error)}).`)
  process.stderr.write(
    `Internal error in store-conformance, not a violation by the store. Please report it:\n${error instanceof Error ? error.stack : error}\n`,
  )
  return EXIT_WRONG_USAGE
}

function refuse(message: string): number {
  // The message may quote the response of a states endpoint.
  process.stderr.write(`${printable(message, true)}\n`)
  return EXIT_WRONG_USAGE
}
