import { matchesGlob } from '../judge/selection.ts'
import { facts, paragraph, section } from '../report/document.ts'
import { terminal } from '../report/terminal.ts'
import { levelMeanings, whyImpliedGates } from '../report/words.ts'
import { faults } from '../run/faults.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { type Needs, needsOf } from '../store/needs.ts'
import { type CatalogueEntry, entries, givenOf } from './catalogue.ts'

const OPEN = 'the document leaves it open; the run records what the store does, and never judges it'

/** What `list RULE` prints. */
export function explanation(entry: CatalogueEntry): string {
  const { method = '', path = '' } = subject.operations[entry.operation] ?? {}
  const [given, isRule] = [givenOf(entry), entry.level !== 'unspecified']
  // A glob may match the id of an observation.
  const caught = isRule
    ? faults.filter(({ breaks }) => breaks.some(pattern => matchesGlob(pattern, entry.id)))
    : []
  const sharing = entries.filter(({ scenario, id }) => scenario === entry.scenario && id !== entry.id)
  const several = (label: string, texts: readonly string[]) =>
    texts.map((text, at) => [at === 0 ? label : '', text] as const)
  const blocks = section(
    `${entry.id}: ${entry.title}`,
    facts([
      ['operation', `${entry.operation}, ${method} ${path}`],
      ['clause', `§${entry.clause}: ${subject.clauses[entry.clause]?.says}`],
      ['level', `${entry.level}: ${entry.level === 'unspecified' ? OPEN : levelMeanings[entry.level]}`],
      ['because', entry.because],
      ['gates', entry.level === 'implied' && whyImpliedGates],
      [
        'sends',
        `${entry.scenario}${given.kind === 'property' ? ' (generated values, shrunk when one fails)' : ''}`,
      ],
      ['needs', needsText(needsOf(given))],
      ...several(
        'after',
        (entry.after ?? []).map(id => `${id}: ${titleOf(id)}`),
      ),
      [
        'together',
        sharing.length > 0 && `${sharing.length} other rules and observations use the same requests`,
      ],
      ['usually', entry.usually],
      ...several(
        'catches',
        caught.map(({ title }) => title),
      ),
    ]),
    { finding: 'passed' },
  )
  const alone = `To judge it alone: npx store-conformance run --only ${entry.id}`
  return `${terminal([...blocks, ...paragraph(isRule ? alone : '')])}\n`
}

const titleOf = (id: string): string => entries.find(entry => entry.id === id)?.title ?? ''

function needsText({ pendingOrders = 0, shippedOrders = 0, pets = 0, turn }: Needs): string {
  if (turn === 'long lists' || turn === 'chosen ids') return 'a states endpoint or module'
  const parts = [
    ...(pendingOrders > 0 ? [`${pendingOrders} pending (--pending-orders)`] : []),
    ...(shippedOrders > 0 ? [`${shippedOrders} shipped (--shipped-orders)`] : []),
    ...(pets > 0 ? [`${pets} pets (--pets)`] : []),
  ]
  if (parts.length > 0) return `${parts.join(', ')}, or a states endpoint or module`
  return turn === 'contexts' || turn === 'last contexts'
    ? 'none; a states endpoint or module gives all of it'
    : 'no named orders or pets'
}
