import { levels } from '../../interface/description.ts'
import { isGatingLevel } from '../../judge/gating.ts'
import type { Standing } from '../reading.ts'
import type { Report } from '../report.ts'
import { count, REFERENCE, storeText, verdictRemarks, verdictSentence } from '../words.ts'
import { mark } from './marks.ts'
import type { Facts } from './references.ts'
import { type Fragment, html } from './template.ts'
import { code, definitions, visible } from './text.ts'

const verdictMarks: Readonly<Record<Report['verdict'], Standing>> = {
  conformant: 'passed',
  partial: 'passed',
  nonconformant: 'failed',
  incomplete: 'cantTell',
  unreachable: 'untested',
}

/** The verdict in words, and the facts of the run. */
export function masthead(facts: Facts): Fragment {
  const { report } = facts
  const { target, store, description } = report
  const [word, ...rest] = verdictSentence(report, facts).split(': ')
  const remarks = verdictRemarks(report, facts)
  const name = storeText(store)
  return html`<header class="masthead ${report.verdict}">
<p class="kind">${description.name} ${description.version}, conformance report${target.reference && ` of ${REFERENCE}`}</p>
<h1>${mark(verdictMarks[report.verdict])} <span class="verdict">${word}:</span> <span class="sentence">${visible(rest.join(': '))}</span></h1>
${remarks.length > 0 && html`<p class="remarks">${remarks.join(' ')}</p>`}
${definitions('facts', [
  [
    'Store',
    html`${name !== '' && html`${visible(name)}, `}${code(target.baseUrl)}${target.reference && html`, ${REFERENCE}`}`,
  ],
  ['Profile', html`${report.profile}, ${description.profiles[report.profile]?.title ?? ''}`],
  ['Levels that gate', levels.filter(level => isGatingLevel(level, report.gate)).join(', ')],
  ['Date', html`<time datetime="${report.startedAt}">${dateText(report.startedAt)}</time>`],
  ['Duration', durationText(report.durationMs)],
  ['Requests', count(report.requests)],
  ['Suite', `${report.suite.name} ${report.suite.version}`],
  ['Seed', String(report.seed)],
])}
</header>`
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' })

const dateText = (date: string): string => `${dates.format(new Date(date)).replace(' at ', ', ')} UTC`

function durationText(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`
}
