import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type CellName, cellKey, type Level } from './description.ts'

/** A file in `profiles/`. It never changes once it is published, so every later version of the suite gates on the same rules. */
export interface PublishedRules {
  readonly name: string
  readonly interfaceVersion: string
  /** Number of the rule set. Each publication increases it by one, whatever the interface and suite versions are. */
  readonly revision: number
  /** The operations that the profile `NAME-stable` leaves out (§9). */
  readonly experimental: readonly string[]
  /** By operation, the level that each rule had when the profile was published. */
  readonly rules: Readonly<Record<string, Readonly<Record<string, Level>>>>
}

/** A named, frozen set of rules. */
export interface Profile extends Pick<PublishedRules, 'name' | 'revision'> {
  /** Operations that are left out: a run under this profile does not send them. */
  readonly without: readonly string[]
  /** The level of each rule by id and operation: `auth-no-header cancelOrder`. */
  readonly rules: Readonly<Record<string, Level>>
}

/** The first path is that of the sources, the second that of the compiled package. */
export const profilesFolder = ['profiles/', '../../../support/interface/profiles/']
  .map(path => new URL(path, import.meta.url))
  .find(existsSync) as URL

const profileOf = ({ name, revision, rules }: PublishedRules, without: readonly string[]): Profile => {
  const kept = Object.entries(rules).filter(([operation]) => !without.includes(operation))
  const cells = kept.flatMap(([operation, levels]) =>
    Object.entries(levels).map(([id, level]) => [cellKey({ id, operation }), level] as const),
  )
  return { name, revision, without, rules: Object.fromEntries(cells) }
}

/** Every published profile, by name. */
export const profiles: Readonly<Record<string, Profile>> = Object.fromEntries(
  readdirSync(profilesFolder)
    .filter(file => file.endsWith('.json'))
    .sort()
    .map(file => JSON.parse(readFileSync(new URL(file, profilesFolder), 'utf8')) as PublishedRules)
    .flatMap(each => [
      [each.name, profileOf(each, [])],
      [`${each.name}-stable`, { ...profileOf(each, each.experimental), name: `${each.name}-stable` }],
    ]),
)

/** The profile of a run that names none. */
export const DEFAULT_PROFILE = '1.0.0'

/** Whether the rule is newer than the profile: it is judged and reported, and does not gate. */
export const isNew = (rule: CellName, { rules }: Pick<Profile, 'rules'>): boolean =>
  !Object.hasOwn(rules, cellKey(rule))
