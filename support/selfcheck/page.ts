import { allRules, type InterfaceUnderTest } from '../judge/interface.ts'
import type { Rule } from '../judge/rule.ts'
import { code, type Fragment, html, pageOf } from '../report/html/markup.ts'
import { plural } from '../report/words.ts'
import type { Findings } from './findings.ts'
import type { TaskResult } from './prove.ts'

/** The result of a rule on a store with a fault. Rules that passed have no mark. */
type Mark = 'detected' | 'missing' | 'collateral' | 'cantTell' | 'untested'

const meanings: Readonly<Record<Mark, string>> = {
  detected: 'failed, as it must',
  missing: 'should fail, but did not',
  collateral: 'failed, but should not',
  cantTell: 'could not be determined, because another rule failed',
  untested: 'not tested, because another rule failed',
}

function markOf(result: TaskResult, rule: string): Mark | undefined {
  if (result.collateral.includes(rule)) return 'collateral'
  if (result.missing.includes(rule)) return 'missing'
  if (result.red.includes(rule)) return 'detected'
  if (result.cantTell.includes(rule)) return 'cantTell'
  return result.untested.includes(rule) ? 'untested' : undefined
}

/** `selfcheck.html`: which rule detects which fault. */
export function selfcheckHtml(findings: Findings, subject: InterfaceUnderTest): string {
  const { faults, killed, freedoms, flagged, rules, gaps, results, seed } = findings
  const body = html`<header class="masthead"><p class="note">${subject.name} ${subject.version}, self-check of the suite</p>
<h1>${killed} of ${plural(faults, 'fault')} detected, ${freedoms - flagged} of ${plural(freedoms, 'freedom')} accepted</h1>
<p>The suite has ${plural(rules, 'rule')}. This page shows that each of them can fail, and that none fails without a reason: the suite
judges its own reference store many times, each time with one change.</p></header>
<main>
${gaps.length > 0 && html`<section aria-labelledby="gaps"><h2 id="gaps">Gaps</h2><ul class="warnings">${gaps.map(gap => html`<li>${gap}</li>`)}</ul></section>`}
${section('fault', results, subject)}
${section('freedom', results, subject)}
</main>
<footer><p>Seed ${seed}. For programs: selfcheck.json.</p></footer>`
  return pageOf({ title: `Self-check: ${killed} of ${faults} faults detected`, body })
}

const introductions = {
  fault: html`A fault is a change that violates the interface, such as <q>a shipped order is cancelled</q>. The rules that are about it must
fail, and no other rule may. Then it is <b>detected</b>.`,
  freedom: html`A freedom is a change that the interface leaves open, such as other status values. No rule may fail. Then it is <b>accepted</b>.`,
}

function section(
  kind: TaskResult['kind'],
  results: readonly TaskResult[],
  subject: InterfaceUnderTest,
): Fragment | false {
  const rows = results.filter(result => result.kind === kind)
  if (rows.length === 0) return false
  const columns = Object.keys(subject.operations).flatMap(operation =>
    allRules(subject).filter(rule => rule.operation === operation),
  )
  const shown = (Object.keys(meanings) as Mark[]).filter(mark =>
    rows.some(row => columns.some(({ id }) => markOf(row, id) === mark)),
  )
  return html`<section aria-labelledby="${kind}"><h2 id="${kind}">${kind === 'fault' ? 'Faults' : 'Freedoms'}</h2>
<p>${introductions[kind]} ${shown.length > 0 && `The strip of a store shows the result of every rule: ${Object.keys(subject.operations).join(', ')}.`}</p>
<ul class="legend" aria-label="Marks">${shown.map(mark => html`<li><svg class="swatch" aria-hidden="true"><rect class="${mark}" width="12" height="12"/></svg> ${meanings[mark]}</li>`)}</ul>
<table class="selfcheck"><thead><tr><th scope="col">What the store does</th><th scope="col">Result</th></tr></thead>
<tbody>${rows.map(row => rowView(row, columns))}</tbody></table></section>`
}

const rowView = (
  row: TaskResult,
  columns: readonly Rule[],
): Fragment => html`<tr class="${!row.good && 'bad'}" id="${row.kind}-${row.mode}-${row.id}"><th scope="row">${row.title}
<span class="note">${code(row.id)}${row.mode === 'named' && ', with named ids'}</span>${strip(row, columns)}</th>
<td>${outcomeOf(row)}${row.red.length > 0 && row.good && html`: ${row.red.map((id, at) => html`${at > 0 && ', '}${code(id)}`)}`}</td></tr>
`

/** The result of every rule, as a picture: the column beside it has the rules that failed in words. */
function strip(row: TaskResult, columns: readonly Rule[]): Fragment | false {
  const marks = columns.map(({ id }, x) => [x, id, markOf(row, id)] as const)
  if (marks.every(([, , mark]) => mark === undefined)) return false
  const ends = columns.flatMap(({ operation }, x) =>
    x > 0 && operation !== columns[x - 1]?.operation ? [x] : [],
  )
  return html`<svg class="strip" viewBox="0 0 ${columns.length} 1" preserveAspectRatio="none" aria-hidden="true">${ends.map(
    x => html`<line x1="${x}" x2="${x}" y2="1"/>`,
  )}${marks.map(
    ([x, id, mark]) =>
      mark !== undefined &&
      html`<rect class="${mark}" x="${x}" width="0.9" height="1"><title>${id} ${meanings[mark]}</title></rect>`,
  )}</svg>`
}

/** The result in words. */
export function outcomeOf(result: TaskResult): string {
  if (result.outOfReach !== undefined) return `out of reach: ${result.outOfReach}`
  if (result.good) return result.kind === 'fault' ? 'detected' : 'accepted'
  const parts = [
    result.missing.length > 0 ? `should fail, but did not: ${result.missing.join(', ')}` : '',
    result.collateral.length > 0 ? `failed, but should not: ${result.collateral.join(', ')}` : '',
    result.kind === 'freedom' && result.cantTell.length > 0
      ? `could not be determined: ${result.cantTell.join(', ')}`
      : '',
    result.kind === 'freedom' && result.untested.length > 0
      ? `not tested: ${result.untested.join(', ')}`
      : '',
  ]
  const generated = `not detected: ${result.title}`
  return (
    parts.filter(part => part !== '').join('; ') ||
    (result.id.startsWith('generated-') ? generated : 'names no rule that must fail')
  )
}
