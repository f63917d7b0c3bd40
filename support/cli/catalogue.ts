import type { Level } from '../interface/description.ts'
import { afterOf, type Observation, type Rule } from '../judge/rule.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { itemCalled } from './usage.ts'

export type ShownLevel = Level | 'unspecified'

export const shownLevels: readonly ShownLevel[] = ['required', 'implied', 'advisory', 'unspecified']

/** A rule or an observation, as `list` and `explain` show it. */
export interface CatalogueEntry {
  readonly id: string
  readonly operation: Rule['operation']
  readonly level: ShownLevel
  readonly clause: string
  /** A sentence that is true of a conformant store. Of an observation, a question. */
  readonly title: string
  /** Its folder in `suites/`. */
  readonly suite: string
  readonly scenario: string
  readonly because?: string
  readonly after?: readonly string[]
  readonly usually?: string
}

export interface FoundEntry {
  readonly entry: CatalogueEntry
  /** Undefined for an observation. */
  readonly rule: Rule | undefined
  readonly given: Rule['given'] | Observation['given']
}

const all: readonly FoundEntry[] = subject.suites.flatMap(({ name, rules, observations }) =>
  [...rules, ...observations].map((item: Rule | Observation) => {
    const rule = 'level' in item ? item : undefined
    const { id, operation, clause, title, given } = item
    const after = rule ? afterOf(rule) : []
    const entry = {
      id,
      operation,
      level: rule?.level ?? ('unspecified' as const),
      clause,
      title,
      suite: name,
      scenario: given.title,
      ...(rule && rule.level !== 'required' ? { because: rule.because } : {}),
      ...(after.length > 0 ? { after } : {}),
      ...(rule?.usually ? { usually: rule.usually } : {}),
    }
    return { entry, rule, given }
  }),
)

/** All rules and observations, in the order of the suites. */
export const entries: readonly CatalogueEntry[] = all.map(({ entry }) => entry)

/** @throws {Misconfigured} with the nearest id, if there is no such rule */
export function findEntry(id: string): FoundEntry {
  const entry = itemCalled(id, 'rule', entries, 'npx store-conformance list shows all rules.')
  return all[entries.indexOf(entry)] as FoundEntry
}

/** A statement of the document, with its rules, or the reason why no rule checks it. */
export interface LedgerLine {
  readonly clause: string
  readonly says: string
  readonly rules: readonly string[]
  /** What a run records about it without judging. */
  readonly observations: readonly string[]
  readonly unchecked?: string
}

export function ledger(among: readonly CatalogueEntry[] = entries): readonly LedgerLine[] {
  return Object.entries(subject.clauses).map(([clause, { says, unchecked }]) => {
    const about = among.filter(entry => entry.clause === clause)
    const ids = (observed: boolean) =>
      about.filter(({ level }) => (level === 'unspecified') === observed).map(({ id }) => id)
    return { clause, says, rules: ids(false), observations: ids(true), ...(unchecked ? { unchecked } : {}) }
  })
}
