import { writeFileSync } from 'node:fs'
import { operationIds, operations } from '../interface/operations.ts'
import { type PublishedRules, profiles, profilesFolder } from '../interface/verdict.ts'
import { allRules } from '../settings/selection.ts'
import { gapsOf } from './prove.ts'

/**
 * Development tool: publishes the current rules as the next profile, and as a second one without the experimental operations.
 *
 *     npm run publish-profile -- 1.1.0
 */
const [name = ''] = process.argv.slice(2)
if (!/^[0-9]+\.[0-9]+\.[0-9]+$/.test(name)) throw new Error('The name of a profile has three numbers: 1.1.0')
const gaps = gapsOf()
if (gaps.length > 0) throw new Error(`Add or correct a fault first:\n${gaps.join('\n')}`)
const levelsOf = (operation: string) =>
  Object.fromEntries(allRules.flatMap(each => (each.operation === operation ? [[each.id, each.level]] : [])))
const published: PublishedRules = {
  name,
  interfaceVersion: '1.0.0',
  revision: 1 + Math.max(...Object.values(profiles).map(({ revision }) => revision)),
  experimental: operationIds.filter(id => operations[id].experimental),
  rules: Object.fromEntries(operationIds.map(id => [id, levelsOf(id)])),
}
// A published profile never changes, so an existing file is an error.
const file = new URL(`${name}.json`, profilesFolder)
writeFileSync(file, `${JSON.stringify(published, undefined, 2)}\n`, { flag: 'wx' })
console.log(`Profile ${name}: revision ${published.revision}, ${allRules.length} rules.`)
