import { sectionOf } from '../../interface/description.ts'
import { commandFor } from '../command.ts'
import type { Finding } from '../reading.ts'
import type { ReportedRule } from '../report.ts'
import { capital, count, notMet, plural } from '../words.ts'
import { exchangeView } from './exchange.ts'
import { command, definitions, type Fragment, html, spokenMark, visible } from './markup.ts'
import {
  clauseLink,
  type Facts,
  failureAnchor,
  operationLine,
  operationOf,
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
  const quiet = [...expected.map(({ rule }): Finding => [rule]), ...newer, ...advice]
  if (quiet.length === 0) return false
  const kinds = [
    ...(expected.length > 0 ? [plural(expected.length, 'expected failure')] : []),
    ...(newer.length > 0 ? [`${plural(newer.flat().length, 'rule')} newer than the profile`] : []),
    ...(advice.length > 0 ? [`${plural(advice.flat().length, 'rule')} of advice`] : []),
  ]
  return html`<section id="advice" aria-labelledby="advice-title">
<h2 id="advice-title">Not met, without effect on the verdict</h2>
<p class="note">${kinds.join(', ')}.</p>
${quiet.map(group => findingView(group, facts, false))}
</section>`
}

/** A rule that is not met, with the same rule of other operations in it. */
function findingView([rule, ...others]: Finding, facts: Facts, open: boolean): Fragment {
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
  return html`<p class="place"><span class="badge ${rule.level}">${capital(rule.level)}</span> ${clauseLink(rule.clause)} ${operationLine(operation)} <a class="id" href="#${ruleAnchor(rule.id)}"><code>${visible(rule.id)}</code></a>${waits.length > 0 && html` <b>${plural(waits.length, 'rule waits', 'rules wait')} for it</b>`}</p>
${
  expected !== undefined && actual !== undefined
    ? html`<dl class="comparison"><div><dt>Expected</dt><dd>${visible(expected, { limit: 600 })}</dd></div><div><dt>Got</dt><dd>${visible(actual, { limit: 600 })}</dd></div></dl>`
    : html`<p class="message">${visible(message ?? 'The report does not say how.')}</p>`
}
${known.slice(0, EXCHANGES_SHOWN).map((exchange, at) => exchangeView(exchange, at === 0))}
${further.length > 0 && html`<p class="note">Further entries of exchanges.har: ${further.join(', ')}</p>`}
${definitions('reasons', [
  ['Why it has no effect', rule.expectedFailure && excuse(rule.expectedFailure)],
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

const excuse = ({ reason, owner, expires }: NonNullable<ReportedRule['expectedFailure']>): Fragment =>
  html`The failure is expected: ${visible(reason)} <span class="note">${visible(owner)}, until ${expires}</span>`

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
