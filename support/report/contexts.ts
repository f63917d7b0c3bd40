import type { ReportedRule } from './report.ts'

/** The contexts in which rules are generated for every answer, by the end of the rule's id. */
const CONTEXTS = {
  'after-anything': 'after any other',
  'beside-anything': 'beside any other',
  'any-request': 'any form',
  'at-the-end': 'at the end',
} as const

export const contextTitles: readonly string[] = ['plain', ...Object.values(CONTEXTS)]

/** An answer of the document: its plain rule, and the same in each context. */
export interface ContextRow {
  readonly plain: ReportedRule
  readonly cells: readonly (ReportedRule | undefined)[]
}

/** The table answers × contexts of these rules. */
export function contextTable(rules: readonly ReportedRule[]): readonly ContextRow[] {
  const byId = new Map(rules.map(rule => [rule.id, rule]))
  return rules.flatMap(plain => {
    const cells = [plain, ...Object.keys(CONTEXTS).map(context => byId.get(`${plain.id}-${context}`))]
    return cells.slice(1).some(cell => cell !== undefined) ? [{ plain, cells }] : []
  })
}
