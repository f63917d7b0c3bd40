import { commandFor } from '../command.ts'
import type { Finding } from '../reading.ts'
import type { ReportedRule } from '../report.ts'
import { capital, count, notMet, plural } from '../words.ts'
import { comparison } from './difference.ts'
import { exchangeView } from './exchange.ts'
import { mark, spokenMark } from './marks.ts'
import {
  clauseLink,
  clauseOf,
  type Facts,
  failureAnchor,
  filterable,
  operationLine,
  operationOf,
  ruleAnchor,
  sectionNumber,
} from './references.ts'
import { type Fragment, html } from './template.ts'
import { command, definitions, visible } from './text.ts'

/** With more findings, a list of contents comes first and the evidence is folded. */
const FEW = 5
/** With more findings, the list of contents is folded, too. */
const MANY = 30
/** Further exchanges are named by their entry of exchanges.har. */
const EXCHANGES_SHOWN = 6

/** The violations, from the strongest level to the weakest. */
export function failures(facts: Facts): Fragment {
  const { violations, report } = facts
  const rules = violations.flat().length
  const none =
    report.verdict === 'unreachable' ? 'Nothing could be judged.' : 'Nothing: no gating rule failed.'
  return html`<section id="failed" aria-labelledby="failed-title">
<div class="title"><h2 id="failed-title">Failed</h2><p>${rules === 0 ? none : `${plural(rules, 'gating rule')}.`}</p></div>
${findings(violations, facts, true)}
</section>`
}

/** Failures without effect on the verdict: expected ones, those of newer rules, and advice. */
export function withoutEffect(facts: Facts): Fragment | false {
  const { expected, newer, advice } = facts
  const quiet = [...expected.map(({ rule }): Finding<ReportedRule> => [rule]), ...newer, ...advice]
  if (quiet.length === 0) return false
  const kinds = [
    ...(expected.length > 0 ? [plural(expected.length, 'expected failure')] : []),
    ...(newer.length > 0 ? [`${plural(newer.flat().length, 'rule')} newer than the profile`] : []),
    ...(advice.length > 0 ? [`${plural(advice.flat().length, 'rule')} of advice`] : []),
  ]
  return html`<section id="advice" aria-labelledby="advice-title">
<div class="title"><h2 id="advice-title">Not met, without effect on the verdict</h2><p>${kinds.join(', ')}.</p></div>
${findings(quiet, facts, false)}
</section>`
}

const findings = (
  groups: readonly Finding<ReportedRule>[],
  facts: Facts,
  unfoldFirst: boolean,
): Fragment => html`${groups.length > FEW && contents(groups, facts)}
${groups.map((group, at) => findingView(group, facts, unfoldFirst && (at === 0 || groups.length <= FEW)))}`

const contents = (groups: readonly Finding<ReportedRule>[], facts: Facts): Fragment =>
  html`<details class="contents"${groups.length <= MANY && html` open`}><summary>In short</summary><ol>${groups.map(
    ([rule]) =>
      html`<li ${filterable(rule, facts)}>${mark(facts.standingOf(rule))}<a href="#${failureAnchor(rule.id)}">${visible(rule.title)}</a></li>`,
  )}</ol></details>`

