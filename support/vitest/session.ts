import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import AllureVitestReporter from 'allure-vitest/reporter'
import type { BaseSequencer, Reporter, TestProject, TestSpecification, Vitest } from 'vitest/node'
import { packageRoot } from '../report/package-root.ts'
import type { IsChosen, Judged } from './judging.ts'
import { testName } from './tests.ts'

const verdictFile = fileURLToPath(new URL('suites/verdict.test.ts', packageRoot))
const judgingFile = fileURLToPath(new URL('./judging.ts', import.meta.url))

/**
 * Makes a run of the conformance tests in this Vitest: it judges the rules whose tests are chosen, and the tests show its outcomes. The
 * test of the verdict is always among them, and is the last.
 */
export function attach(vitest: Vitest, project: TestProject): void {
  // Vitest also sorts the files to list the tests. Then nothing is sent.
  let isStarting = false
  let judged: Judged | undefined
  const isOwn = (each: { readonly project: TestProject }) => each.project === project

  const judge = async (isChosen: IsChosen): Promise<Judged> => {
    // In watch mode, the sources may have changed since the last run.
    ;(project as unknown as { readonly runner: { clearCache(): void } }).runner.clearCache()
    const loaded = await project.import<typeof import('./judging.ts')>(judgingFile)
    let isJudging = true
    // Stops the run as Ctrl-C does. Afterwards, Vitest would receive the signal.
    vitest.onCancel(() => void (isJudging && process.emit('SIGINT', 'SIGINT')))
    return loaded.judgeChosen(isChosen).finally(() => {
      isJudging = false
    })
  }

  const Sequencer = vitest.config.sequence.sequencer as typeof BaseSequencer
  vitest.config.sequence.sequencer = class extends Sequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      if (!files.some(isOwn)) return super.sort(files)
      if (isStarting) {
        isStarting = false
        judged = await judge(chosenBy(vitest, files.filter(isOwn)))
        project.provide('answers', judged.answers)
      }
      let verdict = files.find(each => isOwn(each) && each.moduleId === verdictFile)
      if (!verdict) {
        verdict = project.createSpecification(verdictFile)
        // Vitest reports the specifications in this array.
        files.push(verdict)
      }
      // A pattern of the command line selects rules, and the verdict is about those.
      verdict.testNamePattern = /^/
      verdict.testIds = undefined
      return [...(await super.sort(files)).filter(each => each !== verdict), verdict]
    }
  }

  const reporter: Reporter = {
    // It changes the settings of every project that it is given.
    onInit: () => new AllureVitestReporter({}).onInit({ projects: [project] } as Vitest),
    onTestRunStart() {
      isStarting = true
    },
    onTestRunEnd(modules) {
      const ended = judged?.end(modules.filter(isOwn))
      judged = undefined
      if (!ended) return
      // Not on the standard output, where other reporters may write JSON.
      process.stderr.write(`\n${ended.text}\n`)
      if (ended.code !== 0) process.exitCode = ended.code
    },
  }
  vitest.config.reporters.push(reporter)
}

/** The tests that Vitest is going to run: the run needs to know them before the first one. */
function chosenBy(vitest: Vitest, files: readonly TestSpecification[]): IsChosen {
  return (item, suite) =>
    files.some(({ moduleId, testNamePattern, testIds }) => {
      if (basename(dirname(moduleId)) !== suite) return false
      const name = testName(item)
      const pattern = testNamePattern ?? vitest.getGlobalTestNamePattern()
      return (
        (pattern === undefined || `${suite} ${name}`.match(pattern) !== null) &&
        (testIds === undefined || testIds.some(id => vitest.state.idMap.get(id)?.name === name))
      )
    })
}
