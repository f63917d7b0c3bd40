#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { EXIT_WRONG_USAGE } from '../judge/verdict.ts'
import { SUITE_VERSION } from '../report/version.ts'
import { guardedEnding } from './process/ending.ts'
import { UsageError } from './usage.ts'

const end = guardedEnding()

const program = new Command('store-conformance')
  .description(
    'Says whether a pet-store backend keeps the Store Service Interface: rule by rule, with evidence.',
  )
  .version(SUITE_VERSION)
  .exitOverride()
  // Where the output is no terminal, commander knows no width and takes 80, which makes of one screen two.
  .configureHelp({
    helpWidth: Math.min(process.stdout.columns ?? 110, 110),
    subcommandTerm: command => `${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim(),
  })
  .configureOutput({
    // What follows the equals sign of a flag that there is not may be a key.
    outputError: (text, write) => write(text.replace(/(unknown option '[^'=]*)=[^']*/, '$1')),
  })
  .showHelpAfterError('(--help shows what there is)')
  .enablePositionalOptions()
  .addHelpText(
    'after',
    '\nExample:\n  STORE_API_KEY=… store-conformance run --base-url https://store.example/v1 --pets 1,2',
  )

/** In the order of the help. Each file adds one command. */
const commands: Readonly<Record<string, () => Promise<(to: Command, names: readonly string[]) => unknown>>> =
  {
    run: async () => (await import('./run.ts')).addRun,
    serve: async () => (await import('./serve.ts')).addServe,
    init: async () => (await import('./init.ts')).addInit,
    doctor: async () => (await import('./doctor.ts')).addDoctor,
    list: async () => (await import('./list.ts')).addList,
    explain: async () => (await import('./explain.ts')).addExplain,
    openapi: async () => (await import('./openapi.ts')).addOpenapi,
    restore: async () => (await import('./restore.ts')).addRestore,
    diff: async () => (await import('./diff.ts')).addDiff,
    matrix: async () => (await import('./matrix.ts')).addMatrix,
    selfcheck: async () => (await import('./selfcheck.ts')).addSelfcheck,
    completion: async () => (await import('./completion.ts')).addCompletion,
  }

/** Only the command that is asked for: what the others need takes longer to load than help and mistakes take to print. */
function wanted([word = 'run']: readonly string[]): string[] {
  if (Object.hasOwn(commands, word) && word !== 'completion') return [word]
  return word.startsWith('-') && !['-h', '--help'].includes(word) ? ['run'] : Object.keys(commands)
}

for (const name of wanted(process.argv.slice(2))) (await commands[name]?.())?.(program, Object.keys(commands))

await end(await performed())

/** Each command leaves its exit code where Node looks for it. */
async function performed(): Promise<number> {
  try {
    await program.parseAsync()
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return explain(error)
  }
}

/** Says what is wrong, unless that has been said, and gives the exit code. */
function explain(error: unknown): number {
  // Commander has printed its own message already; --help and --version end here too, with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_USAGE
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`)
    return EXIT_WRONG_USAGE
  }
  process.stderr.write(
    `store-conformance stumbled, which is a mistake of its own and says nothing about the store:\n${error instanceof Error ? error.stack : error}\n`,
  )
  return EXIT_WRONG_USAGE
}
