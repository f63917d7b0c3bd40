import type { CellName } from '../judge/rule.ts'

/** The subject of the test that states the verdict. No rule has this id. */
export const VERDICT = 'verdict'

/** The name of the test of a rule or an observation. */
export const testName = ({ id, operation, title }: CellName & { readonly title: string }): string =>
  `${id} ${operation}: ${title}`

/** What a test shows of its rule, its observation or the verdict. */
export interface TestResult {
  readonly state: 'passed' | 'failed' | 'skipped'
  /** The failure, or why there is no result, or what an observation saw. */
  readonly text: string
  readonly allure: AllureFacts
}

/** What Allure shows of a test beside its result. */
export interface AllureFacts {
  readonly labels: Readonly<Record<string, string>>
  readonly parameters?: Readonly<Record<string, string>>
  readonly links?: readonly { readonly url: string; readonly name: string }[]
  readonly description?: string
  readonly attachments?: readonly {
    readonly name: string
    readonly content: string
    readonly type: 'text/plain' | 'application/json'
  }[]
}

/** By the key of the rule or the observation. */
export type TestResults = Readonly<Record<string, TestResult>>

declare module 'vitest' {
  interface ProvidedContext {
    answers: TestResults
  }
}
