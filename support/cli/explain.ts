import type { Command } from 'commander'
import { matchesGlob } from '../judge/selection.ts'
import type { ReportFile } from '../report/report.ts'
import { whyImpliedGates } from '../report/words.ts'
import { faults } from '../run/faults.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import type { ProvingFault } from '../selfcheck/proof.ts'
import { type Needs, needsOf } from '../store/needs.ts'
import { type CatalogueEntry, entries, type Found, findEntry } from './catalogue.ts'
import { UsageError } from './usage.ts'

export function addExplain(command: Command): void {
  command
    .argument('<rule>', 'its id, as in list and in the reports')
    .option(
      '--from <report>',
      'print the requests of the rule in this conformance.json, or its folder, as a shell script',
    )
    .option('--http', 'with --from: print them for the HTTP client of an editor (.http)')
    .addHelpText(
      'after',
      `
The script contains the ids of that run, and variables in place of secrets.

Example:
  npx store-conformance explain cancel-shipped-409
  npx store-conformance explain cancel-shipped-409 --from reports > again.sh`,
    )
    .action(async (id: string, { from, http }: { readonly from?: string; readonly http?: true }) => {
      const found = findEntry(id)
      if (http && from === undefined) throw new UsageError('--http needs a report: add --from reports.')
      process.stdout.write(
        from === undefined
          ? explanation(found, faults)
          : await requestsOf(found.entry.id, from, http === true),
      )
    })
}

/** The requests of the rule in the run of a report. */
async function requestsOf(id: string, from: string, http: boolean): Promise<string> {
  const { httpFile, readSequence, shellScript } = await import('../report/sequence.ts')
  const { readAll } = await import('./compare.ts')
  const report = readAll([from])[0] as ReportFile
  const rule = report.rules.find(each => each.id === id)
  if (!rule || rule.exchanges.length === 0) {
    const why = rule?.message ? `: ${rule.message}` : ''
    throw new UsageError(`The run in ${from} sent no request for ${id}${why}.`)
  }
  const sequence = readSequence(from, report, rule)
  return http ? httpFile(sequence) : shellScript(sequence)
}

const levelText: Readonly<Record<CatalogueEntry['level'], string>> = {
  required: 'the document states it; it always gates',
  implied: 'the document shows it, or it follows from what is stated; it gates unless --gate required',
  advisory: 'the document is silent, and a standard asks for it; it gates only with --gate advisory',
  unspecified: 'the document leaves it open; the run records what the store does, and never judges it',
}

export function explanation({ entry, given, rule }: Found, faults: readonly ProvingFault[]): string {
  const { method = '', path = '' } = subject.operations[entry.operation] ?? {}
  const caught = rule
    ? faults.filter(({ breaks }) => breaks.some(pattern => matchesGlob(pattern, rule.id)))
    : []
  const lines: [string, ...string[]][] = [
    ['operation', `${entry.operation}, ${method} ${path}`],
    ['clause', `§${entry.clause}: ${subject.clauses[entry.clause]?.says}`],
    ['level', `${entry.level}: ${levelText[entry.level]}`],
    ['because', ...present(entry.because)],
    ['gates', ...(entry.level === 'implied' ? [whyImpliedGates] : [])],
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
  const sections = lines.flatMap(([name, ...texts]) =>
    texts.map((text, at) => `  ${(at === 0 ? name : '').padEnd(10)} ${text}`),
  )
  const alone = needsOf(given).unannounced
    ? ['\nOnly certify and verify --confirm judge it: run sends no such requests.']
    : [`\nTo judge it alone:\n  npx store-conformance run --only ${entry.id}`]
  return [`${entry.id}: ${entry.title}`, '', ...sections, ...(rule ? alone : []), ''].join('\n')
}

const present = (text: string | undefined): string[] => (text === undefined ? [] : [text])

const titleOf = (id: string): string => entries.find(entry => entry.id === id)?.title ?? ''

/** A scenario runs once, and many rules judge its exchanges. */
function together({ id, scenario }: CatalogueEntry): string[] {
  const others = entries.filter(entry => entry.scenario === scenario && entry.id !== id)
  return others.length === 0 ? [] : [`${others.length} other rules and observations use the same requests`]
}

function needsText({ pendingOrders = 0, shippedOrders = 0, pets = 0, turn }: Needs): string {
  if (turn === 'contexts' || turn === 'last contexts')
    return 'none; a states endpoint or module gives all of it'
  if (turn === 'long lists' || turn === 'chosen ids') return 'a states endpoint or module'
  const parts = [
    ...(pendingOrders > 0 ? [`${pendingOrders} pending (--pending-orders)`] : []),
    ...(shippedOrders > 0 ? [`${shippedOrders} shipped (--shipped-orders)`] : []),
    ...(pets > 0 ? [`${pets} pets (--pets)`] : []),
  ]
  return parts.length === 0
    ? 'no named orders or pets'
    : `${parts.join(', ')}, or a states endpoint or module`
}
