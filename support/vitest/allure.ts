import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Status } from 'allure-js-commons'
import type { Category } from 'allure-js-commons/sdk'
import type { Writer } from 'allure-js-commons/sdk/reporter'
import AllureReporter, { type AllureVitestReporterConfig } from 'allure-vitest/reporter'
import type { Vitest } from 'vitest/node'
import { capital, standingWords } from '../report/words.ts'

/** Categories of Allure 2. The first that matches takes a result; skipped results differ by the beginning of their message. */
export const categories: Category[] = [
  { name: 'Failed', matchedStatuses: [Status.FAILED] },
  { name: capital(standingWords.cantTell), matchedStatuses: [Status.BROKEN] },
  { name: 'Expected failures', matchedStatuses: [Status.SKIPPED], messageRegex: '^expected failure: .*' },
  ...(['advice', 'newer', 'untested', 'inapplicable', 'cantTell'] as const).map(standing => ({
    name: `${capital(standingWords[standing])}${standing === 'cantTell' ? ' (no effect on the verdict)' : ''}`,
    matchedStatuses: [Status.SKIPPED],
    messageRegex: `^${standingWords[standing]}: .*`,
  })),
]

/**
 * allure-vitest with a faster writer. The original flushes every file to disk before the next, which takes longer than judging all
 * rules.
 */
export class QuickAllureReporter extends AllureReporter {
  readonly #folder: string

  constructor(config: AllureVitestReporterConfig & { readonly resultsDir: string }) {
    super(config)
    this.#folder = config.resultsDir
  }

  override onInit(vitest: Vitest): void {
    super.onInit(vitest)
    const { writer } = (this as unknown as { allureReporterRuntime: { writer: Writer } })
      .allureReporterRuntime
    writer.writeResult = result =>
      writeFileSync(join(this.#folder, `${result.uuid}-result.json`), JSON.stringify(result))
    writer.writeAttachment = (name, content) => writeFileSync(join(this.#folder, name), content)
  }
}
