import {
  type Block,
  code,
  commaSeparated,
  mark,
  note,
  paragraph,
  section,
  type Text,
  table,
  title,
  warnings,
} from '../report/document.ts'
import { pageOf } from '../report/html/page.ts'
import { plural } from '../report/words.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import type { Findings } from './findings.ts'
import type { TaskResult } from './prove.ts'

/** `selfcheck.html`: which rule detects which fault. */
export function selfcheckHtml(findings: Findings): string {
  const { name, version } = storeServiceUnderTest
  const { faults, killed, freedoms, flagged, rules, gaps, results, seed } = findings
  return pageOf(`Self-check: ${killed} of ${faults} faults detected`, [
    title(
      `${killed} of ${plural(faults, 'fault')} detected, ${freedoms - flagged} of ${plural(freedoms, 'freedom')} accepted`,
    ),
    ...paragraph(
      `Self-check of the suite for ${name} ${version}, which has ${plural(rules, 'rule')}. This page shows that each of them can fail, and that none fails without a reason: the suite judges its own reference store many times, each time with one change. Seed ${seed}. For programs: selfcheck.json.`,
    ),
    ...section('Gaps', warnings(gaps), { id: 'gaps' }),
    ...resultsOf('fault', results),
    ...resultsOf('freedom', results),
  ])
}

const introductions = {
  fault:
    'A fault is a change that violates the interface, such as “a shipped order is cancelled”. The rules that are about it must fail, and no other rule may. Then it is detected.',
  freedom:
    'A freedom is a change that the interface leaves open, such as other status values. No rule may fail. Then it is accepted.',
}

function resultsOf(kind: TaskResult['kind'], results: readonly TaskResult[]): Block[] {
  const rows = table(
    ['What the store does', 'Result'],
    results.filter(result => result.kind === kind).map(cellsOf),
  )
  return rows.length === 0
    ? []
    : section(kind === 'fault' ? 'Faults' : 'Freedoms', [...paragraph(introductions[kind]), ...rows], {
        id: kind,
      })
}

const cellsOf = (result: TaskResult): Text[] => [
  [result.title, ' ', code(result.id), note(result.mode === 'named' ? ', with named ids' : '')],
  [
    mark(result.good ? 'passed' : 'failed'),
    ' ',
    outcomeOf(result),
    ...(result.red.length > 0 && result.good ? [': ', commaSeparated(result.red.map(code))] : []),
  ],
]

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
