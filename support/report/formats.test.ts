import { describe, expect, it } from 'vitest'
import { compareReports, diffMarkdown, diffText } from './diff.ts'
import { failureText, reportHtml, reportMarkdown, summaryText, verdictText } from './formats.ts'
import { annotations } from './github.ts'
import { junitXml } from './junit.ts'
import { type Report, reportJson, reportSchema } from './report.ts'
import {
  exchangeOf,
  exchangeWith,
  HOSTILE,
  hostileReport,
  judgement,
  outOfDate,
  report,
  reportOf,
  reportWith,
  rule,
} from './testing/fixtures.ts'
import { commandFor, headline } from './words.ts'

const entities: Record<string, string> = { quot: '"', '#39': "'", apos: "'", lt: '<', gt: '>', amp: '&' }
const decoded = (text: string) => text.replace(/&([^;]+);/g, (_all, name) => entities[name] ?? '?')
/** The text of a page or of XML, without its tags, style and script. */
const textOf = (page: string) =>
  decoded(page.replace(/<style>.*?<\/style>|<script>.*?<\/script>|<[^>]*>/gs, ' '))

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
const excuse = { reason: 'the gateway is being replaced', owner: 'Ada', expires: '2026-12-31' }

/** A report in which everything has happened that reports show. */
const eventful = (): Report => ({
  ...reportOf({
    judgements: [
      judgement('the-rule', 'failed', {
        expected: '204',
        actual: '200',
        usually: 'It forgot.',
        message: 'expected 204, got 200',
        asked: 'a list of orders',
        more: 2,
        exchanges: [0],
      }),
      judgement('x', 'cantTell', { behind: { id: 'the-rule', operation: 'listOrders' } }),
      judgement('y', 'cantTell', { behind: { id: 'x', operation: 'listOrders' } }),
      judgement('needy', 'untested', { message: 'no order', need: 'name one' }),
      judgement('aside', 'inapplicable', { message: 'no revoked key' }),
      judgement('known', 'failed', { expectedFailure: excuse }),
      judgement('advised', 'failed', { level: 'advisory' }),
      judgement('new', 'failed', { newSince: '1.0.0' }),
      judgement('met', 'passed'),
    ],
    exchanges: [exchangeWith('{}'), exchangeWith('{}', 1)],
    command: 'npx --no-install store-conformance run --pets 1,2',
    warnings: ['stock was not restored'],
    reference: true,
  }),
  expectedFailures: outOfDate('known.yaml', 'gone', 'gone passes: remove it'),
})

describe('what has happened', () => {
  const everywhere = ['JUnit', 'GitHub']
  it.each<[text: string, others?: readonly string[]]>([
    ['Not conformant: 1 of 6 gating rules failed (the-rule).'],
    [' at https://store.test/v1 · profile 1.0.0 · gate implied · seed 42'],
    ['Not met: listOrders: the-rule holds', everywhere],
    ['gone passes: remove it', everywhere],
    ['2 responses had a 5xx status, first in entry 0 of exchanges.har: PATCH https://store.test/v1/inv'],
    ['he bundled reference store', ['JUnit']],
    ['It forgot.', ['JUnit']],
    ['a list of orders', ['JUnit']],
    ['2 further violations of this rule', ['JUnit']],
    ["curl -i -X PATCH 'https://store.test/v1/inventory/1' --data-raw '{}'", ['JUnit']],
    ['store-conformance run --pets 1,2 --only the-rule/listOrders --seed 42', ['JUnit']],
    ['2 rules wait for it'],
    ['To test it, name one'],
    ['Failed as expected: listOrders: known holds'],
    ['xpected failure: the gateway is being replaced (Ada, until 2026-12-31)', ['JUnit']],
    ['Advice not followed: listOrders: advised holds'],
    ['advised: listOrders'],
    ['Failed, but newer than the profile: listOrders: new holds'],
    ['stock was not restored'],
  ])('is in the terminal, in Markdown and in the page: %s; also in %j', (text, others = []) => {
    for (const name of [...people, ...others]) expect(wordsIn(name, eventful()), name).toContain(text)
  })

  it('why a rule does not apply is in the page and in JUnit', () => {
    for (const name of ['page', 'JUnit']) expect(wordsIn(name, eventful())).toContain('no revoked key')
  })

  it('the bundled reference store, and no verdict of an unreachable store, are nowhere else', () => {
    for (const format of Object.values(formats)) expect(format(reportOf())).not.toContain('bundled reference')
    const unreachable = reportWith({ unreachable: 'No response.' })
    for (const name of people) expect(wordsIn(name, unreachable)).not.toMatch(/All rules|No result/)
  })
})

