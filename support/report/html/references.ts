import { type OperationDescription, sectionOf } from '../../interface/description.ts'
import { type Reading, readingOf } from '../reading.ts'
import type { Report, ReportedRule } from '../report.ts'
import { type Fragment, html } from './markup.ts'

/** The input of every part of the page: the report with its classified rules. */
export interface Facts extends Reading {
  readonly report: Report
}

export const factsOf = (report: Report): Facts => ({ ...readingOf(report), report })

/** The operation of a rule or observation. The report contains the interface, so the operation is known. */
export const operationOf = (
  { description: { operations } }: Pick<Report, 'description'>,
  { operation }: Pick<ReportedRule, 'operation'>,
): OperationDescription => operations[operation] as OperationDescription

export const ruleAnchor = (id: string): string => `rule-${id}`
export const failureAnchor = (id: string): string => `failed-${id}`
export const clauseAnchor = (id: string): string => `clause-${id}`
export const observationAnchor = (id: string): string => `observed-${id}`

/** The anchor with the most detail about a rule. */
export const placeOf = ({ id, outcome }: ReportedRule): string =>
  outcome === 'failed' ? failureAnchor(id) : ruleAnchor(id)

export const clauseLink = (clause: string): Fragment =>
  html`<a href="#${clauseAnchor(clause)}">${sectionOf(clause)}</a>`

export function operationLine({ method, path }: OperationDescription): Fragment {
  const segments = path.split('/').map((segment, at) => html`${at > 0 && html`/<wbr>`}${segment}`)
  return html`<code class="operation">${method} ${segments}</code>`
}