/** A rule that is not met, with the same rule of other operations below it. @param unfolded whether the evidence is open */
function findingView([rule, ...others]: Finding<ReportedRule>, facts: Facts, unfolded: boolean): Fragment {
  const { expected, actual, message } = rule
  const standing = facts.standingOf(rule)
  const evidence = particulars(rule, facts)
  const headline =
    standing === 'advice' ? notMet(rule).replace('Not met', 'Advice not followed') : notMet(rule)
  return html`<article class="failure ${standing}" id="${failureAnchor(rule.id)}" aria-labelledby="${failureAnchor(rule.id)}-title" data-group>
<div ${filterable(rule, facts)}>
<h3 id="${failureAnchor(rule.id)}-title">${spokenMark(standing)} ${visible(headline)}</h3>
${place(rule, facts)}
${expected !== undefined && actual !== undefined ? comparison(expected, actual) : html`<p class="message">${visible(message ?? 'The report does not say how.')}</p>`}
${unfolded ? evidence : html`<details class="particulars"><summary>Reason, evidence, and how to run it again</summary>${evidence}</details>`}
</div>
${others.map(
  other =>
    html`<details class="also" id="${failureAnchor(other.id)}" ${filterable(other, facts)}><summary>The same: ${visible(other.title)}</summary>${place(other, facts)}${particulars(other, facts)}</details>`,
)}
</article>`
}

function place(rule: ReportedRule, { report }: Facts): Fragment {
  const operation = operationOf(report, rule)
  return html`<p class="place"><span class="badge ${rule.level}">${capital(rule.level)}</span> ${clauseLink(rule.clause)} ${operation.summary} ${operationLine(operation)} <a class="id" href="#${ruleAnchor(rule.id)}"><code>${visible(rule.id)}</code></a></p>`
}

const particulars = (rule: ReportedRule, facts: Facts): Fragment => html`${definitions('reasons', [
  ['Why it has no effect', rule.expectedFailure && excuse(rule.expectedFailure)],
  ['Why it is a rule', reason(rule, facts)],
  ['Usual cause', rule.usually !== undefined && visible(rule.usually)],
  ['Rules that wait for it', waiting(facts.waitingFor.get(rule.id) ?? [])],
  ['Smallest case that fails', rule.counterexample && counterexample(rule.counterexample)],
])}
${evidence(rule, facts)}
<p class="part">Run this rule again</p>
${command(commandFor(facts.report, rule), 'command')}`

function reason({ level, clause, because }: ReportedRule, { report }: Facts): Fragment {
  const says = clauseOf(report, clause)?.says
  const where = html`${sectionNumber(clause)}${says !== undefined && html`: <q>${says}</q>`}`
  return level === 'required'
    ? html`The document states it, in ${where}`
    : html`${because !== undefined && visible(because)} <span class="note">${where}</span>`
}

const excuse = ({ reason, owner, expires }: NonNullable<ReportedRule['expectedFailure']>): Fragment =>
  html`The failure is expected: ${visible(reason)} <span class="note">${visible(owner)}, until ${expires}</span>`

const waiting = (rules: readonly ReportedRule[]): Fragment | false =>
  rules.length > 0 &&
  html`${plural(rules.length, 'rule')} cannot be determined before this one passes: ${rules.map(
    ({ id }, at) => html`${at > 0 && ', '}<a href="#${ruleAnchor(id)}"><code>${visible(id)}</code></a>`,
  )}`

const counterexample = ({
  value,
  runSeed,
  seed,
  path,
  shrinks,
}: NonNullable<ReportedRule['counterexample']>): Fragment =>
  html`<code class="value">${visible(value, { limit: 4_000 })}</code>
<span class="note">Found after ${plural(shrinks, 'shrink')}${runSeed !== undefined && `, with seed ${runSeed}`}. In fast-check: seed ${String(seed)}, path ${path === '' ? 'none' : html`<code>${visible(path)}</code>`}</span>`

function evidence({ exchanges }: ReportedRule, { report }: Facts): Fragment | false {
  const known = exchanges.flatMap(index => report.exchanges[index] ?? [])
  if (known.length === 0) return false
  const rest = known.slice(EXCHANGES_SHOWN).map(({ index }) => count(index))
  return html`<p class="part">Evidence: ${plural(known.length, 'exchange')}</p>
${known.slice(0, EXCHANGES_SHOWN).map((exchange, at) => exchangeView(exchange, at === 0))}
${rest.length > 0 && html`<p class="note">Further entries of exchanges.har: ${rest.join(', ')}</p>`}`
}
