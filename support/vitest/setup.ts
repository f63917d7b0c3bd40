import { rmSync } from 'node:fs'
import { join } from 'node:path'
import AllureVitestReporter from 'allure-vitest/reporter'
import type { TestProject, Vitest } from 'vitest/node'
import { cellKey } from '../judge/rule.ts'
import { EXIT_WRONG_USAGE, exitCodes } from '../judge/verdict.ts'
import { failureText, verdictText } from '../report/formats.ts'
import { printable } from '../report/printable.ts'
import { standingOf } from '../report/reading.ts'
import type { Report } from '../report/report.ts'
import {
  closingLine,
  effectsText,
  headline,
  notYours,
  openText,
  targetText,
  verdictSentence,
} from '../report/words.ts'
import { ALLURE_RESULTS } from '../report/write.ts'
import { endingText, guardExit } from '../run/process/ending.ts'
import { reportedRun } from '../run/reported-run.ts'
import { readConfiguration, readSettings } from '../settings/configuration.ts'
import { ConfigurationError } from '../settings/mistake.ts'
import type { Shown } from './conformance.ts'

/** Vitest's global set-up: judges the store once, as the command does. The tests then show the outcomes. */
export default async function setup(project: TestProject): Promise<(() => void) | undefined> {
  // Vitest also sets up to list the tests. Then nothing is sent.
  if (process.argv.includes('list')) return undefined
  // It changes the settings of every project that it is given.
  new AllureVitestReporter({}).onInit({ projects: [project] } as Vitest)
  try {
    const configured = readConfiguration({ orReference: 'true' }, process.env, process.cwd(), 'vitest')
    if ('mistakes' in configured) throw new ConfigurationError(configured.mistakes)
    const { configuration } = configured
    const allowExit = guardExit()
    const { report, folder, problem, leave } = await withoutOtherListeners(() =>
      reportedRun(configuration, {
        begun: ({ target }) =>
          process.stderr.write(
            lines(
              notYours(configuration),
              `Judging ${printable(target.baseUrl)}; then the tests show the outcomes.\n`,
            ),
          ),
      }),
    ).finally(allowExit)
    project.provide('shown', shownOf(report))
    return () => {
      writeAllureResults(report, configuration.reportsDir, project)
      leave()
      end(
        lines(
          endText(report),
          printable(closingLine(report, folder)),
          notYours(configuration),
          problem?.message,
        ),
        problem ? EXIT_WRONG_USAGE : exitCodes[report.verdict],
      )
    }
  } catch (error) {
    const message = printable(readSettings({}, process.env, process.cwd()).redact(endingText(error)), true)
    project.provide('shown', { verdict: { state: 'failed', text: message } })
    return () => end(message, EXIT_WRONG_USAGE)
  }
}

const lines = (...texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join('\n')

/** The last exchanges of a failure, which decide. A test shows no more. */
const EXCHANGES = 6

function shownOf(report: Report): Record<string, Shown> {
  const { verdict, gate, seed, profile, exchanges, observations } = report
  const isGood = verdict === 'conformant' || verdict === 'partial'
  const shown: Record<string, Shown> = {
    verdict: { state: isGood ? 'passed' : 'failed', text: verdictText(report) },
  }
  const parameters = { seed: String(seed), profile }
  for (const observed of observations)
    shown[cellKey(observed)] = { state: 'passed', text: printable(`saw: ${observed.saw}`), parameters }
  for (const rule of report.rules) {
    const standing = standingOf(rule, gate)
    const own = rule.exchanges.slice(-EXCHANGES).flatMap(index => exchanges[index] ?? [])
    shown[cellKey(rule)] = {
      parameters,
      ...(standing === 'passed'
        ? { state: 'passed', text: '' }
        : standing === 'failed'
          ? { state: 'failed', text: failureText(rule, report), exchanges: own }
          : { state: 'skipped', text: printable(openText(rule, standing)) }),
    }
  }
  return shown
}

const endText = (report: Report): string =>
  lines(
    printable(headline(report)),
    printable(effectsText(report.effects)),
    // If the verdict is not good, its test has shown what is missing.
    exitCodes[report.verdict] === 0 ? verdictText(report) : printable(verdictSentence(report)),
  )

/** Not on the standard output, where reporters may write JSON. */
function end(text: string, code: number): void {
  process.stderr.write(`\n${text.trimEnd()}\n`)
  if (code !== 0) process.exitCode = code
}

/** After the tests, because the folder is known only then, and each run replaces the results of the one before. */
function writeAllureResults(report: Report, folder: string, project: TestProject): void {
  const resultsDir = join(folder, ALLURE_RESULTS)
  rmSync(resultsDir, { recursive: true, force: true })
  const { verdict: Verdict, profile: Profile, gate: Gate, seed, suite } = report
  const environmentInfo = {
    Store: targetText(report),
    Verdict,
    Profile,
    Gate,
    Seed: String(seed),
    Suite: suite.version,
  }
  const allure = new AllureVitestReporter({ resultsDir, environmentInfo })
  allure.onInit({ projects: [] as TestProject[] } as Vitest)
  allure.onTestRunEnd(project.vitest.state.getTestModules().filter(each => each.project === project))
}

const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const

/** Vitest and Vite end the process at a signal or an uncaught error, before stock could be restored. */
async function withoutOtherListeners<Result>(perform: () => Promise<Result>): Promise<Result> {
  const others = EVENTS.map(name => ({ name, listeners: process.rawListeners(name) }))
  for (const name of EVENTS) process.removeAllListeners(name)
  try {
    return await perform()
  } finally {
    for (const { name, listeners } of others) {
      process.removeAllListeners(name)
      for (const listener of listeners) process.on(name, listener as () => void)
    }
  }
}
