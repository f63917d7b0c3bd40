import type { Open } from '../reading.ts'
import { causeText, OBSERVED, plural } from '../words.ts'
import { definitions, type Fragment, folded, html, spokenMark, visible } from './markup.ts'
import { clauseLink, type Facts, observationAnchor, operationOf, placeOf, ruleAnchor } from './references.ts'

/** A group with more rules is folded. */
const UNFOLDED = 3

/** Rules without a result, by what is needed to judge them. */
export const withoutResult = (facts: Facts): Fragment | false =>
  facts.open.length > 0 &&
  html`<section id="open" aria-labelledby="open-title">
<h2 id="open-title">No result</h2>
${groupsView(facts.open, facts)}
</section>`

export const notApplicable = (facts: Facts): Fragment | false =>
  facts.inapplicable.length > 0 &&
  folded(
    'inapplicable',
    'Not applicable',
    plural(facts.inapplicable.flatMap(({ rules }) => rules).length, 'rule'),
    groupsView(facts.inapplicable, facts),
  )

const groupsView = (groups: readonly Open[], facts: Facts): Fragment =>
  html`<ul class="groups">${groups.map(group => groupView(group, facts))}</ul>`

function groupView(group: Open, facts: Facts): Fragment {
  const { cause, rules, gating } = group
  const root = cause.kind === 'rule' ? cause.root : undefined
  const text = visible(causeText(group))
  const words = `${plural(rules.length, 'rule')}${gating < rules.length ? `, ${gating} of which ${gating === 1 ? 'gates' : 'gate'}` : ''}`
  return html`<li><p class="need">${root ? html`<a href="#${placeOf(root)}">${text}</a>` : text}</p>
<details${rules.length <= UNFOLDED && html` open`}><summary>${words}</summary><ul class="list">${rules.map(
    rule =>
      html`<li>${spokenMark(facts.standingOf(rule))}<a href="#${ruleAnchor(rule.id)}">${visible(rule.title)}</a></li>`,
  )}</ul></details></li>`
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
