import { levels } from '../../interface/description.ts'
import { isGatingLevel } from '../../judge/gating.ts'
import type { Standing } from '../reading.ts'
import type { Report } from '../report.ts'
import {
  count,
  latencyText,
  listsOf,
  newerText,
  plural,
  REFERENCE,
  serverErrorsOf,
  storeText,
  targetText,
  verdictSentence,
  verdictWords,
  warningsOf,
} from '../words.ts'
import { exchangeView } from './exchange.ts'
import { failures, notApplicable, observations, withoutEffect, withoutResult } from './findings.ts'
import {
  code,
  dateView,
  definitions,
  type Fragment,
  folded,
  html,
  mark,
  pageOf,
  plain,
  visible,
} from './markup.ts'
import { type Facts, factsOf } from './references.ts'
import { grid, ledger } from './rules.ts'
import { script } from './script.ts'

/** The report as a page: first what has to be fixed, then everything else. */
export const reportHtml = (report: Report): string =>
  pageOf({
    title: `${verdictWords[report.verdict]}: ${plain(targetText(report))}`,
    body: body(factsOf(report)),
    script,
  })

const body = (facts: Facts): Fragment => html`<a class="skip" href="#main">Skip to the findings</a>
${masthead(facts)}
${navigation(facts)}
<main id="main" tabindex="-1">
${warnings(facts)}
${failures(facts)}
${remarks(facts)}
${facts.report.verdict !== 'unreachable' && judged(facts)}
${aboutTheRun(facts)}
</main>
<footer><p>For programs: conformance.json. All exchanges: exchanges.har.</p></footer>
<p class="announced unseen" role="status"></p>`

const judged = (facts: Facts): Fragment => html`${serverErrors(facts)}
${withoutResult(facts)}
${withoutEffect(facts)}
${grid(facts)}
${notApplicable(facts)}
${ledger(facts)}
${observations(facts)}
${responseTimes(facts)}`

const verdictMarks: Readonly<Record<Report['verdict'], Standing>> = {
  conformant: 'passed',
  partial: 'passed',
  nonconformant: 'failed',
  incomplete: 'cantTell',
  unreachable: 'untested',
}

/** The verdict in words, and what was judged. The reason why a store was not reached may be long, so it is no part of the heading. */
function masthead(facts: Facts): Fragment {
  const { report } = facts
  const { target, store, description, reason, verdict } = report
  const sentence = verdictSentence(report, facts)
  const [word, ...rest] = (reason ? sentence.replace(reason, '').trim() : sentence).split(': ')
  const name = storeText(store)
  return html`<header class="masthead ${verdict}">
<p class="note">${description.name} ${description.version}, conformance report</p>
<h1>${mark(verdictMarks[verdict])} <span class="verdict">${word}:</span> ${visible(rest.join(': '))}</h1>
${reason && sentence.includes(reason) && html`<p class="reason">${visible(reason)}</p>`}
<p class="target">${name !== '' && html`${visible(name)}, `}${code(target.baseUrl)}${target.reference && html`, ${REFERENCE}`}, ${dateView(report.startedAt)}</p>
</header>`
}

function navigation({ report, violations, open }: Facts): Fragment {
  const without = open.reduce((sum, { rules }) => sum + rules.length, 0)
  const entries: readonly (readonly [string, string, number?])[] = [
    ...(violations.length > 0 ? [['failed', 'Failed', violations.flat().length] as const] : []),
    ...(without > 0 ? [['open', 'No result', without] as const] : []),
    ['rules', 'All rules'],
    ['ledger', 'Clauses'],
    ['observed', 'Left open', report.observations.length],
  ]
  if (report.verdict === 'unreachable') return html``
  return html`<nav aria-label="Sections"><ul>${entries.map(
    ([id, words, number]) =>
      html`<li><a href="#${id}">${words}${number !== undefined && html` <span class="count">${count(number)}</span>`}</a></li>`,
  )}<li><button type="button" data-action="expand" hidden>Open all</button></li></ul></nav>`
}

const warnings = ({ report }: Facts): Fragment | false =>
  warningsOf(report).length > 0 &&
  html`<section id="warnings" aria-labelledby="warnings-title">
<h2 id="warnings-title" class="unseen">Warnings</h2>
<ul class="warnings">${warningsOf(report).map(warning => html`<li>${visible(warning, { limit: 4_000 })}</li>`)}</ul>
</section>`

/** What has no effect on the verdict, beside it, so that nobody overlooks it. */
function remarks({ report, ...reading }: Facts): Fragment | false {
  const sentences = listsOf(report, reading)
    .map(({ title, groups }) => [title, groups.flatMap(({ rules }) => rules).length] as const)
    .filter(([, number]) => number > 0)
    .map(([title, number]) => `${title}: ${plural(number, 'rule')}.`)
  const all = [...sentences, newerText(report)].join(' ').trim()
  return all !== '' && report.verdict !== 'unreachable' && html`<p class="remarks">${all}</p>`
}

/** Responses with 5xx, with the first request of each kind, whether a rule judged it or not. */
function serverErrors({ report }: Facts): Fragment | false {
  const { title, kinds } = serverErrorsOf(report)
  return (
    title !== '' &&
    html`<section id="crashed" aria-labelledby="crashed-title">
<h2 id="crashed-title">Server errors</h2>
<p class="note">${title}. A server error is an error of the store, whatever the request was.</p>
${kinds.map(({ text, first }) => html`<p class="need">${visible(text)}</p>${first && exchangeView(first, false)}`)}
</section>`
  )
}

const responseTimes = ({ report: { latency } }: Facts): Fragment | false =>
  latency.length > 0 &&
  folded(
    'times',
    'Response times',
    'without effect on the verdict',
    html`<ul>${latency.map(each => html`<li>${latencyText(each)}</li>`)}</ul>`,
  )

const aboutTheRun = ({ report }: Facts): Fragment => html`<section id="run" aria-labelledby="run-title">
<h2 id="run-title">The run</h2>
${definitions('facts', [
  ['Profile', `${report.profile}, ${report.description.profiles[report.profile]?.title ?? ''}`],
  ['Levels that gate', levels.filter(level => isGatingLevel(level, report.gate)).join(', ')],
  ['Requests', `${count(report.requests)} in ${(report.durationMs / 1000).toFixed(1)} s`],
  ['Suite', `${report.suite.name} ${report.suite.version}`],
  ['Seed', String(report.seed)],
])}
</section>`
