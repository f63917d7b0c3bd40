import { type Needs, needsOf } from '../access/needs.ts'
import { matchesGlob } from '../judge/selection.ts'
import type { Fault } from '../reference/index.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { type Entry, entries, type Found } from './catalogue.ts'

const levelText: Readonly<Record<Entry['level'], string>> = {
  required: 'the document states it; it always counts',
  implied: 'the document shows it, or it follows; it counts unless --gate required',
  advisory: 'the document is silent; it counts only with --gate advisory',
  unspecified: 'the document leaves it open; what the store does is recorded, and never judged',
}

export function explanation({ entry, given, rule }: Found, faults: readonly Fault[]): string {
  const { method = '', path = '' } = subject.operations[entry.operation] ?? {}
  const caught = rule
    ? faults.filter(({ breaks }) => breaks.some(pattern => matchesGlob(pattern, rule.id)))
    : []
  const lines: [string, ...string[]][] = [
    ['operation', `${entry.operation}, ${method} ${path}`],
    ['clause', `§${entry.clause}: ${subject.clauses[entry.clause]?.says}`],
    ['level', `${entry.level}: ${levelText[entry.level]}`],
    ['because', ...present(entry.because)],
    [
      'sends',
      `${entry.scenario}${given.kind === 'property' ? ' (generated values, shrunk when one fails)' : ''}`,
    ],
    ['needs', needsText(needsOf(given))],
    ['after', ...(entry.after ?? []).map(id => `${id}: ${titleOf(id)}`)],
    ['together', ...together(entry)],
    ['usually', ...present(entry.usually)],
    ['catches', ...caught.map(({ title }) => title)],
  ]
  const told = lines.flatMap(([name, ...texts]) =>
    texts.map((text, at) => `  ${(at === 0 ? name : '').padEnd(10)} ${text}`),
  )
  const alone = rule ? [`\nTo judge it alone:\n  store-conformance run --only ${entry.id}`] : []
  return [`${entry.id}: ${entry.title}`, '', ...told, ...alone, ''].join('\n')
}

const present = (text: string | undefined): string[] => (text === undefined ? [] : [text])

const titleOf = (id: string): string => entries.find(entry => entry.id === id)?.title ?? ''

/** A scenario acts once, and many rules look at what it saw. */
function together({ id, scenario }: Entry): string[] {
  const others = entries.filter(entry => entry.scenario === scenario && entry.id !== id)
  return others.length === 0 ? [] : [`the same requests serve ${others.length} other rules and observations`]
}

function needsText({ pendingOrders = 0, shippedOrders = 0, pets = 0, arranges }: Needs): string {
  if (arranges) return `a states endpoint or module that arranges ${arranges}`
  const parts = [
    ...(pendingOrders > 0 ? [`${pendingOrders} pending (--pending-orders)`] : []),
    ...(shippedOrders > 0 ? [`${shippedOrders} shipped (--shipped-orders)`] : []),
    ...(pets > 0 ? [`${pets} pets (--pets)`] : []),
  ]
  return parts.length === 0
    ? 'nothing that has to be named'
    : `${parts.join(', ')}, or a states endpoint or module`
}
