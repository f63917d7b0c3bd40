import type { ReportedRule } from '../report.ts'
import { type Facts, groupBy, isGating } from './facts.ts'
import { spokenMark } from './marks.ts'
import { filterable, placeOf, ruleAnchor } from './references.ts'
import { type Content, type Fragment, html } from './template.ts'
import { capital, plural, visible } from './text.ts'

const UNFOLDED = 6

interface Group {
  readonly title: Content
  readonly note?: Content
  readonly rules: readonly ReportedRule[]
}

/** What could not be tested or told, by what would answer it. */
export function unanswered(facts: Facts): Fragment {
  const { report } = facts
  if (report.verdict === 'unreachable')
    return section('Every rule, for one reason: it stands at the top.', [])
  const having = (outcome: ReportedRule['outcome']) => report.rules.filter(rule => rule.outcome === outcome)
  const untested = having('untested')
  const blocked = new Set([...facts.waitingFor.values()].flat())
  const alone = having('cantTell').filter(rule => !blocked.has(rule))
  const parts = [
    part('To be provided', byNeed(untested.filter(rule => !blocked.has(rule))), facts),
    part('Waiting for another rule', byRoot(facts), facts),
    part('Could not be told', byMessage(alone), facts),
    part(
      'Does not apply to this run',
      byMessage(having('inapplicable').filter(rule => !blocked.has(rule))),
      facts,
    ),
  ].filter(each => each !== false)
  return section(
    parts.length > 0
      ? 'None of this speaks against the store; none of it speaks for it.'
      : 'Nothing: every rule was judged.',
    parts,
  )
}

const section = (
  summary: string,
  parts: readonly Fragment[],
): Fragment => html`<section id="open" aria-labelledby="open-title">
<div class="title"><h2 id="open-title">What could not be tested or told</h2><p>${summary}</p></div>
${parts}
</section>`

const byNeed = (rules: readonly ReportedRule[]): Group[] =>
  [...groupBy(rules, ({ need, message }) => need ?? message ?? '')].map(([need, group]) => {
    const causes = [...new Set(group.map(({ message }) => message))].filter(
      each => each !== undefined && !need.includes(each),
    )
    return {
      title: visible(capital(need || 'No cause is recorded')),
      note:
        causes.length > 0 &&
        causes.map((cause, at) => html`${at > 0 && '; '}${visible(capital(cause ?? ''))}`),
      rules: group,
    }
  })

const byMessage = (rules: readonly ReportedRule[]): Group[] =>
  [...groupBy(rules, ({ message }) => message ?? 'no cause is recorded')].map(([message, group]) => ({
    title: visible(capital(message)),
    rules: group,
  }))

const byRoot = ({ waitingFor, byId }: Facts): Group[] =>
  [...waitingFor].map(([id, rules]) => {
    const root = byId.get(id)
    return {
      title: root ? html`<a href="#${placeOf(root)}">${visible(root.title)}</a>` : visible(id),
      note: root?.outcome === 'failed' ? 'It failed: mend that first.' : 'It was not answered itself.',
      rules,
    }
  })

function part(title: string, groups: readonly Group[], facts: Facts): Fragment | false {
  if (groups.length === 0) return false
  const weight = ({ rules }: Group) => rules.filter(rule => isGating(rule, facts.report)).length
  const sorted = [...groups].sort((a, b) => weight(b) - weight(a))
  return html`<div class="part-of-open" data-group><h3>${title}</h3>
<ul class="groups">${sorted.map(group => groupView(group, weight(group)))}</ul></div>`
}

function groupView({ title, note, rules }: Group, gating: number): Fragment {
  const words = `${plural(rules.length, 'rule')}${gating < rules.length ? `, ${gating} of which gate` : ''}`
  const list = html`<ul class="rules">${rules.map(
    rule =>
      html`<li ${filterable(rule)}>${spokenMark(rule.outcome)}<a href="#${ruleAnchor(rule.id)}">${visible(rule.title)}</a></li>`,
  )}</ul>`
  const folded = html`<details${rules.length <= UNFOLDED && html` open`}><summary>${words}</summary>${list}</details>`
  return html`<li data-group><div><p class="need">${title}</p>${note && html`<p class="note">${note}</p>`}</div>
${rules.length === 1 ? list : folded}</li>`
}
