import { clauses, sections } from './clauses.ts'
import type { InterfaceDescription } from './description.ts'
import { errata } from './errata.ts'
import { operations } from './operations.ts'
import { profiles } from './profiles.ts'

/** The Store Service Interface, described for the engine. */
export const storeService = {
  name: 'Store Service Interface',
  version: '1.0.0',
  operations,
  clauses,
  sections,
  profiles,
  errata,
} as const satisfies InterfaceDescription
