import type { Erratum } from './description.ts'

/** Corrections of published rules, oldest first. Each applies to every profile that has the rule. */
export const errata: readonly Erratum[] = []
