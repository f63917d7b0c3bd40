import { allRules, type InterfaceUnderTest } from '../judge/interface.ts'
import { html, verbatim } from '../report/html/template.ts'
import type { Findings } from './findings.ts'
import type { TaskResult } from './task.ts'

const CELL = 5
const LEFT = 10
const TOP = 10

/** What a rule was on a store with a fault, as far as it is worth a colour. */
type Mark = 'killed' | 'missing' | 'collateral' | 'cantTell' | 'untested'

const words: Readonly<Record<Mark, string>> = {
  killed: 'red, as it must be',
  missing: 'should be red, and is not',
  collateral: 'red, and should not be',
  cantTell: 'could not be told, behind another',
  untested: 'not tested, behind another',
}

function markOf(result: TaskResult, rule: string): Mark | undefined {
  if (result.collateral.includes(rule)) return 'collateral'
  if (result.missing.includes(rule)) return 'missing'
  if (result.red.includes(rule)) return 'killed'
  if (result.cantTell.includes(rule)) return 'cantTell'
  return result.untested.includes(rule) ? 'untested' : undefined
}

/** The kill matrix whole: a row for each fault, a column for each rule; what is blank, passed. One file, without network. */
export function matrixHtml(findings: Findings, subject: InterfaceUnderTest): string {
  const operations = Object.keys(subject.operations)
  const columns = operations.flatMap(operation =>
    allRules(subject).filter(rule => rule.operation === operation),
  )
  const rows = findings.results.filter(({ kind, mode }) => kind === 'fault' && mode === 'states')
  const cells = rows.flatMap((row, y) =>
    columns.flatMap((rule, x) => {
      const mark = markOf(row, rule.id)
      return mark === undefined
        ? []
        : [
            html`<rect class="${mark}" x="${LEFT + x * CELL}" y="${TOP + y * CELL}" width="${CELL - 1}" height="${CELL - 1}"><title>${row.id} · ${rule.id}: ${words[mark]}</title></rect>`,
          ]
    }),
  )
  const lines = operations.map((operation, at) => {
    const x = LEFT + columns.findIndex(rule => rule.operation === operation) * CELL - 0.5
    return html`<line x1="${x}" x2="${x}" y1="0" y2="${TOP + rows.length * CELL}"/><text x="${x + 2}" y="${at % 2 === 0 ? 7 : 7}">${operation}</text>`
  })
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Self-check: ${findings.killed} of ${findings.faults} faults killed</title>
<style>${verbatim(STYLE)}</style>
</head>
<body>
<main>
<h1>${findings.killed} of ${findings.faults} faults killed, ${findings.flagged} of ${findings.freedoms} freedoms flagged</h1>
<p>${findings.rules} rules, seed ${findings.seed}. A row is a fault of the reference store, a column a rule; what is blank, passed. Point at a mark to read it.</p>
<ul class="legend">${Object.entries(words).map(([mark, text]) => html`<li><svg width="12" height="12" aria-hidden="true"><rect class="${mark}" width="12" height="12"/></svg> ${text}</li>`)}</ul>
<svg class="matrix" role="img" aria-label="Kill matrix; the table below says the same" viewBox="0 0 ${LEFT + columns.length * CELL} ${TOP + rows.length * CELL}">
<g class="grid">${lines}</g>${cells}</svg>
${findings.gaps.length > 0 ? html`<h2>Gaps</h2><ul>${findings.gaps.map(gap => html`<li>${gap}</li>`)}</ul>` : ''}
<h2>Faults</h2>${table(findings.results.filter(({ kind }) => kind === 'fault'))}
<h2>Freedoms</h2>${table(findings.results.filter(({ kind }) => kind === 'freedom'))}
</main>
</body>
</html>
`
  return String(page)
}

const table = (results: readonly TaskResult[]) => html`<div class="scroll" tabindex="0"><table>
<thead><tr><th scope="col">Store</th><th scope="col">What is other</th><th scope="col">Judged by</th><th scope="col">Red</th><th scope="col">Outcome</th></tr></thead>
<tbody>${results.map(
  result =>
    html`<tr><th scope="row">${result.id}</th><td>${result.title}</td><td>${result.mode}</td><td>${result.red.join(', ') || 'nothing'}</td><td>${outcomeOf(result)}</td></tr>`,
)}</tbody></table></div>`

/** The result in words. */
export function outcomeOf(result: TaskResult): string {
  if (result.outOfReach !== undefined) return `out of reach: ${result.outOfReach}`
  if (result.good) return result.kind === 'fault' ? 'killed' : 'left alone'
  const parts = [
    result.missing.length > 0 ? `not red: ${result.missing.join(', ')}` : '',
    result.collateral.length > 0 ? `red beside: ${result.collateral.join(', ')}` : '',
    result.kind === 'freedom' && result.cantTell.length > 0 ? `open: ${result.cantTell.join(', ')}` : '',
    result.kind === 'freedom' && result.untested.length > 0 ? `untested: ${result.untested.join(', ')}` : '',
  ]
  return parts.filter(part => part !== '').join('; ') || 'expects nothing'
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fdfcfa; --line: #d8d5cf; --killed: #a3241c; --missing: #1b1b1b; --collateral: #7a2ad1; --open: #d9a441; --untested: #b9c4cf }
@media (prefers-color-scheme: dark) { :root { --ink: #ece9e4; --paper: #17171a; --line: #3a3a40; --killed: #f0675c; --missing: #fff; --collateral: #b98cff; --open: #b98324; --untested: #4a5560 } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 70rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding: 0; list-style: none }
.matrix { width: 100%; height: auto; border: 1px solid var(--line) }
.grid line { stroke: var(--line); stroke-width: .5 } .grid text { font-size: 6px; fill: var(--ink) }
rect.killed { fill: var(--killed) } rect.missing { fill: none; stroke: var(--missing) } rect.collateral { fill: var(--collateral) }
rect.cantTell { fill: var(--open) } rect.untested { fill: var(--untested) }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .85rem }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); font-weight: normal }
thead th { font-weight: 600 }
`
