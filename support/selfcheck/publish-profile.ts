import { existsSync, writeFileSync } from 'node:fs'
import type { PublishedRules } from '../interface/profiles.ts'
import { allRules } from '../interface/selection.ts'
import { packageRoot } from '../report/package-root.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { gapsOf } from './prove.ts'

/**
 * Development tool: publishes the current rules as the next profile, and as a second one without the experimental operations.
 *
 *     npm run publish-profile -- 1.1.0
 */
const [name = ''] = process.argv.slice(2)
const folder = new URL('support/interface/profiles/', packageRoot)

const operations = Object.values(subject.operations)
const levels = (operation: string) =>
  allRules(subject).flatMap(each => (each.operation === operation ? [[each.id, each.level] as const] : []))
const published: PublishedRules = {
  name,
  interfaceVersion: subject.version,
  revision: 1 + Math.max(0, ...Object.values(subject.profiles).map(profile => profile.revision)),
  experimental: operations.flatMap(({ id, experimental }) => (experimental ? [id] : [])),
  rules: Object.fromEntries(operations.map(({ id }) => [id, Object.fromEntries(levels(id))])),
}
const file = new URL(`${name}.json`, folder)
const problem = problemWithName()
if (problem) {
  console.error(problem)
  process.exitCode = 2
} else {
  writeFileSync(file, `${JSON.stringify(published, undefined, 2)}\n`)
  console.log(`Profile ${name}: revision ${published.revision}, ${allRules(subject).length} rules.`)
}

function problemWithName(): string | undefined {
  if (!/^[0-9]+\.[0-9]+\.[0-9]+$/.test(name))
    return `The name of a profile has three numbers, for example: npm run publish-profile -- 1.1.0`
  if (existsSync(file))
    return `Profile ${name} is already published, and a published profile never changes. Choose a new name.`
  const gaps = gapsOf()
  return gaps.length > 0 ? `${gaps.join('\n')}\nAdd or correct a fault first.` : undefined
}
