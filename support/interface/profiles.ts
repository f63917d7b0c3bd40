import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Level } from './description.ts'

/** A published set of rules. Its file never changes, so every later version of the suite gates on the same rules. */
export interface Profile {
  readonly name: string
  readonly title: string
  /** Version of the interface document. */
  readonly interfaceVersion: string
  /** Number of the rule set. Each publication increases it by one, whatever the interface and suite versions are. */
  readonly revision: number
  /** Operations that are left out: a run under this profile does not send them. */
  readonly without: readonly string[]
  /** The rules by id and operation (`auth-no-header cancelOrder`), with the level that each had when the profile was published. */
  readonly rules: Readonly<Record<string, Level>>
}

/** A correction of a published rule: the suite was wrong. It applies to every profile and every store. */
export type Erratum = {
  readonly rule: string
  /** Day of the correction (UTC): `2026-12-31`. */
  readonly date: string
  readonly reason: string
} & (
  | { readonly change: 'withdrawn' }
  /** The expectation was corrected; the rule keeps its id and level. */
  | { readonly change: 'corrected' }
  | { readonly change: 'demoted'; readonly level: Exclude<Level, 'required'> }
)

/** The first path is that of the sources, the second that of the compiled package. */
const folder = [
  new URL('profiles/', import.meta.url),
  new URL('../../../support/interface/profiles/', import.meta.url),
].find(existsSync) as URL

/** A file in `profiles/`, which never changes once it is published. Two profiles follow from it. */
export type PublishedRules = Pick<Profile, 'name' | 'interfaceVersion' | 'revision'> & {
  /** The operations that the profile `NAME-stable` leaves out. */
  readonly experimental: readonly string[]
  /** By operation. */
  readonly rules: Readonly<Record<string, Profile['rules']>>
}

const profileOf = (
  { name, interfaceVersion, revision, rules }: PublishedRules,
  title: string,
  without: readonly string[],
): Profile => ({
  name: without.length === 0 ? name : `${name}-stable`,
  title,
  interfaceVersion,
  revision,
  without,
  rules: Object.fromEntries(
    Object.entries(rules).flatMap(([operation, levels]) =>
      without.includes(operation)
        ? []
        : Object.entries(levels).map(([id, level]) => [`${id} ${operation}`, level]),
    ),
  ),
})

/** Every published profile, by name. */
export const profiles: Readonly<Record<string, Profile>> = Object.fromEntries(
  readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .map(file => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as PublishedRules)
    .flatMap(published => [
      profileOf(published, 'the whole interface', []),
      profileOf(published, 'without the experimental operation (§9)', published.experimental),
    ])
    .map(profile => [profile.name, profile] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
)

export const profileNames: readonly string[] = Object.keys(profiles)

/** The profile of a run that names none. */
export const DEFAULT_PROFILE = '1.0.0'

/** Corrections of published rules, oldest first. Each applies to every profile that has the rule. */
export const errata: readonly Erratum[] = []
