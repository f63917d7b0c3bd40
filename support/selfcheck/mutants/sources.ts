import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const referenceFolder = fileURLToPath(new URL('../../reference/', import.meta.url))

/** What is in the folder and yet no part of a store that somebody else could get wrong. */
const leftOut: Readonly<Record<string, string>> = {
  'changes.ts': 'helps to write faults',
  'fault.ts': 'types',
  'decisions.ts': 'types, and how overrides are laid over each other',
  'context.ts': 'types, and a help for faults',
  'index.ts': 'names only',
  'demo.ts': 'demonstration data',
  'holding.ts': 'which ids are arranged',
  'states.ts': 'arranges the conditions of the test itself',
  'states-endpoint.ts': 'arranges the conditions of the test itself',
  'parameters.ts': 'arranges the conditions of the test itself',
}

/** The sources to mutate, by their paths. Subfolders hold freedoms and helps for tests. */
export const sources = (): readonly string[] =>
  readdirSync(referenceFolder)
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !(name in leftOut))
    .sort()
    .map(name => join(referenceFolder, name))

/** Only a served store runs through these. */
export const onlyServed = (file: string): boolean => file === 'serve.ts' || file === 'wire.ts'
