import { rmSync } from 'node:fs'
import { join } from 'node:path'
import AllureVitestReporter from 'allure-vitest/reporter'
import type { TestModule, TestProject, Vitest } from 'vitest/node'
import { Misconfigured } from '../judge/outcome.ts'
import { cellKey, type Question as Observation, type RuleFacts as Rule } from '../judge/rule.ts'
import { EXIT_WRONG_USAGE, exitCodes } from '../judge/verdict.ts'
import { verdictText } from '../report/formats.ts'
import { printable } from '../report/printable.ts'
import type { Report } from '../report/report.ts'
import { closingLine, effectsText, headline, notYours, targetText, verdictSentence } from '../report/words.ts'
import { ALLURE_RESULTS } from '../report/write.ts'
import { endingText, guardExit } from '../run/process/ending.ts'
import { untilInterrupted } from '../run/process/interrupt.ts'
import { enterFolder, judgeUntil, writeAll } from '../run/reported-run.ts'
import { reportsFolder } from '../run/reports-folder.ts'
import { selectRules } from '../run/select-rules.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { type Configuration, readConfiguration, readSettings } from '../settings/configuration.ts'
import { ConfigurationError } from '../settings/mistake.ts'
import { answersOf, refusals } from './answer.ts'
import type { TestResults } from './tests.ts'

type Item = Rule | Observation

/** Whether the test of this item of the suite is part of the Vitest run. */
export type IsChosen = (item: Item, suite: string) => boolean

/** A run whose outcomes are shown as tests. */
export interface Judged {
  readonly answers: TestResults
  /** Called after the tests. @returns what to print last, and the exit code */
  end(modules: readonly TestModule[]): { readonly text: string; readonly code: number }
}

/** Judges the store as the command does, in the main thread, so that stock is restored however a worker ends. */
export async function judgeChosen(isChosen: IsChosen): Promise<Judged> {
  try {
    const configured = readConfiguration({ orReference: 'true' }, process.env, process.cwd(), 'vitest')
    if ('mistakes' in configured) throw new ConfigurationError(configured.mistakes)
    const only = chosenIds(configured.configuration, isChosen)
    const configuration: Configuration = { ...configured.configuration, ...(only ? { only } : {}) }
    const { report, problem } = await withoutOtherListeners(async () => {
      const leave = await enterFolder(configuration)
      const allowExit = guardExit()
      try {
        for (const note of configuration.notes) process.stderr.write(`Note: ${note}\n`)
        const report = await untilInterrupted(configuration, signal =>
          judgeUntil(signal, configuration, {
            begun({ target }) {
              const address = printable(target.baseUrl)
              process.stderr.write(
                `${notYours(configuration)}Judging ${address}; then the tests show the outcomes.\n`,
              )
            },
          }),
        )
        return { report, problem: writeAll(report, configuration) }
      } finally {
        allowExit()
        leave()
      }
    })
    return {
      answers: answersOf(report),
      end: modules => endOf(report, problem, configuration, modules),
    }
  } catch (error) {
    const message = readSettings({}, process.env, process.cwd()).redact(endingText(error))
    return {
      answers: refusals(message),
      end: () => ({ text: printable(message, true), code: EXIT_WRONG_USAGE }),
    }
  }
}

/** Undefined if all are chosen. @throws {ConfigurationError | Misconfigured} */
function chosenIds(configuration: Configuration, isChosen: IsChosen): string[] | undefined {
  const { rules, observations } = selectRules(storeServiceUnderTest, configuration)
  const chosen = storeServiceUnderTest.suites.flatMap(suite =>
    [...suite.rules, ...suite.observations].filter(item => isChosen(item, suite.name)),
  )
  const keys = new Set(chosen.map(cellKey))
  const isWanted = (item: Item) => keys.has(cellKey(item))
  if (!rules.some(isWanted))
    throw new Misconfigured(
      `The verdict needs a rule, and no test of a rule of profile ${configuration.profile} is selected. Nothing was sent.`,
    )
  const all = [...rules, ...observations]
  const wanted = all.filter(isWanted)
  return wanted.length === all.length ? undefined : wanted.map(({ id, operation }) => `${id}/${operation}`)
}

/** @param problem why not all reports could be written */
function endOf(
  report: Report,
  problem: Error | undefined,
  configuration: Configuration,
  modules: readonly TestModule[],
) {
  const { reportsDir: folder } = configuration
  writeAllureResults(report, folder, modules)
  const code = exitCodes[report.verdict]
  // If the verdict is not 0, its test has shown what is missing.
  const verdict = code === 0 ? verdictText(report) : printable(verdictSentence(report))
  const effects = printable(effectsText(report.effects))
  const lines = [
    printable(headline(report)),
    effects,
    verdict,
    closingLine(report, reportsFolder(configuration)),
  ]
  const text = [...lines, notYours(configuration)].join('\n').trimEnd()
  return problem ? { text: `${text}\n${problem.message}`, code: EXIT_WRONG_USAGE } : { text, code }
}

/** After the run, because the folder is known only then, and each run replaces the results of the one before. */
function writeAllureResults(report: Report, folder: string, modules: readonly TestModule[]): void {
  const resultsDir = join(folder, ALLURE_RESULTS)
  rmSync(resultsDir, { recursive: true, force: true })
  const allure = new AllureVitestReporter({
    resultsDir,
    environmentInfo: {
      Store: targetText(report),
      Verdict: report.verdict,
      Profile: report.profile,
      Gate: report.gate,
      Seed: String(report.seed),
      Suite: report.suite.version,
    },
  })
  allure.onInit({ projects: [] as TestProject[] } as Vitest)
  allure.onTestRunEnd(modules)
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
