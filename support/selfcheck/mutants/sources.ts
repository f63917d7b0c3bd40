import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './mutant.ts'

export const referenceFolder = fileURLToPath(new URL('../../reference/', import.meta.url))

/** Files of the folder that are not mutated, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  'changes.ts': 'used by faults',
  'fault.ts': 'types',
  'decisions.ts': 'types, and the application of overrides',
  'context.ts': 'types, and a function for faults',
  'index.ts': 'exports only',
  'authoring.ts': 'exports only',
  'fetch.ts': 'for frameworks and test tools, never called by a judge',
  'demo.ts': 'demo data',
  'provisioning.ts': 'ids of arranged orders and pets',
  'states.ts': 'provider states, which belong to the test',
  'states-endpoint.ts': 'provider states, which belong to the test',
  'parameters.ts': 'provider states, which belong to the test',
}

/** Beginnings of the keys of mutants that are left out for the same reasons. */
const leftOutDeclarations: Readonly<Record<string, string>> = {
  'answer.ts withHeader': 'used by faults',
  'answer.ts withBody': 'used by faults',
  'answer.ts withStatus': 'used by faults',
  'answer.ts bodyText': 'used by faults',
  'wire.ts messageOf': 'used by faults',
  'receive.ts STATES_PATH': 'provider states, which belong to the test',
}

export const isStore = ({ file, within }: Pick<Mutant, 'file' | 'within'>): boolean =>
  !Object.keys(leftOutDeclarations).some(key => `${file} ${within}`.startsWith(key))

/** Paths of the sources to mutate. Subfolders contain freedoms and parts of tests. */
export const sources = (): readonly string[] =>
  readdirSync(referenceFolder)
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !(name in leftOut))
    .sort()
    .map(name => join(referenceFolder, name))

/** Files that only a store behind a port uses. */
export const onlyServed = (file: string): boolean => file === 'serve.ts' || file === 'wire.ts'
