import { allRules, type InterfaceUnderTest } from '../judge/interface.ts'
import type { Rule } from '../judge/rule.ts'
import { type Fragment, html, verbatim } from '../report/html/template.ts'
import { plural } from '../report/words.ts'
import type { Findings } from './findings.ts'
import { style } from './matrix-style.ts'
import type { TaskResult } from './task.ts'

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

/** `selfcheck.html`: which rule detects which fault. One file that loads nothing else and has no script. */
export function matrixHtml(findings: Findings, subject: InterfaceUnderTest): string {
  const ofFaults = findings.results.filter(({ kind }) => kind === 'fault')
  const ofFreedoms = findings.results.filter(({ kind }) => kind === 'freedom')
  const accepted = findings.freedoms - findings.flagged
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Self-check: ${findings.killed} of ${findings.faults} faults detected</title>
<style>${verbatim(style)}</style>
</head>
<body>
<main>
<h1>${findings.killed} of ${plural(findings.faults, 'fault')} detected, ${accepted} of ${plural(findings.freedoms, 'freedom')} accepted</h1>
<p>The suite has ${plural(findings.rules, 'rule')}. This page shows that each of them can fail, and that none fails without a reason: the suite
judges its own reference store many times, each time with one change.</p>
<dl class="terms">
<div><dt>Fault</dt><dd>A change that violates the interface, such as <q>a shipped order is cancelled</q>. The rules that are about it must fail, and no other rule may. Then the fault is <b>detected</b>.</dd></div>
<div><dt>Freedom</dt><dd>A change that the interface leaves open, such as other status values. No rule may fail. Then the freedom is <b>accepted</b>.</dd></div>
</dl>
${findings.gaps.length > 0 && html`<h2>Gaps</h2><ul>${findings.gaps.map(gap => html`<li>${gap}</li>`)}</ul>`}
${matrix(
  ofFaults.filter(({ mode }) => mode === 'states'),
  subject,
)}
${results('Faults', ofFaults)}
${results('Freedoms', ofFreedoms)}
<p class="note">Seed ${findings.seed}. For programs: selfcheck.json.</p>
</main>
</body>
</html>
`
  return String(page)
}

function matrix(rows: readonly TaskResult[], subject: InterfaceUnderTest): Fragment | false {
  if (rows.length === 0) return false
  const groups = Object.keys(subject.operations)
    .map(operation => ({
      operation,
      rules: allRules(subject).filter(rule => rule.operation === operation),
    }))
    .filter(({ rules }) => rules.length > 0)
  const columns = groups.flatMap(({ rules }) => rules)
  const shown = (Object.keys(meanings) as Mark[]).filter(mark =>
    rows.some(row => columns.some(({ id }) => markOf(row, id) === mark)),
  )
  return html`<h2>Which rule detects which fault</h2>
<p>A row is a store with one fault, a column is a rule. A mark shows the result of the rule on that store; no mark means that it passed.
Select a row name or a mark to read about the fault.</p>
<ul class="legend" aria-label="Marks">${shown.map(mark => html`<li><svg width="14" height="14" aria-hidden="true"><rect class="${mark}" x="2" y="2" width="10" height="10"/></svg> ${meanings[mark]}</li>`)}</ul>
<div class="matrix">
<ol class="rows" aria-label="Faults">${rows.map(row => html`<li><a href="#${anchor(row)}">${row.id}</a></li>`)}</ol>
<div class="marks" role="region" aria-label="Marks of ${plural(rows.length, 'fault')} and ${plural(columns.length, 'rule')}; the table of faults has the same in words" tabindex="0">
<p class="heads">${groups.map(({ operation, rules }) => html`<svg style="width: calc(var(--column) * ${rules.length})" height="16"><text x="3" y="12">${operation}</text></svg>`)}</p>
<svg class="grid" viewBox="0 0 ${columns.length} ${rows.length}" preserveAspectRatio="none" style="width: calc(var(--column) * ${columns.length}); height: calc(var(--row) * ${rows.length})">
${lines(groups, rows.length)}${rows.map((row, y) => marks(row, y, columns))}</svg>
</div>
</div>`
}

const lines = (groups: readonly { readonly rules: readonly Rule[] }[], height: number): Fragment => {
  let x = 0
  return html`${groups.map(({ rules }) => {
    const line = html`<line x1="${x}" x2="${x}" y1="0" y2="${height}"/>`
    x += rules.length
    return line
  })}${Array.from({ length: Math.ceil(height / 2) }, (_, at) => html`<rect class="stripe" x="0" y="${at * 2}" width="${x}" height="1"/>`)}`
}

const marks = (row: TaskResult, y: number, columns: readonly Rule[]): Fragment =>
  html`${columns.map((rule, x) => {
    const mark = markOf(row, rule.id)
    return (
      mark !== undefined &&
      html`<a href="#${anchor(row)}"><rect class="${mark}" x="${x + 0.1}" y="${y + 0.15}" width="0.8" height="0.7"/><title>${row.id}: ${rule.id} ${meanings[mark]}</title></a>`
    )
  })}`

const anchor = ({ kind, mode, id }: TaskResult): string => `${kind}-${mode}-${id}`

function results(title: string, all: readonly TaskResult[]): Fragment | false {
  if (all.length === 0) return false
  const modes = new Set(all.map(({ mode }) => mode)).size > 1
  return html`<h2>${title}</h2>
<table><thead><tr><th scope="col">Id</th><th scope="col">What this store does</th><th scope="col">Rules that failed</th><th scope="col">Result</th></tr></thead>
<tbody>${all.map(
    result =>
      html`<tr id="${anchor(result)}"${!result.good && html` class="bad"`}><th scope="row">${result.id}${modes && ` (${result.mode === 'named' ? 'with named ids' : 'with provider states'})`}</th><td>${result.title}</td><td>${result.red.length === 0 ? 'none' : result.red.map((id, at) => html`${at > 0 && ', '}<code>${id}</code>`)}</td><td>${outcomeOf(result)}</td></tr>`,
  )}</tbody></table>`
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
  return parts.filter(part => part !== '').join('; ') || 'names no rule that must fail'
}