describe('the terminal', () => {
  it('shows rules that passed, and advice in full, only if it is asked', () => {
    for (const whole of [false, true]) {
      const text = summaryText(eventful(), { whole })
      expect(text.includes('✓ met met holds')).toBe(whole)
      expect(text.includes('because   plain sense')).toBe(whole)
    }
  })

  it('lists rules without a result by need, with some of their ids', () => {
    const untested = (id: string) => judgement(id, 'untested', { need: 'name 3 pending orders' })
    const report = reportOf({ judgements: ['a', 'b', 'c', 'd', 'e', 'f'].map(untested) })
    expect(verdictText(report)).toContain(
      'No result (6):\n  6 rules · To test them, name 3 pending orders\n      a (listOrders), b (listOrders), c (listOrders), d (listOrders), and 2 more',
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

  it('shows request and response of a failure, and the beginning of a long body', () => {
    const exchanges = [0, 1, 2, 3, 4].map(index =>
      exchangeOf(index === 1 ? undefined : { status: 500, body: 'x'.repeat(5_000_000) }, {
        index,
        step: 'after',
      }),
    )
    const [rule = expect.fail()] = eventful().rules
    const report = { ...eventful(), exchanges }
    const text = failureText({ ...rule, exchanges: [0, 1, 2, 3, 4] }, report)
    for (const part of [
      'the-rule holds\n  the-rule: listOrders\n  asked     a list of orders\n  expected  204\n  got       200\n',
      '\n\n  after:\n  $ curl …\n  < 500\n  < content-type: application/json\n',
      '… (4999400 more characters)',
      '  ! no response: the connection ended',
      '  before    1 exchange, in exchanges.har',
    ])
      expect(text).toContain(part)
    const curl = ['curl -i a', '-i b', '-i c', '-i d'].join(' --next ')
    const [first = expect.fail()] = exchanges
    const chain = { ...first, request: { ...first.request, curl } }
    expect(failureText(rule, { ...report, exchanges: [chain] })).toContain(
      '  # after 3 requests on the same connection, which conformance.html has\n  $ curl -i d\n',
    )
  })
})

it('the command that judges a rule again has the address, unless a command started the run, and no secret', () => {
  const again = (parts: Parameters<typeof reportOf>[0]) => commandFor(reportOf(parts), [rule('a', 'failed')])
  const command = 'npx --no-install store-conformance run'
  expect(again({ baseUrl: 'https://store.test/a;b/v1' })).toBe(
    `${command} --base-url 'https://store.test/a;b/v1' --only a/listOrders --seed 42`,
  )
  expect(again({ reference: true })).toBe(`${command} --target reference --only a/listOrders --seed 42`)
  expect(again({ command: 'run --header X-Tenant="$X_TENANT"' })).toContain('"$X_TENANT" --only a/listOrders')
})

/** The text that Markdown interprets: without fenced blocks and escaped characters (GFM §4.5, §2.4). */
function markup(text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const run = /^ {0,3}(`{3,})/.exec(line)?.[1]
    if (fence === undefined && run) fence = run
    else if (fence !== undefined && run && run.length >= fence.length && line.trim() === run)
      fence = undefined
    else if (fence === undefined) lines.push(line)
  }
  expect(fence).toBeUndefined()
  return lines.map(line => line.replace(/\\[!-/:-@[-`{-~]/g, '')).join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that control a terminal
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

/** The comparison of two reports with this text of a store. */
const differenceWith = (text: string) =>
  compareReports(
    report([rule('a', 'passed')]),
    report([rule('a', 'failed', { title: text, message: text }), rule(`x${text}`, 'failed')], {
      target: { baseUrl: text },
      profile: text,
    }),
  )

const begun = (whole: Report) => annotations(whole).match(/^::.*? title=/gm)
const plainlyBegun = begun(hostileReport('plain'))

describe.each(HOSTILE)('hostile text of a store (%#)', text => {
  const whole = hostileReport(text)

  it('cannot control a terminal', () => {
    const failures = whole.rules.map(each => failureText(each, whole))
    for (const each of [summaryText(whole, { whole: true }), diffText(differenceWith(text)), ...failures])
      expect(each).not.toMatch(CONTROLS)
  })

  it('is only text in Markdown', () => {
    for (const each of [reportMarkdown(whole), diffMarkdown(differenceWith(text))]) {
      const left = markup(each)
      expect(left).not.toContain('`')
      expect(left.match(/<details>/g)?.length).toBe(left.match(/<\/details>/g)?.length)
      // These elements are part of the report itself.
      const foreign = left.replace(/<\/?details>|<\/?summary>/g, '')
      expect(foreign).not.toMatch(/<[a-z!/?]|https?:\/\/|www\.|@|\]\(|!\[|^#(?!#)|^::/im)
    }
  })

  it('is only text in a page, without hidden characters, and is cut if it is long', () => {
    const page = reportHtml({ ...whole, target: { baseUrl: `https://store.test/${text.slice(0, 100)}` } })
    expect(page.match(/<\/?(style|script)/g)).toHaveLength(4)
    expect(page).not.toMatch(/<(?:img|iframe|link|!--|!\[)|<[a-z][^<>]*\s(?:src|href)="(?!#)/)
    expect(page.replace(/"[^"]*"/g, '""')).not.toMatch(/<[a-z][^>]*\son[a-z]+=/)
    expect(page).not.toMatch(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u)
  })

  it('begins no command in annotations', () => {
    expect(begun(whole)).toEqual(plainlyBegun)
    expect(annotations(whole)).not.toMatch(/[\r\u2028\u0085]|%0A/)
  })

  it('is read again from conformance.json as it was', () => {
    const file = JSON.parse(reportJson(whole))
    expect(reportSchema.parse(file)).toEqual(file)
  })
})

it('a store cannot write a verdict on a line of its own', () => {
  const shown = summaryText(hostileReport('x\nConformant: the gating rule passed.\n'))
  expect(shown).not.toMatch(/^Conformant/m)
  expect(shown.trimEnd().split('\n').at(-1)).toMatch(/^Not conformant/)
})
