import { commandFor } from '../command.ts'
import type { ReportedRule } from '../report.ts'
import { command, definitions } from './code.ts'
import { comparison } from './comparison.ts'
import { exchangeView } from './exchange.ts'
import { clauseOf, type Facts, operationOf } from './facts.ts'
import { spokenMark } from './marks.ts'
import {
  clauseLink,
  failureAnchor,
  filterable,
  operationLine,
  ruleAnchor,
  sectionNumber,
} from './references.ts'
import { type Fragment, html } from './template.ts'
import { capital, count, plural, visible } from './text.ts'

/** Further ones are named; the record has them. */
const EXCHANGES_SHOWN = 6

interface Look {
  readonly gating: boolean
  /** Whether everything shows from the start. */
  readonly unfolded: boolean
}

/** A violation: what should have been, what was, and how to see it again. */
export function failureView(rule: ReportedRule, facts: Facts, { gating, unfolded }: Look): Fragment {
  const { expected, actual, message } = rule
  const operation = operationOf(facts.report, rule)
  return html`<article class="failure ${!gating && 'quiet'}" id="${failureAnchor(rule.id)}" aria-labelledby="${failureAnchor(rule.id)}-title" ${filterable(rule)}>
<h3 id="${failureAnchor(rule.id)}-title">${spokenMark('failed', gating)} ${visible(rule.title)}</h3>
<p class="place"><span class="badge ${rule.level}">${capital(rule.level)}</span> ${clauseLink(rule.clause)} ${operation.summary} ${operationLine(operation)} <a class="id" href="#${ruleAnchor(rule.id)}"><code>${visible(rule.id)}</code></a></p>
${expected !== undefined && actual !== undefined ? comparison(expected, actual) : html`<p class="message">${visible(message ?? 'The record does not say how.')}</p>`}
${unfolded ? particulars(rule, facts, gating) : html`<details class="particulars"><summary>Why, the evidence, and how to run it again</summary>${particulars(rule, facts, gating)}</details>`}
</article>`
}

const particulars = (rule: ReportedRule, facts: Facts, gating: boolean): Fragment => html`${definitions(
  'reasons',
  [
    ['Why it does not count', rule.expectedFailure && excuse(rule.expectedFailure)],
    [gating || rule.expectedFailure ? 'Why it is a rule' : 'Why it is asked for', reason(rule, facts)],
    ['What usually causes it', rule.usually !== undefined && visible(rule.usually)],
    ['What waits for it', waiting(facts.waitingFor.get(rule.id) ?? [])],
    ['Smallest case that fails', rule.counterexample && counterexample(rule.counterexample)],
  ],
)}
${evidence(rule, facts)}
<p class="part">Run this rule again</p>
${command(commandFor(facts.report, rule), 'command')}`

function reason({ level, clause, because }: ReportedRule, { report }: Facts): Fragment {
  const says = clauseOf(report, clause)?.says
  const place = html`${sectionNumber(clause)}${says !== undefined && html`: <q>${says}</q>`}`
  return level === 'required'
    ? html`The document states it, in ${place}`
    : html`${because !== undefined && visible(because)} <span class="note">${place}</span>`
}

const excuse = ({ reason, owner, expires }: NonNullable<ReportedRule['expectedFailure']>): Fragment =>
  html`It is known: ${visible(reason)} <span class="note">${visible(owner)}, until ${expires}</span>`

const waiting = (rules: readonly ReportedRule[]): Fragment | false =>
  rules.length > 0 &&
  html`${plural(rules.length, 'further rule')} can’t be told before this one holds: ${rules.map(
    ({ id }, at) => html`${at > 0 && ', '}<a href="#${ruleAnchor(id)}"><code>${visible(id)}</code></a>`,
  )}`

const counterexample = ({
  value,
  seed,
  path,
  shrinks,
}: NonNullable<ReportedRule['counterexample']>): Fragment =>
  html`<code class="value">${visible(value, { limit: 4_000 })}</code>
<span class="note">Seed ${String(seed)}, path ${path === '' ? 'none' : html`<code>${visible(path)}</code>`}, found after ${plural(shrinks, 'shrink')}</span>`

function evidence({ exchanges }: ReportedRule, { report }: Facts): Fragment | false {
  const known = exchanges.flatMap(index => report.exchanges[index] ?? [])
  if (known.length === 0) return false
  const rest = known.slice(EXCHANGES_SHOWN).map(({ index }) => count(index))
  return html`<p class="part">Evidence: ${plural(known.length, 'exchange')}</p>
${known.slice(0, EXCHANGES_SHOWN).map((exchange, at) => exchangeView(exchange, at === 0))}
${rest.length > 0 && html`<p class="note">Further entries of exchanges.har: ${rest.join(', ')}</p>`}`
}
