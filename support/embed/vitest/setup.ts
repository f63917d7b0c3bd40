import { rmSync } from 'node:fs'
import { join } from 'node:path'
import AllureVitestReporter from 'allure-vitest/reporter'
import type { TestProject, Vitest } from 'vitest/node'
import { cellKey } from '../../interface/description.ts'
import { EXIT_WRONG_USAGE, exitCodes } from '../../interface/verdict.ts'
import { printable } from '../../report/document.ts'
import { failureText, verdictText } from '../../report/formats.ts'
import { standingOf } from '../../report/reading.ts'
import type { Report } from '../../report/report.ts'
import * as words from '../../report/words.ts'
import { ALLURE_RESULTS } from '../../report/write.ts'
import { endingText, guardExit } from '../../run/process.ts'
import { reportedRun } from '../../run/reported-run.ts'
import { readConfiguration, readSettings } from '../../settings/configuration.ts'
import type { Shown } from './conformance.ts'

/** Vitest's global set-up: judges the store once, as the command does. The tests then show the outcomes. */
export default async function setup(project: TestProject): Promise<(() => void) | undefined> {
  // Vitest also sets up to list the tests. Then nothing is sent.
  if (process.argv.includes('list')) return undefined
  // It changes the settings of every project that it is given.
  new AllureVitestReporter({}).onInit({ projects: [project] } as Vitest)
  try {
    const configuration = readConfiguration({ orReference: 'true' }, { isVitest: true })
    const notYours = words.notYours(configuration)
    const allowExit = guardExit()
    const begun = () => print(notYours, 'Judging the store; then the tests show the outcomes.')
    const run = await aloneWithSignals(() => reportedRun(configuration, begun)).finally(allowExit)
    const { report, folder, problem } = run
    project.provide('shown', shownOf(report))
    return () => {
      writeAllureResults(configuration.reportsDir, project)
      const last = [words.closingLine(report, folder), notYours, problem?.message]
      print(`\n${words.headline(report)}`, words.effectsText(report.effects), verdictText(report), ...last)
      process.exitCode = (problem ? EXIT_WRONG_USAGE : exitCodes[report.verdict]) || process.exitCode
    }
  } catch (error) {
    const text = readSettings({}).redact(endingText(error))
    project.provide('shown', { verdict: { state: 'failed', text: printable(text, true) } })
    return () => {
      print(`\n${text}`)
      process.exitCode = EXIT_WRONG_USAGE
    }
  }
}

/** Not on the standard output, where reporters may write JSON. */
function print(...texts: readonly (string | undefined)[]): void {
  process.stderr.write(`${printable(texts.filter(Boolean).join('\n'), true)}\n`)
}

function shownOf(report: Report): Record<string, Shown> {
  const state = exitCodes[report.verdict] === 0 ? 'passed' : 'failed'
  const shown: Record<string, Shown> = { verdict: { state, text: verdictText(report) } }
  for (const observed of report.observations)
    shown[cellKey(observed)] = { state: 'passed', text: printable(`saw: ${observed.saw}`) }
  for (const rule of report.rules) {
    const standing = standingOf(rule, report.gate)
    if (standing === 'passed') shown[cellKey(rule)] = { state: 'passed', text: '' }
    else if (standing === 'failed')
      shown[cellKey(rule)] = { state: 'failed', text: failureText(rule, report) }
    else shown[cellKey(rule)] = { state: 'skipped', text: printable(words.openText(rule, standing)) }
  }
  return shown
}

/** After the tests, because the folder is known only then, and each run replaces the results of the one before. */
function writeAllureResults(folder: string, project: TestProject): void {
  const resultsDir = join(folder, ALLURE_RESULTS)
  rmSync(resultsDir, { recursive: true, force: true })
  const allure = new AllureVitestReporter({ resultsDir })
  allure.onInit({ projects: [] as TestProject[] } as Vitest)
  allure.onTestRunEnd(project.vitest.state.getTestModules().filter(each => each.project === project))
}

const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const

/** Vitest and Vite end the process at a signal or an uncaught error, before stock could be restored. */
async function aloneWithSignals<Result>(perform: () => Promise<Result>): Promise<Result> {
  const others = EVENTS.map(name => [name, process.rawListeners(name)] as const)
  for (const name of EVENTS) process.removeAllListeners(name)
  try {
    return await perform()
  } finally {
    for (const [name, listeners] of others) {
      process.removeAllListeners(name)
      for (const listener of listeners) process.on(name, listener as () => void)
    }
  }
}
