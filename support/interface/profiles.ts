import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Profile } from './description.ts'

/** The first path is that of the sources, the second that of the compiled package. */
const folder = [
  new URL('profiles/', import.meta.url),
  new URL('../../../support/interface/profiles/', import.meta.url),
].find(existsSync) as URL

/** Every published profile, by name. A file in `profiles/` never changes once it is published. */
export const profiles: Readonly<Record<string, Profile>> = Object.fromEntries(
  readdirSync(folder)
    .filter(file => file.endsWith('.json'))
    .map(file => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Profile)
    .map(profile => [profile.name, profile] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
)

export const profileNames: readonly string[] = Object.keys(profiles)

/** The profile of a run that names none. */
export const DEFAULT_PROFILE = '1.0.0'
