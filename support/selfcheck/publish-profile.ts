import { existsSync, writeFileSync } from 'node:fs'
import { operations } from '../interface/operations.ts'
import { type PublishedRules, profiles, profilesFolder } from '../interface/profiles.ts'
import { allRules } from '../run/selection.ts'
import { gapsOf } from './prove.ts'

/**
 * Development tool: publishes the current rules as the next profile, and as a second one without the experimental operations.
 *
 *     npm run publish-profile -- 1.1.0
 */
const [name = ''] = process.argv.slice(2)
const file = new URL(`${name}.json`, profilesFolder)
const gaps = gapsOf()
const problem = !/^[0-9]+\.[0-9]+\.[0-9]+$/.test(name)
  ? 'The name of a profile has three numbers, for example: npm run publish-profile -- 1.1.0'
  : existsSync(file)
    ? `Profile ${name} is already published, and a published profile never changes. Choose a new name.`
    : gaps.length > 0 && `${gaps.join('\n')}\nAdd or correct a fault first.`
if (problem) {
  console.error(problem)
  process.exitCode = 2
} else {
  const levelsOf = (operation: string) =>
    Object.fromEntries(
      allRules.filter(each => each.operation === operation).map(({ id, level }) => [id, level] as const),
    )
  const all = Object.values(operations)
  const published: PublishedRules = {
    name,
    interfaceVersion: '1.0.0',
    revision: 1 + Math.max(...Object.values(profiles).map(({ revision }) => revision)),
    experimental: all.filter(({ experimental }) => experimental).map(({ id }) => id),
    rules: Object.fromEntries(all.map(({ id }) => [id, levelsOf(id)])),
  }
  writeFileSync(file, `${JSON.stringify(published, undefined, 2)}\n`)
  console.log(`Profile ${name}: revision ${published.revision}, ${allRules.length} rules.`)
}
