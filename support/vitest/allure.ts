import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Status } from 'allure-js-commons'
import type { Category } from 'allure-js-commons/sdk'
import type { Writer } from 'allure-js-commons/sdk/reporter'
import AllureReporter, { type AllureVitestReporterConfig } from 'allure-vitest/reporter'
import type { Vitest } from 'vitest/node'

/** How an outcome appears in Allure's tab of categories. */
export const categories: Category[] = [
  { name: 'Violations of the interface', matchedStatuses: [Status.FAILED] },
  { name: 'Could not be told', matchedStatuses: [Status.BROKEN] },
  // The first that matches takes a result, and these are told apart by how their message begins.
  { name: 'Expected failures', matchedStatuses: [Status.SKIPPED], messageRegex: '^expected failure: .*' },
  { name: 'Advice that is not followed', matchedStatuses: [Status.SKIPPED], messageRegex: '^failed: .*' },
  { name: 'Not tested', matchedStatuses: [Status.SKIPPED], messageRegex: '^untested: .*' },
  { name: 'Not applicable', matchedStatuses: [Status.SKIPPED], messageRegex: '^inapplicable: .*' },
  { name: 'Advice that could not be told', matchedStatuses: [Status.SKIPPED], messageRegex: '^cantTell: .*' },
]

/**
 * allure-vitest, except that results and attachments are written in one go: its own writer flushes every file to the disk before
 * it takes the next, and a thousand of those take longer than the judging.
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
