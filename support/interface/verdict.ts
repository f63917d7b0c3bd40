import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type CellName, cellKey, type Level, levels, type Outcome } from './description.ts'

export type Verdict = 'conformant' | 'nonconformant' | 'incomplete' | 'partial' | 'unreachable'

/** What decides whether a rule takes part in the verdict. */
export interface Weight {
  readonly level: Level
  readonly expectedFailure?: unknown
  readonly newSince?: string | undefined
}

/** Whether a rule takes part in the verdict, unless its failure is expected. A rule that is newer than the profile does not. */
export const canGate = ({ level, newSince }: Weight, gate: Level): boolean =>
  newSince === undefined && levels.indexOf(level) <= levels.indexOf(gate)

/** Whether a rule takes part in the verdict. */
export const isGating = (weight: Weight, gate: Level): boolean =>
  weight.expectedFailure === undefined && canGate(weight, gate)

export type Counts = Readonly<Record<Outcome, number>>

export function countOutcomes(judged: readonly { readonly outcome: Outcome }[]): Counts {
  const counts = { passed: 0, failed: 0, cantTell: 0, inapplicable: 0, untested: 0 }
  for (const { outcome } of judged) counts[outcome] += 1
  return counts
}

interface Circumstances {
  readonly gate: Level
  readonly partial: boolean
  readonly stopped?: boolean
  /** Whether stock is not as it was before the run. */
  readonly unrestored?: boolean
  /** Whether an expected failure is stale. */
  readonly stale?: boolean
}

/**
 * The verdict of a run that reached the store.
 * A stale expected failure fails the run so that it is removed. If only rules that do not gate were selected, the verdict is about
 * them, and a failure makes it `incomplete`. `partial`: rules of the profile were left out, or an expected failure was set aside.
 */
export function verdictOf(
  judged: readonly (Weight & { readonly outcome: Outcome })[],
  { gate, partial, stopped, unrestored, stale }: Circumstances,
): Verdict {
  const isOnlyAdvice = partial && judged.every(each => !canGate(each, gate))
  const decisive = isOnlyAdvice ? judged : judged.filter(each => isGating(each, gate))
  const has = (...outcomes: readonly Outcome[]) => decisive.some(({ outcome }) => outcomes.includes(outcome))
  if (stale || (has('failed') && !isOnlyAdvice)) return 'nonconformant'
  if (stopped || unrestored || has('failed', 'untested', 'cantTell') || !has('passed')) return 'incomplete'
  const isSetAside = judged.some(each => each.expectedFailure !== undefined && canGate(each, gate))
  return partial || isSetAside ? 'partial' : 'conformant'
}

/** Exit codes of the verdicts. 2 is for wrong usage and configuration, which end before there is a verdict. */
export const exitCodes: Readonly<Record<Verdict, 0 | 1 | 3 | 4>> = {
  conformant: 0,
  partial: 0,
  nonconformant: 1,
  incomplete: 3,
  unreachable: 4,
}

/** Exit code for wrong usage or configuration. */
export const EXIT_WRONG_USAGE = 2

/** The user can correct it: the usage, a file, the states endpoint or the states module. There is no verdict: exit 2. */
export class Misconfigured extends Error {
  override name = 'Misconfigured'
}

/** A named, frozen set of rules. */
export interface Profile {
  readonly name: string
  /** Number of the rule set. Each publication increases it by one, whatever the interface and suite versions are. */
  readonly revision: number
  /** Operations that are left out: a run under this profile does not send them. */
  readonly without: readonly string[]
  /** The level of each rule by id and operation: `auth-no-header cancelOrder`. */
  readonly rules: Readonly<Record<string, Level>>
}

/** A file in `profiles/`. It never changes once it is published, so every later version of the suite gates on the same rules. */
export interface PublishedRules extends Pick<Profile, 'name' | 'revision'> {
  readonly interfaceVersion: string
  /** The operations that the profile `NAME-stable` leaves out (§9). */
  readonly experimental: readonly string[]
  /** By operation, the level that each rule had when the profile was published. */
  readonly rules: Readonly<Record<string, Readonly<Record<string, Level>>>>
}

/** The first path is that of the sources, the second that of the compiled package. */
export const profilesFolder = ['profiles/', '../../../support/interface/profiles/']
  .map(path => new URL(path, import.meta.url))
  .find(existsSync) as URL

function profileOf(file: PublishedRules, name: string, without: readonly string[]): Profile {
  const kept = Object.entries(file.rules).filter(([operation]) => !without.includes(operation))
  const cells = kept.flatMap(([operation, levels]) =>
    Object.entries(levels).map(([id, level]) => [cellKey({ id, operation }), level] as const),
  )
  return { name, revision: file.revision, without, rules: Object.fromEntries(cells) }
}

/** Every published profile, by name. */
export const profiles: Readonly<Record<string, Profile>> = Object.fromEntries(
  readdirSync(profilesFolder)
    .sort()
    .map(file => JSON.parse(readFileSync(new URL(file, profilesFolder), 'utf8')) as PublishedRules)
    .flatMap(each => [
      profileOf(each, each.name, []),
      profileOf(each, `${each.name}-stable`, each.experimental),
    ])
    .map(each => [each.name, each]),
)

/** The profile of a run that names none. */
export const DEFAULT_PROFILE = '1.0.0'

/** Whether the rule is newer than the profile: it is judged and reported, and does not gate. */
export const isNew = (rule: CellName, { rules }: Pick<Profile, 'rules'>): boolean =>
  !Object.hasOwn(rules, cellKey(rule))
