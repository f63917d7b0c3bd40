import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Profile } from './description.ts'

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
