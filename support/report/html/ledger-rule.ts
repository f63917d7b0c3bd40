import type { ReportedRule } from '../report.ts'
import { type Facts, isGating, operationOf } from './facts.ts'
import { spokenMark } from './marks.ts'
import { failureAnchor, filterable, ruleAnchor } from './references.ts'
import { type Content, type Fragment, html } from './template.ts'
import { capital, visible } from './text.ts'
import { outcomeWords } from './words.ts'

/** A rule in the ledger, where every rule stands once. What kept all of them from being judged is not said by each. */
export const ledgerRule = (rule: ReportedRule, { report }: Facts): Fragment =>
  html`<li class="rule" id="${ruleAnchor(rule.id)}" ${filterable(rule)}>
${spokenMark(rule.outcome, isGating(rule, report))}
<div><p>${visible(rule.title)}</p>
<p class="meta"><code>${visible(rule.id)}</code> <span>${operationOf(report, rule).summary}</span> <span>${capital(rule.level)}${
    rule.because !== undefined && html`: ${visible(rule.because)}`
  }</span></p>
${rule.outcome !== 'passed' && report.verdict !== 'unreachable' && html`<p class="why">${why(rule)}</p>`}</div>
</li>`

function why({ id, outcome, message, need }: ReportedRule): Content {
  const said = visible(message ?? '')
  if (outcome === 'failed')
    return html`<strong>Failed:</strong> ${said} <a href="#${failureAnchor(id)}">the evidence</a>`
  return html`<strong>${capital(outcomeWords[outcome])}:</strong> ${said}${need !== undefined && html`. ${visible(capital(need))}`}`
}
