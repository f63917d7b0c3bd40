import { sectionOf } from '../../interface/description.ts'
import type { FailureGroup, Open } from '../reading.ts'
import type { ReportedRule } from '../report.ts'
import {
  capital,
  causeText,
  commandFor,
  count,
  excuseText,
  notMet,
  OBSERVED,
  plural,
  waitingText,
} from '../words.ts'
import { exchangeView } from './exchange.ts'
import { command, definitions, type Fragment, folded, html, spokenMark, visible } from './markup.ts'
import {
  clauseLink,
  type Facts,
  failureAnchor,
  observationAnchor,
  operationLine,
  operationOf,
  placeOf,
  ruleAnchor,
} from './references.ts'

/** Further exchanges are named by their entry of exchanges.har. */
const EXCHANGES_SHOWN = 6
/** Rules that are named in a failure for which they wait. */
const NAMED = 8

/** The violations: the first one whole, the others as lines that open. */
export const failures = (facts: Facts): Fragment | false =>
  facts.violations.length > 0 &&
  html`<section id="failed" aria-labelledby="failed-title">
<h2 id="failed-title">${facts.violations.length === 1 ? 'Fix this' : 'Fix this first'}</h2>
${facts.violations.map((group, at) => findingView(group, facts, at === 0))}
</section>`

/** Failures without effect on the verdict: expected ones, those of newer rules, and advice. */
export function withoutEffect(facts: Facts): Fragment | false {
  const { expected, newer, advice } = facts
  const quiet = [...expected.map(({ rule }): FailureGroup => [rule]), ...newer, ...advice]
  return (
    quiet.length > 0 &&
    html`<section id="advice" aria-labelledby="advice-title">
<h2 id="advice-title">Not met, without effect on the verdict</h2>
${quiet.map(group => findingView(group, facts, false))}
</section>`
  )
}

/** A rule that is not met, with the same rule of other operations in it. */
function findingView([rule, ...others]: FailureGroup, facts: Facts, open: boolean): Fragment {
  const standing = facts.standingOf(rule)
  const headline =
    standing === 'advice' ? notMet(rule).replace('Not met', 'Advice not followed') : notMet(rule)
  return html`<details class="failure ${standing}" id="${failureAnchor(rule.id)}"${open && html` open`}>
<summary><h3>${spokenMark(standing)} ${visible(headline)}</h3> <span class="brief">${visible(rule.message ?? '', { limit: 120 })}</span></summary>
${evidence(rule, facts)}
${others.map(
  other =>
    html`<details class="also" id="${failureAnchor(other.id)}"><summary>The same: ${visible(other.title)}</summary>${evidence(other, facts)}</details>`,
)}
</details>`
}

/** Expected and got, and everything else that a reader needs to fix it. */
function evidence(rule: ReportedRule, facts: Facts): Fragment {
  const { expected, actual, message } = rule
  const operation = operationOf(facts.report, rule)
  const known = rule.exchanges.flatMap(index => facts.report.exchanges[index] ?? [])
  const waits = facts.waitingFor.get(rule.id) ?? []
  const further = known.slice(EXCHANGES_SHOWN).map(({ index }) => count(index))
  return html`<p class="place"><span class="badge ${rule.level}">${capital(rule.level)}</span> ${clauseLink(rule.clause)} ${operationLine(operation)} <a class="id" href="#${ruleAnchor(rule.id)}"><code>${visible(rule.id)}</code></a>${waits.length > 0 && html` <b>${waitingText(waits.length)}</b>`}</p>
${
  expected !== undefined && actual !== undefined
    ? html`<dl class="comparison"><div><dt>Expected</dt><dd>${visible(expected, { limit: 600 })}</dd></div><div><dt>Got</dt><dd>${visible(actual, { limit: 600 })}</dd></div></dl>`
    : html`<p class="message">${visible(message ?? 'The report does not say how.')}</p>`
}
${known.slice(0, EXCHANGES_SHOWN).map((exchange, at) => exchangeView(exchange, at === 0))}
${further.length > 0 && html`<p class="note">Further entries of exchanges.har: ${further.join(', ')}</p>`}
${definitions('reasons', [
  ['Why it has no effect', rule.expectedFailure && visible(capital(excuseText(rule.expectedFailure)))],
  ['Usual cause', rule.usually !== undefined && visible(rule.usually)],
  ['Smallest case that fails', rule.counterexample && counterexample(rule.counterexample)],
  ['Why it is a rule', reason(rule, facts)],
  ['Rules that wait for it', waits.length > 0 && waiting(waits)],
  ['Run this rule again', command(commandFor(facts.report, rule), 'command')],
])}`
}

function reason({ level, clause, because }: ReportedRule, { report }: Facts): Fragment {
  const says = report.description.clauses[clause]?.says
  const where = html`${sectionOf(clause)}${says !== undefined && html`: <q>${says}</q>`}`
  return level === 'required'
    ? html`The document states it, in ${where}`
    : html`${because !== undefined && visible(because)} <span class="note">${where}</span>`
}

const waiting = (rules: readonly ReportedRule[]): Fragment =>
  html`${rules
    .slice(0, NAMED)
    .map(
      ({ id }, at) => html`${at > 0 && ', '}<a href="#${ruleAnchor(id)}"><code>${visible(id)}</code></a>`,
    )}${rules.length > NAMED && ', …'}`

const counterexample = ({
  value,
  runSeed,
  seed,
  path,
  shrinks,
}: NonNullable<ReportedRule['counterexample']>): Fragment =>
  html`<code class="value">${visible(value, { limit: 4_000 })}</code>
<span class="note">Found after ${plural(shrinks, 'shrink')}${runSeed !== undefined && `, with seed ${runSeed}`}. In fast-check: seed ${String(seed)}, path ${path === '' ? 'none' : html`<code>${visible(path)}</code>`}</span>`

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
  const { root, rules, gating } = group
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
