import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clauses as ledger } from '../interface/clauses.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { escaped } from './document.ts'
import { failureText, reportHtml, reportMarkdown, summaryText } from './formats.ts'
import { annotations, appendJobSummary } from './github.ts'
import { junitXml } from './junit.ts'
import { standingOf } from './reading.ts'
import type { Report } from './report.ts'
import {
  exchangeOf,
  exchangeWith,
  judgement,
  outOfDate,
  reportOf,
  reportWith,
  rule,
} from './testing/fixtures.ts'
import { headline } from './words.ts'

const decoded = (text: string) => text.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(code))
/** The text of a page, without its tags, style and script. */
const textOf = (page: string) =>
  decoded(
    page.replace(/<wbr>|<\/?span>/g, '').replace(/<style>.*?<\/style>|<script>.*?<\/script>|<[^>]*>/gs, ' '),
  )

/** The words of each format, without its syntax. */
const formats: Record<string, (report: Report) => string> = {
  terminal: report => `${headline(report)}\n${summaryText(report)}`,
  Markdown: report => decoded(reportMarkdown(report)).replace(/\\(?=[!-/:-@[-`{-~])/g, ''),
  page: report => textOf(reportHtml(report)),
  JUnit: report => decoded(junitXml(report)),
  GitHub: report => annotations(report).replaceAll('%3A', ':').replaceAll('%2C', ','),
}
const wordsIn = (name: string, report: Report) => formats[name]?.(report).replace(/\s+/g, ' ')
const people = ['terminal', 'Markdown', 'page']
const expectedFailure = { reason: 'the gateway is being replaced', owner: 'Ada', expires: '2026-12-31' }
const compared = { expected: '204', actual: '200', message: 'expected 204, got 200' }

/** A report in which everything has happened that reports show. */
const eventful: Report = {
  ...reportOf({
    judgements: [
      judgement('the-rule', 'failed', { ...compared, asked: 'a list of orders', more: 2, exchanges: [0] }),
      judgement('x', 'cantTell', { behind: { id: 'the-rule', operation: 'listOrders' } }),
      judgement('needy', 'untested', { message: 'no order', need: 'name one' }),
      judgement('aside', 'inapplicable', { message: 'no revoked key' }),
      judgement('known', 'failed', { expectedFailure }),
      judgement('advised', 'failed', { level: 'advisory', newSince: '1.0.0' }),
      judgement('new', 'failed', { newSince: '1.0.0' }),
      judgement('met', 'passed'),
    ],
    exchanges: [exchangeWith('{}'), exchangeWith('{}', 1)],
    command: 'npx --no-install store-conformance run --pets 1,2',
    target: { baseUrl: 'https://store.test/v1', reference: true },
  }),
  expectedFailures: outOfDate('gone', 'gone passes: remove it'),
}

describe('what has happened', () => {
  it.each<[text: string, ...others: string[]]>([
    ['Not conformant: 1 of 5 gating rules failed (the-rule), and 2 have no result.'],
    [' at https://store.test/v1 · profile 1.0.0 · gate implied · seed 42'],
    ['Not met: listOrders: the-rule holds', 'JUnit', 'GitHub'],
    ['gone passes: remove it', 'JUnit', 'GitHub'],
    ['2 responses had a 5xx status, first in entry 0 of exchanges.har: PATCH https://store.test/v1/inv'],
    ['he bundled reference store', 'JUnit'],
    ['It forgot.', 'JUnit'],
    ['a list of orders', 'JUnit'],
    ['2 further violations of this rule', 'JUnit'],
    ["curl -i -X PATCH 'https://store.test/v1/inventory/1' --data-raw '{}'", 'JUnit'],
    ['store-conformance run --pets 1,2 --only the-rule --seed 42', 'JUnit'],
    ['1 rule waits for it'],
    ['To test it, name one'],
    ['Failed as expected: listOrders: known holds'],
    ['xpected failure: the gateway is being replaced (Ada, until 2026-12-31)', 'JUnit'],
    ['Advice not followed: listOrders: advised holds'],
    ['Failed, but newer than the profile: listOrders: new holds'],
  ])('is in the terminal, in Markdown and in the page: %s; also in %j', (text, ...others) => {
    for (const name of [...people, ...others]) expect(wordsIn(name, eventful), name).toContain(text)
  })

  it('has no bundled reference store, and no rules of an unreachable store, where there are none', () => {
    for (const name of ['page', 'JUnit']) expect(wordsIn(name, eventful)).toContain('no revoked key')
    expect(wordsIn('page', eventful)).toContain('No rule: a run judges one address; judge staging in a run')
    for (const format of Object.values(formats)) expect(format(reportOf())).not.toContain('bundled reference')
    const unreachable = reportWith({ unreachable: 'No response.' })
    for (const name of people) expect(wordsIn(name, unreachable)).not.toMatch(/All rules|No result/)
  })
})

describe('the terminal', () => {
  it.each([false, true])('shows advice in full, and all ids without a result: %s', whole => {
    const text = summaryText(eventful, { whole })
    expect(text.includes('because   plain sense')).toBe(whole)
    const open = ['a', 'b', 'c', 'd', 'e'].map(id => judgement(id, 'untested', { need: 'name 3 orders' }))
    expect(summaryText(reportOf({ judgements: open }), { whole })).toContain(
      `No result (5)\n  5 rules · To test them, name 3 orders\n      a (listOrders), b (listOrders), c (listOrders), d (listOrders), ${whole ? 'e (listOrders)' : 'and 1 more'}\n`,
    )
  })

  it.each([30, 80, 120])('breaks lines of %i columns at spaces, and no command', width => {
    const report = reportWith({ failed: 40, untested: 60, cantTell: 4 })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
    const text = summaryText(report, { colour: true, width }).replace(/\u001b\[\d+m/g, '')
    for (const line of text.split('\n'))
      expect(line.length <= width || /^ *\S*$|^ +(\$|<) |^ +again .* --seed 42$/.test(line), line).toBe(true)
    const words = (shown: string) => shown.split(/\s+/).join(' ')
    expect(words(text)).toBe(words(summaryText(report)))
  })

  it('shows the last requests and responses of a failure, and of a long body the part that it is about', () => {
    const body = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id })))
    const curl = ['curl -i a', '-i b', '-i c', '-i d'].join(' --next ')
    const request = { ...exchangeOf({}).request, curl }
    const exchanges = [0, 1, 2, 3, 4].map(index =>
      exchangeOf(index === 1 ? undefined : { status: 500, body }, { index, step: `step ${index}`, request }),
    )
    const shown = { expected: 'order 700 afterwards', actual: 'none', exchanges: [0, 1, 2, 3, 4] }
    const text = failureText(rule('a', 'failed', shown), { ...eventful, exchanges })
    const sent = '  # after 3 requests on the same connection, which conformance.html has\n  $ curl -i d\n'
    for (const part of [
      '✗ Not met: listOrders: a holds · a (listOrders)\n  expected  order 700 afterwards\n  got       none\n',
      `\n\n  step 1:\n${sent}  ! no response: the connection ended\n\n`,
      `\n\n  step 2:\n${sent}  < 500\n  < Content-Type: application/json\n  < … `,
      '  < {"id":699},\n  < {"id":700},\n  < {"id":701},\n',
    ])
      expect(text).toContain(part)
    expect(text).toMatch(/… \(\d+ more characters\)$/)
    expect(text).not.toContain('step 0')
  })
})

describe('the page', () => {
  const count = (text: string, part: string) => text.split(part).length - 1

  it.each([
    ['no failure', reportWith(), 1],
    ['a hundred failures', reportWith({ failed: 100, untested: 60, cantTell: 12 }), 1],
    ['an unreachable store', reportWith({ unreachable: 'it cannot be reached' }), 0],
  ])('of %s has each clause, rule, failure and id once, and no broken link', (_name, report, times) => {
    const page = reportHtml(report)
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, to = ''] of page.matchAll(/\shref="#([^"]*)"/g)) expect(ids).toContain(to)
    for (const { id, clause, operation, level } of times ? report.rules : []) {
      const section = page.split(`<section id="clause-${clause}">`)[1]?.split('</section>')[0] ?? ''
      expect(textOf(section)).toContain(escaped((ledger as Record<string, string>)[clause] ?? '?'))
      expect(textOf(section), id).toMatch(new RegExp(`${id} .* ${operation}, ${level}`))
    }
    const failed = report.rules.filter(each => standingOf(each, report.gate) === 'failed')
    for (const { id } of failed) expect(count(page, `id="failed-${id}"`), id).toBe(times)
    expect(count(page, 'id="failed-')).toBe(new Set(failed.map(({ id }) => id)).size)
  })

  it('allows the browser to load nothing, and to execute only its own style and script', () => {
    const policy =
      /"default-src 'none'; style-src 'sha256-\S{44}'; script-src 'sha256-\S{44}'; base-uri 'none'; form-action 'none'"/
    expect(decoded(reportHtml(reportWith()))).toMatch(policy)
  })
})

describe('GitHub', () => {
  it('gets an annotation for each cause, for no verdict, and for a stale entry, but none for an expected failure', () => {
    expect(annotations({ ...reportWith({ failed: 60 }), gate: 'advisory' })).toMatch(
      /^::error title=[a-z0-9-]+ \(§[\d.]+\)::Not met: .+: expected .+, got .+; also [a-z0-9-]+ \(cancelOrder, listInventory, updateInventory\)$/m,
    )
    expect(annotations(reportWith({ cantTell: 1 }))).toMatch(
      /^::error title=No verdict::Incomplete: [^\n]*\n$/,
    )
    const judgements = [judgement('a', 'failed', { expectedFailure }), judgement('b', 'passed')]
    const expectedFailures = outOfDate('x', '100% passes')
    expect(annotations({ ...reportOf({ judgements }), expectedFailures })).toBe(
      '::error title=Expected failure out of date::100%25 passes\n',
    )
  })

  it('gets a job summary after that of other steps, below its limit', () => {
    const path = join(newFolder(), 'summary.md')
    for (const text of ['## first', 'x'.repeat(2_000_000)])
      expect(appendJobSummary(text, path)).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toBe(`## first\n${'x'.repeat(1024 * 1024)}`)
    expect(appendJobSummary('', join(path, 'no', 'folder'))).toMatch(/ENOTDIR/)
  })
})
