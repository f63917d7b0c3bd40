import type { Level, Outcome } from '../../interface/description.ts'
import { type Profile, profiles } from '../../interface/verdict.ts'
import { allRules } from '../../settings/selection.ts'
import type { ReportedExchange } from '../../wire/exchange.ts'
import { composeReport, type Judgement, type Run } from '../compose.ts'
import type { Report, ReportedRule, ReportFile } from '../report.ts'

type About = Partial<Judgement> & { level?: Level; operation?: string; title?: string }

/** A judgement with this outcome, and further members if given. */
export function judgement(id: string, outcome: Outcome, about: About = {}): Judgement {
  const { level = 'required', operation = 'listOrders', title = `${id} holds`, ...more } = about
  const facts = level === 'required' ? { level } : { level, because: 'plain sense' }
  const rule = { id, operation, clause: '4.1/200', title, usually: 'It forgot.', ...facts }
  const message = outcome === 'passed' ? undefined : `${id} has this message`
  return { rule, outcome, message, exchanges: [], ...more }
}

const run: Run = {
  ...{ judgements: [judgement('a', 'passed')], observations: [], exchanges: [], warnings: [] },
  ...{ profile: profiles['1.0.0'] as Profile, gate: 'implied', seed: 42, partial: false },
  ...{ startedAt: '2026-11-21T10:00:00.000Z', durationMs: 812.4, requests: 1 },
  target: { baseUrl: 'https://store.test/v1' },
}

export const reportOf = (parts: Partial<Run> = {}): Report => composeReport({ ...run, ...parts })

/** Texts by which a hostile store may attack a report or its reader. */
export const HOSTILE: readonly string[] = [
  `</script></style></textarea></title><script>document.title='owned'</script>`,
  `" onmouseover="alert(1)" x='<img src=x onerror=alert(1)>`,
  '<link rel=stylesheet href=//evil.example/s.css><iframe src=https://evil.example>',
  '</failure></testcase></testsuite>]]></summary></details><img src=x onerror=alert(1)>',
  '<!-- <![CDATA[ <?xml?> &amp; &#0; &unknown; &lt;script&gt;',
  '\u0000\u0001\u0008\u000b\u001f\u007f\ufffe\uffff \ud800 and \udfff alone',
  '\u001b[2J\u001b[32mConformant\u001b[0m\u0007\u009b31m',
  '\u202etxet desrever\u2066\u2069\u200f pass\u200bed\ufeff\u00ad\u2060\u{e0041}\u00a0\u3000',
  `Z${'\u0351'.repeat(400)}`,
  'line\nConformant: the gating rule passed.\n\r\nline\u2028line',
  '```\n# heading\n`````\n<details>',
  '` `` ``` ````````',
  '[click](https://evil.example) ![x](https://evil.example/x.png) <https://evil.example>',
  'https://evil.example and www.evil.example and @everyone and #1',
  '{"id":9007199254740993,"id":5.0,"q":5e0,"__proto__":{"x":-0}}',
  `{"a":"${'x'.repeat(1_000_000)}"}`,
  'x\n::stop-commands::x\n\r::error::y 100%0A::error::y\u0085::error::z',
  ...['\\', '', ' '],
]

/** An exchange with this response, or with none. */
export const exchangeOf = (
  response: Partial<NonNullable<ReportedExchange['response']>> | undefined,
  more: Partial<ReportedExchange> = {},
): ReportedExchange => ({
  ...{ index: 0, step: 'an update', operation: 'listOrders' },
  ...{ connection: 'fresh', startedAt: 0, durationMs: 1 },
  request: { method: 'GET', url: 'https://store.test/v1/store/orders', headers: [], curl: 'curl …' },
  ...(response
    ? { response: { status: 200, headers: [['Content-Type', 'application/json']], body: '[]', ...response } }
    : { problem: { kind: 'dropped' as const, message: 'the connection ended' } }),
  ...more,
})

/** An exchange in which all bodies and header values are this text. */
export function exchangeWith(body: string, index = 0): ReportedExchange {
  const curl = `curl -i -X PATCH 'https://store.test/v1/inventory/1' --data-raw '${body}'`
  const sent = { method: 'PATCH', url: 'https://store.test/v1/inventory/1?a=1', body, curl }
  const request = { ...sent, headers: [['content-type', 'application/json']] as const }
  const headers = ['Content-Type', 'Location'].map(name => [name, body] as const)
  return exchangeOf({ status: 500, headers, body }, { index, request })
}

const observed = (saw: string, at = 0) => {
  const about = { clause: '7/409-body', title: 'What does the body of a 409 look like?' }
  return { id: `conflict-body-${at}`, operation: 'cancelOrder', ...about, saw }
}

/** A report in which every text of the store is one of these texts. */
export const hostileReport = (...texts: readonly string[]): Report =>
  reportOf({
    judgements: texts.flatMap((message, at) => {
      const shown = { message, exchanges: [at], need: message }
      const compared = { ...shown, expected: message, actual: message, asked: message, more: 1 }
      const outcomes = ['failed', 'cantTell', 'untested', 'inapplicable'] as const
      return [
        judgement(`compared-${at}`, 'failed', compared),
        ...outcomes.map(outcome => judgement(`${outcome}-${at}`, outcome, shown)),
        judgement(`advice-${at}`, 'failed', { level: 'advisory', message }),
      ]
    }),
    observations: texts.map(observed),
    exchanges: texts.map(exchangeWith),
    warnings: texts,
  })

type Wanted = Pick<Run, 'unreachable'> & Partial<Record<'failed' | 'untested' | 'cantTell', number>>

/** A report of all rules of the store service with as many of these outcomes: first the failures, then rules without a result. */
export function reportWith({ failed = 0, untested = 0, cantTell = 0, unreachable }: Wanted = {}): Report {
  const violation = { outcome: 'failed', message: 'expected 409, got 204', expected: '409', actual: '204' }
  const need = { outcome: 'untested', message: 'it needs 2 pets', need: 'name 2 more pets (--pets)' } as const
  const open = { outcome: 'cantTell', message: 'the connection was reset' }
  const some = [[failed, violation] as const, [untested, need] as const, [cantTell, open] as const]
  const outcomes = some.flatMap(([times, each]) => Array<Partial<Judgement>>(times).fill(each as typeof need))
  const others = unreachable ? need : ({ outcome: 'passed' } as const)
  const judged = allRules.map((rule, at) => ({ rule, exchanges: at < failed ? [at] : [], ...others }))
  return reportOf({
    judgements: judged.map((each, at) => ({ ...each, ...outcomes[at] })),
    observations: [observed('empty')],
    exchanges: judged.slice(0, failed).map((_, index) => exchangeOf({ status: 204, body: '' }, { index })),
    command: 'npx --no-install store-conformance run --pets 1,2',
    unreachable,
  })
}

/** A file of expected failures with one entry, which is out of date. */
export const outOfDate = (rule: string, message: string): ReportFile['expectedFailures'] => {
  const about = { operation: 'listOrders', why: 'passed' } as const
  return { file: 'known.yaml', entries: 1, stale: [{ rule, message, ...about }] }
}

/** A rule of a saved report. */
export const rule = (id: string, outcome: Outcome, more: Partial<ReportedRule> = {}): ReportedRule =>
  Object.assign({}, ...reportOf({ judgements: [judgement(id, outcome)] }).rules, more)

/** A saved report. */
export const report = (rules: readonly ReportedRule[], more: Partial<ReportFile> = {}): ReportFile =>
  Object.assign(reportOf(), { rules }, more)
