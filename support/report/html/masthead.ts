import type { Report } from '../report.ts'
import { BUNDLED } from '../sentence.ts'
import { code, definitions } from './code.ts'
import type { Facts } from './facts.ts'
import { mark } from './marks.ts'
import { type Fragment, html } from './template.ts'
import { count, visible } from './text.ts'
import { gateWordsOf, verdictRemarks, verdictSentence } from './verdict.ts'
import type { Outcome } from './words.ts'

const verdictMarks: Readonly<Record<Report['verdict'], Outcome>> = {
  conformant: 'passed',
  partial: 'passed',
  nonconformant: 'failed',
  incomplete: 'cantTell',
  unreachable: 'untested',
}

/** The verdict in words, and the facts of the run. */
export function masthead(facts: Facts): Fragment {
  const { report } = facts
  const [word, ...rest] = verdictSentence(facts).split(': ')
  const remarks = verdictRemarks(facts)
  return html`<header class="masthead ${report.verdict}">
<p class="kind">Store Service Interface 1.0.0, conformance report</p>
<h1>${mark(verdictMarks[report.verdict])} <span class="verdict">${word}:</span> <span class="sentence">${rest.join(': ')}</span></h1>
${report.reason !== undefined && html`<p class="reason">${visible(report.reason)}</p>`}
${remarks.length > 0 && html`<p class="remarks">${remarks.join(' ')}</p>`}
${definitions('facts', [
  ['Target', html`${code(report.target.baseUrl)}${report.target.reference && html`, ${BUNDLED}`}`],
  ['Profile', html`${report.profile}, ${report.description.profiles[report.profile]?.title ?? ''}`],
  ['Gate', gateWordsOf(report)],
  ['Date', html`<time datetime="${report.startedAt}">${dateWords(report.startedAt)}</time>`],
  ['Duration', durationWords(report.durationMs)],
  ['Requests', count(report.requests)],
  ['Suite', `${report.suite.name} ${report.suite.version}`],
  ['Seed', String(report.seed)],
])}
</header>`
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' })

const dateWords = (date: string): string => `${dates.format(new Date(date)).replace(' at ', ', ')} UTC`

function durationWords(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`
}
