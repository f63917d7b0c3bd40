#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { SUITE_VERSION } from '../report/version.ts'
import { addDiff } from './diff.ts'
import { addDoctor } from './doctor.ts'
import { addExplain } from './explain.ts'
import { addList } from './list.ts'
import { addMatrix } from './matrix.ts'
import { addOpenapi } from './openapi.ts'
import { addRestore } from './restore.ts'
import { addRun } from './run.ts'
import { addServe } from './serve.ts'
import { UsageError } from './usage.ts'

/** 2 is wrong usage or configuration; the others are the verdict's (judge/verdict.ts). */
const WRONG_USAGE = 2

const program = new Command('store-conformance')
  .description(
    'Says whether a pet-store backend keeps the Store Service Interface: rule by rule, with evidence.',
  )
  .version(SUITE_VERSION)
  .exitOverride()
  // Where the output is no terminal, commander knows no width and takes 80, which makes of one screen two.
  .configureHelp({ helpWidth: Math.min(process.stdout.columns ?? 110, 110) })
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

addRun(program)
addServe(program)
addDoctor(program)
addList(program)
addExplain(program)
addOpenapi(program)
addRestore(program)
addDiff(program)
addMatrix(program)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = explain(error)
}

/** Says what is wrong, unless that has been said, and gives the exit code. */
function explain(error: unknown): number {
  // Commander has printed its own message already; --help and --version end here too, with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`)
    return WRONG_USAGE
  }
  process.stderr.write(
    `store-conformance stumbled, which is a mistake of its own and says nothing about the store:\n${error instanceof Error ? error.stack : error}\n`,
  )
  return WRONG_USAGE
}
