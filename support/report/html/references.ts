import type { OperationDescription } from '../../interface/description.ts'
import type { ReportedRule } from '../report.ts'
import { type Fragment, html } from './template.ts'

/** Where the ledger has a rule, and where the evidence of a failed one stands. */
export const ruleAnchor = (id: string): string => `rule-${id}`
export const failureAnchor = (id: string): string => `failed-${id}`
export const clauseAnchor = (id: string): string => `clause-${id}`
export const observationAnchor = (id: string): string => `observed-${id}`

/** The place that says most about a rule. */
export const placeOf = ({ id, outcome }: ReportedRule): string =>
  outcome === 'failed' ? failureAnchor(id) : ruleAnchor(id)

export const sectionNumber = (clause: string): string => `§${clause.split('/')[0]}`

export const clauseLink = (clause: string): Fragment =>
  html`<a class="clause-link" href="#${clauseAnchor(clause)}">${sectionNumber(clause)}</a>`

export function operationLine({ method, path }: OperationDescription): Fragment {
  const segments = path.split('/').map((segment, at) => html`${at > 0 && html`/<wbr>`}${segment}`)
  return html`<code class="operation">${method} ${segments}</code>`
}

/** What the filter looks at; each place where a rule stands carries it. */
export const filterable = ({ id, outcome, level, operation }: ReportedRule): Fragment =>
  html`data-rule="${id}" data-outcome="${outcome}" data-level="${level}" data-operation="${operation}"`
