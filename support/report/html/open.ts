import type { Cause, Open } from '../reading.ts'
import type { ReportedRule } from '../report.ts'
import { capital, causeAdvice, OBSERVED, plural } from '../words.ts'
import { type Content, definitions, type Fragment, folded, html, spokenMark, visible } from './markup.ts'
import { clauseLink, type Facts, observationAnchor, operationOf, placeOf, ruleAnchor } from './references.ts'

/** A group with more rules is folded. */
const UNFOLDED = 3

/** Rules without a result, by what is needed to judge them. */
export function withoutResult(facts: Facts): Fragment | false {
  const { open } = facts
  if (open.length === 0) return false
  const having = (kind: Cause<ReportedRule>['kind']) => open.filter(({ cause }) => cause.kind === kind)
  return html`<section id="open" aria-labelledby="open-title">
<h2 id="open-title">No result</h2>
<p class="note">These rules neither passed nor failed.</p>
${part('To be provided', having('need'), facts)}
${part('Waiting for another rule', having('rule'), facts)}
${part('Could not be determined', having('reason'), facts)}
</section>`
}

export const notApplicable = (facts: Facts): Fragment | false =>
  facts.inapplicable.length > 0 &&
  folded('inapplicable', 'Not applicable', rulesIn(facts.inapplicable), groupsView(facts.inapplicable, facts))

const rulesIn = (groups: readonly Open<ReportedRule>[]): string =>
  plural(
    groups.reduce((sum, { rules }) => sum + rules.length, 0),
    'rule',
  )

const part = (title: string, groups: readonly Open<ReportedRule>[], facts: Facts): Fragment | false =>
  groups.length > 0 &&
  html`<h3>${title}</h3>
${groupsView(groups, facts)}`

const groupsView = (groups: readonly Open<ReportedRule>[], facts: Facts): Fragment =>
  html`<ul class="groups">${groups.map(group => groupView(group, facts))}</ul>`

function groupView({ cause, rules, gating }: Open<ReportedRule>, facts: Facts): Fragment {
  const { title, note } = causeView(cause)
  const words = `${plural(rules.length, 'rule')}${gating < rules.length ? `, ${gating} of which ${gating === 1 ? 'gates' : 'gate'}` : ''}`
  return html`<li><div><p class="need">${title}</p>${note && html`<p class="note">${note}</p>`}</div>
<details${rules.length <= UNFOLDED && html` open`}><summary>${words}</summary><ul class="list">${rules.map(
    rule =>
      html`<li>${spokenMark(facts.standingOf(rule))}<a href="#${ruleAnchor(rule.id)}">${visible(rule.title)}</a></li>`,
  )}</ul></details></li>`
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
export const observations = ({ report }: Facts): Fragment =>
  folded(
    'observed',
    OBSERVED,
    `${plural(report.observations.length, 'question')} that the document does not answer, and what this store does`,
    definitions(
      'observed',
      report.observations.map(each => [
        html`<span id="${observationAnchor(each.id)}">${visible(each.title)}</span> <span class="note">${clauseLink(each.clause)} ${operationOf(report, each).summary}</span>`,
        html`<code>${visible(each.saw)}</code>`,
      ]),
    ),
  )
