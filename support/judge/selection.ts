import { operationIds } from '../interface/operations.ts'
import { type ProfileName, profiles } from '../interface/profiles.ts'
import type { Observation, Rule, Suite } from './rule.ts'

/** Rules and observations that take part in a run. */
export interface Selection {
  /** The whole profile: what rules stand behind with `after` is looked up here. */
  readonly profile: readonly Rule[]
  /** What is reported. */
  readonly rules: readonly Rule[]
  readonly observations: readonly Observation[]
  /** Whether `only` or `skip` left anything out. */
  readonly partial: boolean
}

export interface Selectors {
  readonly profile: ProfileName
  readonly only?: readonly string[] | undefined
  readonly skip?: readonly string[] | undefined
}

/** @returns the selection, or the selectors that match nothing (none of them, where together they leave nothing): a run of no rules must not look like one that passed */
export function select(
  suites: readonly Suite[],
  { profile: name, only, skip }: Selectors,
): Selection | { readonly unmatched: readonly string[] } {
  const { without } = profiles[name]
  const inProfile = <Item extends { operation: Rule['operation'] }>(item: Item) =>
    !without.includes(item.operation)
  const profile = suites
    .flatMap(suite => suite.rules)
    .filter(rule => inProfile(rule) && rule.since === undefined)
  const observations = suites.flatMap(suite => suite.observations).filter(inProfile)
  const unmatched = [...(only ?? []), ...(skip ?? [])].filter(
    selector => ![...profile, ...observations].some(each => matches(selector, each)),
  )
  if (unmatched.length > 0) return { unmatched }
  const chosen = (item: Rule | Observation) =>
    (only === undefined || only.some(each => matches(each, item))) && !skip?.some(each => matches(each, item))
  const rules = profile.filter(chosen)
  if (rules.length === 0) return { unmatched: [] }
  return { profile, rules, observations: observations.filter(chosen), partial: rules.length < profile.length }
}

/** A selector is the id of a rule, a glob over ids, or an operation. */
export function matches(
  selector: string,
  { id, operation }: { readonly id: string; readonly operation: string },
): boolean {
  if ((operationIds as string[]).includes(selector)) return operation === selector
  const pattern = selector
    .split('*')
    .map(part => part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('?', '.'))
    .join('.*')
  return new RegExp(`^${pattern}$`).test(id)
}
