import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './mutant.ts'

export const referenceFolder = fileURLToPath(new URL('../../reference/', import.meta.url))

/** What is in the folder and yet no part of a store that somebody else could get wrong. */
const leftOut: Readonly<Record<string, string>> = {
  'changes.ts': 'helps to write faults',
  'fault.ts': 'types',
  'decisions.ts': 'types, and how overrides are laid over each other',
  'context.ts': 'types, and a help for faults',
  'index.ts': 'names only',
  'demo.ts': 'demonstration data',
  'provisioning.ts': 'which ids are arranged',
  'states.ts': 'arranges the conditions of the test itself',
  'states-endpoint.ts': 'arranges the conditions of the test itself',
  'parameters.ts': 'arranges the conditions of the test itself',
}

/** How declarations in the other files begin, of which the same is true. */
const helps: Readonly<Record<string, string>> = {
  'answer.ts withHeader': 'helps to write faults',
  'answer.ts withBody': 'helps to write faults',
  'answer.ts withStatus': 'helps to write faults',
  'answer.ts bodyText': 'helps to write faults',
  'wire.ts messageOf': 'helps to write faults',
  "app.ts app.post('/provider-states'": 'arranges the conditions of the test itself',
  "app.ts app.all('/provider-states'": 'arranges the conditions of the test itself',
}

export const isStore = ({ file, within }: Pick<Mutant, 'file' | 'within'>): boolean =>
  !Object.keys(helps).some(help => `${file} ${within}`.startsWith(help))

/** The sources to mutate, by their paths. Subfolders hold freedoms and helps for tests. */
export const sources = (): readonly string[] =>
  readdirSync(referenceFolder)
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !(name in leftOut))
    .sort()
    .map(name => join(referenceFolder, name))

/** Only a served store runs through these. */
export const onlyServed = (file: string): boolean => file === 'serve.ts' || file === 'wire.ts'
