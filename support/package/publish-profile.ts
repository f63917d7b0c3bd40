import { existsSync, writeFileSync } from 'node:fs'
import type { Profile } from '../interface/description.ts'
import { allRules } from '../judge/interface.ts'
import { packageRoot } from '../report/package-root.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { gapsOf } from '../selfcheck/prove.ts'

/**
 * Development tool: publishes the current rules as the next profile, and a second profile without the experimental operations.
 *
 *     npm run publish-profile -- 1.1.0
 */
const [name = ''] = process.argv.slice(2)
const folder = new URL('support/interface/profiles/', packageRoot)

const experimental = Object.values(subject.operations).flatMap(({ id, experimental }) =>
  experimental ? [id] : [],
)
const revision = 1 + Math.max(0, ...Object.values(subject.profiles).map(profile => profile.revision))

const published = [
  profileOf(name, 'the whole interface', []),
  profileOf(`${name}-stable`, 'without the experimental operation (§9)', experimental),
]
const problem = problemWith(published)
if (problem) {
  console.error(problem)
  process.exitCode = 2
} else {
  for (const profile of published) {
    writeFileSync(fileOf(profile), `${JSON.stringify(profile, undefined, 2)}\n`)
    console.log(`Profile ${profile.name}: revision ${revision}, ${Object.keys(profile.rules).length} rules.`)
  }
}

function profileOf(name: string, title: string, without: readonly string[]): Profile {
  const rules = allRules(subject).filter(({ operation }) => !without.includes(operation))
  return {
    name,
    title,
    interfaceVersion: subject.version,
    revision,
    without,
    rules: Object.fromEntries(rules.map(({ id, level }) => [id, level])),
  }
}

function problemWith(profiles: readonly Profile[]): string | undefined {
  if (!/^[0-9]+\.[0-9]+\.[0-9]+$/.test(name))
    return `The name of a profile has three numbers, for example: npm run publish-profile -- 1.1.0`
  const old = profiles.find(profile => existsSync(fileOf(profile)))
  if (old)
    return `Profile ${old.name} is already published, and a published profile never changes. Choose a new name.`
  const gaps = gapsOf()
  return gaps.length > 0 ? `${gaps.join('\n')}\nAdd or correct a fault first.` : undefined
}

function fileOf({ name }: Pick<Profile, 'name'>): URL {
  return new URL(`${name}.json`, folder)
}
