import type { InterfaceUnderTest } from '../judge/interface.ts'
import { code, type Fragment, html, pageOf } from '../report/html/markup.ts'
import { plural } from '../report/words.ts'
import type { Findings } from './findings.ts'
import type { TaskResult } from './prove.ts'

/** `selfcheck.html`: which rule detects which fault. */
export function selfcheckHtml(findings: Findings, subject: InterfaceUnderTest): string {
  const { faults, killed, freedoms, flagged, rules, gaps, results, seed } = findings
  const body = html`<header class="masthead"><p class="note">${subject.name} ${subject.version}, self-check of the suite</p>
<h1>${killed} of ${plural(faults, 'fault')} detected, ${freedoms - flagged} of ${plural(freedoms, 'freedom')} accepted</h1>
<p>The suite has ${plural(rules, 'rule')}. This page shows that each of them can fail, and that none fails without a reason: the suite
judges its own reference store many times, each time with one change.</p></header>
<main>
${gaps.length > 0 && html`<section aria-labelledby="gaps"><h2 id="gaps">Gaps</h2><ul class="warnings">${gaps.map(gap => html`<li>${gap}</li>`)}</ul></section>`}
${section('fault', results)}
${section('freedom', results)}
</main>
<footer><p>Seed ${seed}. For programs: selfcheck.json.</p></footer>`
  return pageOf({ title: `Self-check: ${killed} of ${faults} faults detected`, body })
}

const introductions = {
  fault: html`A fault is a change that violates the interface, such as <q>a shipped order is cancelled</q>. The rules that are about it must
fail, and no other rule may. Then it is <b>detected</b>.`,
  freedom: html`A freedom is a change that the interface leaves open, such as other status values. No rule may fail. Then it is <b>accepted</b>.`,
}

function section(kind: TaskResult['kind'], results: readonly TaskResult[]): Fragment | false {
  const rows = results.filter(result => result.kind === kind)
  if (rows.length === 0) return false
  return html`<section aria-labelledby="${kind}"><h2 id="${kind}">${kind === 'fault' ? 'Faults' : 'Freedoms'}</h2>
<p>${introductions[kind]}</p>
<table class="selfcheck"><thead><tr><th scope="col">What the store does</th><th scope="col">Result</th></tr></thead>
<tbody>${rows.map(rowView)}</tbody></table></section>`
}

const rowView = (
  row: TaskResult,
): Fragment => html`<tr class="${!row.good && 'bad'}" id="${row.kind}-${row.mode}-${row.id}"><th scope="row">${row.title}
<span class="note">${code(row.id)}${row.mode === 'named' && ', with named ids'}</span></th>
<td>${outcomeOf(row)}${row.red.length > 0 && row.good && html`: ${row.red.map((id, at) => html`${at > 0 && ', '}${code(id)}`)}`}</td></tr>
`

/** The result in words. */
export function outcomeOf(result: TaskResult): string {
  const { kind, id, title, good, outOfReach, missing, collateral, cantTell, untested } = result
  if (outOfReach !== undefined) return `out of reach: ${outOfReach}`
  if (good) return kind === 'fault' ? 'detected' : 'accepted'
  const isFreedom = kind === 'freedom'
  const parts: [text: string, rules: readonly string[]][] = [
    ['should fail, but did not', missing],
    ['failed, but should not', collateral],
    ['could not be determined', isFreedom ? cantTell : []],
    ['not tested', isFreedom ? untested : []],
  ]
  const wrong = parts.flatMap(([text, rules]) => (rules.length > 0 ? [`${text}: ${rules.join(', ')}`] : []))
  if (wrong.length > 0) return wrong.join('; ')
  return id.startsWith('generated-') ? `not detected: ${title}` : 'names no rule that must fail'
}
