import {
  type CellName,
  type Clause,
  cellKey,
  type Question,
  type RuleFacts,
  type Suite,
} from './description.ts'
import type { Operation } from './operations.ts'
import type { Erratum, Profile } from './profiles.ts'

/** The interface under test: its description, and the suites that check it. */
export interface InterfaceUnderTest {
  readonly version: string
  readonly operations: Readonly<Record<string, Operation>>
  readonly clauses: Readonly<Record<string, Clause>>
  readonly profiles: Readonly<Record<string, Profile>>
  readonly errata: readonly Erratum[]
  readonly suites: readonly Suite[]
}

/** Every rule of the suites in order, corrected by the errata: withdrawn rules are gone, demoted rules have their new level. */
export const allRules = ({
  suites,
  errata,
}: Pick<InterfaceUnderTest, 'suites' | 'errata'>): readonly RuleFacts[] =>
  suites.flatMap(({ rules }) =>
    rules.flatMap(rule => {
      const own = errata.filter(each => each.rule === rule.id)
      if (own.some(({ change }) => change === 'withdrawn')) return []
      const demotion = own.findLast(each => each.change === 'demoted')
      return [demotion ? { ...rule, level: demotion.level, because: demotion.reason } : rule]
    }),
  )

/** The rules and observations of a run. */
export interface Selection {
  readonly profile: Profile
  /** The rules that are reported. */
  readonly rules: readonly RuleFacts[]
  readonly observations: readonly Question[]
  /** Whether `only` or `skip` left out a rule of the profile. */
  readonly partial: boolean
}

export interface Selectors {
  readonly profile: string
  readonly only?: readonly string[] | undefined
  readonly skip?: readonly string[] | undefined
}

/**
 * @returns the selection, or the selectors that match nothing. `unmatched` is empty if `only` and `skip` together leave no rule: a
 * run without rules must not look like one that passed.
 */
export function select(
  subject: InterfaceUnderTest,
  { profile: name, only, skip }: Selectors,
): Selection | { readonly unmatched: readonly string[] } {
  const profile = profileOf(subject, name)
  const isSent = ({ operation }: CellName) => !profile.without.includes(operation)
  const available = allRules(subject).filter(isSent)
  const observations = subject.suites.flatMap(suite => suite.observations).filter(isSent)
  const isMatch = matcher(subject)
  const unmatched = [...(only ?? []), ...(skip ?? [])].filter(
    selector => ![...available, ...observations].some(each => isMatch(selector, each)),
  )
  const isChosen = (item: CellName) =>
    (only === undefined || only.some(each => isMatch(each, item))) && !skip?.some(each => isMatch(each, item))
  const rules = available.filter(isChosen)
  if (unmatched.length > 0 || rules.length === 0) return { unmatched }
  const partial = available.some(rule => !rules.includes(rule) && !isNew(rule, profile))
  return { profile, rules, observations: observations.filter(isChosen), partial }
}

/** @throws {Error} for an unknown profile; settings are validated before */
export function profileOf({ profiles }: Pick<InterfaceUnderTest, 'profiles'>, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return profile
  throw new Error(`unknown profile ${name}`)
}

/** Whether the rule is newer than the profile: it is judged and reported, and does not gate. */
export const isNew = (rule: CellName, { rules }: Pick<Profile, 'rules'>): boolean =>
  !Object.hasOwn(rules, cellKey(rule))

/**
 * Whether a selector matches a rule or observation: an operation, a folder of suites, the id of a rule or a glob over ids, or both with a
 * slash between (`auth-no-header/cancelOrder`).
 */
export const matcher = ({ operations, suites }: Pick<InterfaceUnderTest, 'operations' | 'suites'>) => {
  const folders = new Map(
    suites.map(({ name, rules, observations }) => [name, new Set([...rules, ...observations].map(cellKey))]),
  )
  return (selector: string, item: CellName): boolean => {
    if (Object.hasOwn(operations, selector)) return item.operation === selector
    const folder = folders.get(selector)
    if (folder) return folder.has(cellKey(item))
    const [glob = '', operation = item.operation] = selector.split('/')
    return operation === item.operation && matchesGlob(glob, item.id)
  }
}

/** `*` stands for any characters, `?` for one. */
export function matchesGlob(glob: string, id: string): boolean {
  const pattern = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${pattern}$`).test(id)
}
