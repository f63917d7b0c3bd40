import type { Cause, Open } from '../reading.ts'
import type { ReportedRule } from '../report.ts'
import { capital, causeAdvice, count, OBSERVED, plural, serverErrorsText, serverErrorText } from '../words.ts'
import { exchangeView } from './exchange.ts'
import { spokenMark } from './marks.ts'
import {
  clauseLink,
  type Facts,
  filterable,
  observationAnchor,
  operationOf,
  placeOf,
  ruleAnchor,
} from './references.ts'
import { type Content, type Fragment, html } from './template.ts'
import { visible } from './text.ts'

/** A group with more rules is folded. */
const UNFOLDED = 6

/** Rules without a result, by what is needed to judge them. */
export function withoutResult(facts: Facts): Fragment {
  const { report, open, inapplicable } = facts
  if (report.verdict === 'unreachable')
    return section('Every rule, for the reason at the top of the page.', [])
  const having = (kind: Cause<ReportedRule>['kind']) => open.filter(({ cause }) => cause.kind === kind)
  const parts = [
    part('To be provided', having('need'), facts),
    part('Waiting for another rule', having('rule'), facts),
    part('Could not be determined', having('reason'), facts),
    part('Not applicable to this run', inapplicable, facts),
  ].filter(each => each !== false)
  return section(
    parts.length > 0
      ? 'These rules have no result: they neither passed nor failed.'
      : 'Nothing: every rule was judged.',
    parts,
  )
}

const section = (
  summary: string,
  parts: readonly Fragment[],
): Fragment => html`<section id="open" aria-labelledby="open-title">
<div class="title"><h2 id="open-title">Not tested or not determined</h2><p>${summary}</p></div>
${parts}
</section>`

function part(title: string, groups: readonly Open<ReportedRule>[], facts: Facts): Fragment | false {
  if (groups.length === 0) return false
  return html`<div class="part-of-open" data-group><h3>${title}</h3>
<ul class="groups">${groups.map(group => groupView(group, facts))}</ul></div>`
}

function groupView({ cause, rules, gating }: Open<ReportedRule>, facts: Facts): Fragment {
  const { title, note } = causeView(cause)
  const words = `${plural(rules.length, 'rule')}${gating < rules.length ? `, ${gating} of which ${gating === 1 ? 'gates' : 'gate'}` : ''}`
  const list = html`<ul class="rules">${rules.map(
    rule =>
      html`<li ${filterable(rule, facts)}>${spokenMark(facts.standingOf(rule))}<a href="#${ruleAnchor(rule.id)}">${visible(rule.title)}</a></li>`,
  )}</ul>`
  const folded = html`<details${rules.length <= UNFOLDED && html` open`}><summary>${words}</summary>${list}</details>`
  return html`<li data-group><div><p class="need">${title}</p>${note && html`<p class="note">${note}</p>`}</div>
${rules.length === 1 ? list : folded}</li>`
}

function causeView(cause: Cause<ReportedRule>): { readonly title: Content; readonly note?: Content } {
  switch (cause.kind) {
    case 'rule':
      return {
        title: cause.root
          ? html`<a href="#${placeOf(cause.root)}">${visible(cause.root.title)}</a>`
          : visible(cause.id),
        note: `${capital(causeAdvice(cause))}.`,
      }
    case 'need':
      return {
        title: visible(capital(cause.text)),
        note:
          cause.reasons.length > 0 &&
          cause.reasons.map((each, at) => html`${at > 0 && '; '}${visible(capital(each))}`),
      }
    case 'reason':
      return { title: visible(capital(cause.text)) }
  }
}

/** What this store does where the document leaves it open. It is recorded and never judged. */
export const observations = ({
  report,
}: Facts): Fragment => html`<section id="observed" aria-labelledby="observed-title">
<div class="title"><h2 id="observed-title">${OBSERVED}</h2><p>${
  report.observations.length > 0
    ? `${plural(report.observations.length, 'question')} that the document does not answer, and what this store does. This is recorded, not judged.`
    : 'Nothing was recorded.'
}</p></div>
${report.observations.length > 0 && observationTable(report)}
</section>`

const observationTable = (report: Facts['report']): Fragment => html`<table class="observed" role="table">
<caption class="unseen">What the store does where the document leaves it open</caption>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Question</th><th scope="col" role="columnheader">This store</th><th scope="col" role="columnheader">Where</th></tr></thead>
<tbody role="rowgroup">${report.observations.map(
  ({ id, title, saw, clause, operation }) =>
    html`<tr role="row" id="${observationAnchor(id)}"><th scope="row" role="rowheader">${visible(title)}</th><td role="cell"><span class="saw">${visible(saw)}</span></td><td role="cell" class="where">${clauseLink(clause)} ${operationOf(report, { operation }).summary}</td></tr>`,
)}</tbody></table>`

/** Responses with 5xx, with the first request of each kind, whether a rule judged it or not. */
export function serverErrors({ report }: Facts): Fragment | false {
  const title = serverErrorsText(report)
  if (title === '') return false
  return html`<section id="crashed" aria-labelledby="crashed-title">
<div class="title"><h2 id="crashed-title">Server errors</h2><p>${title}. A server error is an error of the store, whatever the request was.</p></div>
${report.serverErrors.map(each => {
  const first = report.exchanges[each.exchanges[0] ?? -1]
  return html`<p class="need">${visible(serverErrorText(each))}</p>${first && exchangeView(first, false)}`
})}
</section>`
}

export function responseTimes({ report }: Facts): Fragment | false {
  if (report.latency.length === 0) return false
  const heads = ['Operation', 'Requests', 'Median', '90 %', '99 %', 'Longest']
  return html`<section id="times" aria-labelledby="times-title">
<div class="title"><h2 id="times-title">Response times</h2><p>In milliseconds. They have no effect on the verdict.</p></div>
<table class="times"><thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${report.latency.map(
    ({ operation, requests, p50Ms, p90Ms, p99Ms, maxMs }) =>
      html`<tr><th scope="row">${operation}</th>${[requests, p50Ms, p90Ms, p99Ms, maxMs].map(each => html`<td>${count(each)}</td>`)}</tr>`,
  )}</tbody></table>
</section>`
}

export const warningsOf = ({ warnings, expectedFailures }: Facts['report']): readonly string[] => [
  ...(expectedFailures?.stale ?? []).map(({ message }) => `Expected failure out of date: ${message}`),
  ...warnings,
]

export const warnings = ({ report }: Facts): Fragment | false =>
  warningsOf(report).length > 0 &&
  html`<section id="warnings" aria-labelledby="warnings-title">
<div class="title"><h2 id="warnings-title">Warnings</h2><p>Problems that are not part of the judgement.</p></div>
<ul class="warnings">${warningsOf(report).map(warning => html`<li>${visible(warning, { limit: 4_000 })}</li>`)}</ul>
</section>`
