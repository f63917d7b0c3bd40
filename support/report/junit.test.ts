import { expect, it } from 'vitest'
import { junitXml } from './junit.ts'
import { exchangeOf, HOSTILE, hostileReport, judgement, outOfDate, reportOf } from './testing/fixtures.ts'

// Characters, text and tags of XML 1.0, §2.2, §2.4 and §3.1.
const CHARACTER = '[\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\u{10000}-\\u{10ffff}]'
const ENTITY = '&#(?:38|60|62|34|39);'
const TEXT = `(?:${ENTITY}|(?![<&]|\\]\\]>)${CHARACTER})*`
const ATTRIBUTE = (names: string) => `(?: (?:${names})="(?:${ENTITY}|(?![<&"])${CHARACTER})*")*`
// The elements and attributes that all readers accept: the narrowest schema is junit-10.xsd of Jenkins' xUnit plugin.
const RESULT = `<(?<result>failure|error|skipped)${ATTRIBUTE('message')}>${TEXT}</\\k<result>>`
const CASE = `<testcase${ATTRIBUTE('name|classname')}>(?:${RESULT})?</testcase>`
const TOTALS = 'name|tests|failures|errors|time'
const SUITE = `<testsuite${ATTRIBUTE(`${TOTALS}|skipped|timestamp`)}>(?:\\s*${CASE})*\\s*</testsuite>`
const FILE = `^<\\?xml version="1\\.0" encoding="UTF-8"\\?>\\s*<testsuites${ATTRIBUTE(TOTALS)}>(?:\\s*${SUITE})*\\s*</testsuites>\\s*$`

/** The file of a run, which is well-formed. */
function fileOf(report: Parameters<typeof junitXml>[0]): string {
  const xml = junitXml(report)
  expect(xml).toMatch(new RegExp(FILE, 'u'))
  expect(xml).not.toMatch(/<[^>]* ([a-z]+)="[^>]* \1="/)
  return xml
}

it.each(HOSTILE.filter(({ length }) => length < 10_000))(
  'is well-formed, whatever a store sends (%#)',
  text => {
    const names = [...fileOf(hostileReport(text)).matchAll(/<(testcase|failure|error|skipped) /g)]
    const count = (wanted: string) => names.filter(([, name]) => name === wanted).length
    expect(['testcase', 'failure', 'error', 'skipped'].map(count)).toEqual([6, 2, 1, 3])
  },
)

it('has counts that add up, the expectation that is not met, the reasons, and times', () => {
  const behind = { id: 'open', operation: 'listOrders' }
  const judgements = [
    judgement('holds', 'passed'),
    judgement('violated', 'failed', { message: 'expected 204, got 200' }),
    judgement('open', 'cantTell', { message: 'no answer' }),
    judgement('missing', 'untested', { message: 'no order', need: 'name one' }),
    judgement('not-here', 'inapplicable'),
    judgement('advice', 'failed', { level: 'advisory' }),
    judgement('advice-open', 'cantTell', { level: 'advisory' }),
    judgement('waiting', 'cantTell', { message: 'open must hold first', behind }),
  ]
  const exchanges = [200, 150].map(durationMs => exchangeOf({}, { durationMs }))
  const counts = 'tests="8" failures="1" errors="1"'
  for (const part of [
    `<testsuites name="store-conformance of https://store.test/v1" ${counts} time="0.812">`,
    `<testsuite name="listOrders" ${counts} time="0.350" skipped="5" timestamp="2026-11-21T10:00:00.000Z">`,
    '<testcase classname="listOrders.advisory" name="advice: ',
    '<failure message="Not met: listOrders: violated holds: expected 204, got 200">✗ Not met: listOrders: violated holds',
    '<skipped message="not tested: no order (name one)"></skipped>',
  ])
    expect(fileOf(reportOf({ judgements, exchanges }))).toContain(part)
})

// biome-ignore format: a table
it.each([
  [{ ...reportOf(), expectedFailures: outOfDate('gone', 'remove it') }, 1, 0, 'name="gone"><failure message="remove it"'],
  [reportOf({ judgements: [judgement('a', 'untested')] }), 0, 1, 'name="verdict"><error message="Incomplete: no gating rule failed, but 1 of 1'],
  [reportOf({ unreachable: 'No "answer".' }), 0, 1, 'name="verdict"><error message="Unreachable: nothing could be judged. No &#34;answer'],
])('has a case of its own for what no rule shows, which the totals count (%#)', (report, failures, errors, shown) => {
  const file = fileOf(report)
  expect(file).toContain(` tests="2" failures="${failures}" errors="${errors}" time="0.812">`)
  expect(file).toContain(shown)
})
