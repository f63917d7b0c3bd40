import { suites } from '../../suites/index.ts'
import { observations } from '../../suites/observations.ts'
import { type CellName, matchesGlob, type RuleFacts } from '../interface/description.ts'
import { operationIds } from '../interface/operations.ts'
import { DEFAULT_PROFILE, isNew, type Profile, profiles } from '../interface/verdict.ts'

/** Every rule of the suites in order, for each operation. */
export const allRules: readonly RuleFacts[] = suites.flatMap(({ rules }) => rules)

/** The rules and observations of a run. */
export type Selection = ReturnType<typeof select>

type Choice = Partial<Record<'only' | 'skip', readonly string[] | undefined>>

/** An unknown profile is a mistake of its own. */
export const profileCalled = (name = DEFAULT_PROFILE): Profile =>
  (Object.hasOwn(profiles, name) ? profiles[name] : profiles[DEFAULT_PROFILE]) as Profile

/** @returns `partial`: whether `only` or `skip` left out a rule of the profile */
export function select(profile: Profile, { only, skip }: Choice) {
  const isSent = ({ operation }: CellName) => !profile.without.includes(operation)
  const isChosen = (item: CellName) =>
    isSent(item) &&
    (!only || only.some(each => isMatch(each, item))) &&
    !skip?.some(each => isMatch(each, item))
  const rules = allRules.filter(isChosen)
  const partial = allRules.some(rule => isSent(rule) && !rules.includes(rule) && !isNew(rule, profile))
  return { profile, rules, observations: observations.filter(isChosen), partial }
}

/**
 * Whether a selector matches a rule or observation: an operation, a folder of suites, the id of a rule or a glob over ids, or both with a
 * slash between (`auth-no-header/cancelOrder`).
 */
export function isMatch(given: string, item: CellName): boolean {
  // The path of a folder, as a shell completes it.
  const selector = given.replace(/^suites\/(.+?)\/?$/, '$1')
  if (operationIds.some(id => id === selector)) return item.operation === selector
  const folder = suites.find(({ name }) => name === selector)
  if (folder) return [...folder.rules, ...folder.observations].some(({ id }) => id === item.id)
  const [glob = '', operation = item.operation] = selector.split('/')
  return operation === item.operation && matchesGlob(glob, item.id)
}

const LIST = 'npx --no-install store-conformance list shows all rules'
/** A run without rules must not look like one that passed. */
export const EMPTY = `selects no rule; ${LIST}`

/** Why a selector is a mistake: it matches nothing. */
export function problemWith(selector: string, { name, without }: Profile): string | undefined {
  const all = [...allRules, ...observations]
  const matched = all.filter(each => isMatch(selector, each))
  if (matched.length === 0)
    return unknownText(selector, 'rule, glob, operation or folder of suites', [
      ...operationIds,
      ...all.map(({ id }) => id),
    ])
  if (matched.some(({ operation }) => !without.includes(operation))) return undefined
  return `${JSON.stringify(selector)} is not in profile ${name}; choose another --profile`
}

export const unknownText = (text: string, what: string, known: readonly string[]): string =>
  `${JSON.stringify(text)} is not a ${what}. ${suggestion(text, known, `${LIST}.`)}`

/** A question that names the text among these that is most like it, or else the other sentence. */
export function suggestion(text: string, among: readonly string[], otherwise: string): string {
  const pairsOf = (each: string) =>
    new Set(Array.from(each.toLowerCase(), (_, at) => each.toLowerCase().slice(at, at + 2)))
  const own = pairsOf(text)
  /** The share of the pairs of characters that both have. */
  const likeness = (each: string) => {
    const pairs = pairsOf(each)
    return [...own].filter(pair => pairs.has(pair)).length / Math.max(own.size, pairs.size)
  }
  const [best = ''] = among.toSorted((one, other) => likeness(other) - likeness(one))
  return likeness(best) >= 0.6 ? `Did you mean ${best}?` : otherwise
}
