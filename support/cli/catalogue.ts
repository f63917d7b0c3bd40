import { afterOf, type Observation, type Rule } from '../judge/rule.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { itemCalled } from '../settings/mistake.ts'

export const shownLevels = ['required', 'implied', 'advisory', 'unspecified'] as const

/** A rule or an observation, as `list` shows it. The title of an observation is a question. */
export type CatalogueEntry = ReturnType<typeof entryOf>

/** @param suite its folder in `suites/` */
function entryOf(item: Rule | Observation, suite: string) {
  const { id, operation, clause, title, given } = item
  const rule = 'level' in item ? item : undefined
  const after = rule ? afterOf(rule) : []
  return {
    id,
    operation,
    level: rule?.level ?? ('unspecified' as const),
    clause,
    title,
    suite,
    scenario: given.title,
    because: rule && rule.level !== 'required' ? rule.because : undefined,
    after: after.length > 0 ? after : undefined,
    usually: rule?.usually,
  }
}

const all = subject.suites.flatMap(({ name, rules, observations }) =>
  [...rules, ...observations].map(item => ({
    entry: entryOf(item, name),
    given: item.given as Rule['given'],
  })),
)

/** All rules and observations, in the order of the suites. */
export const entries: readonly CatalogueEntry[] = all.map(({ entry }) => entry)

export const givenOf = (entry: CatalogueEntry): Rule['given'] =>
  (all[entries.indexOf(entry)] as (typeof all)[number]).given

/** @throws {Misconfigured} with the nearest id, if there is no such rule */
export const findEntry = (id: string): CatalogueEntry =>
  itemCalled(id, 'rule', entries, 'npx store-conformance list shows all rules.')

/** Each statement of the document, with its rules and what a run records about it, or the reason why no rule checks it. */
export function ledger(among: readonly CatalogueEntry[] = entries) {
  return Object.entries(subject.clauses).map(([clause, { says, unchecked }]) => {
    const about = among.filter(entry => entry.clause === clause)
    const ids = (observed: boolean) =>
      about.filter(({ level }) => (level === 'unspecified') === observed).map(({ id }) => id)
    return { clause, says, rules: ids(false), observations: ids(true), unchecked }
  })
}
