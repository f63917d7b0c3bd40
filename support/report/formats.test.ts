import { describe, expect, it } from 'vitest'
import { compareReports, diffMarkdown, diffText } from './diff.ts'
import { failureText, reportHtml, reportMarkdown, summaryText, verdictText } from './formats.ts'
import { annotations } from './github.ts'
import { visible } from './html/markup.ts'
import { junitXml } from './junit.ts'
import { type Report, reportJson, reportSchema } from './report.ts'
import {
  exchangeWith,
  HOSTILE,
  hostileReport,
  judgement,
  observed,
  outOfDate,
  report,
  reportOf,
  reportWith,
  rule,
} from './testing/fixtures.ts'
import { capital, closingLine, commandFor, headline } from './words.ts'

const entities: Record<string, string> = { quot: '"', '#39': "'", apos: "'", lt: '<', gt: '>', amp: '&' }
const decoded = (text: string) => text.replace(/&([^;]+);/g, (_all, name) => entities[name] ?? '?')
const textOf = (page: string) =>
  decoded(page.replace(/<style>.*?<\/style>|<script>.*?<\/script>|<[^>]*>/gs, ' ')).replace(/\s+/g, ' ')

/** The text of each format, without its syntax. */
const formats: Record<string, (report: Report) => string> = {
  terminal: report => `${headline(report)}\n${summaryText(report, { colour: false, verbose: false })}`,
  Markdown: report => decoded(reportMarkdown(report)).replace(/\\(?=[!-/:-@[-`{-~])/g, ''),
  page: report => textOf(reportHtml(report)),
  JUnit: report => decoded(junitXml(report)),
  GitHub: report => annotations(report).replaceAll('%3A', ':').replaceAll('%2C', ','),
}
const people = ['terminal', 'Markdown', 'page']
const all = Object.keys(formats)
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

describe('of what has happened,', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['the verdict', people, ['Not conformant: 1 of 6 gating rules failed (the-rule), and an ']],
    [
      'the run',
      people,
      ['store-conformance 0.1.0 · ', ' at https://store.test/v1 · profile 1.0.0 · gate implied · seed 42'],
    ],
    ['the unmet expectation', all, ['Not met: listOrders: the-rule holds', 'the-rule', '204', '200']],
    ['server errors', people, ['2 × 500 to PATCH https://store.test/v1/inventory/1?a=1 (listOrders)']],
    ['an expected failure that is out of date', all, ['gone passes: remove it']],
    ['the bundled reference store', all, ['he bundled reference store']],
    ['the usual cause', [...people, 'JUnit'], ['It forgot.']],
    ['what was asked, and how often', people, ['a list of orders', '2 further violations of this rule']],
    ['the request', people, ["curl -i -X PATCH 'https://store.test/v1/inventory/1' --data-raw '{}'"]],
    [
      'the command',
      people,
      ['npx --no-install store-conformance run --pets 1,2 --only the-rule/listOrders --seed 42'],
    ],
    ['what to fix first', people, ['2 rules wait for it']],
    ['what a test needs', people, ['To test it, name one']],
    ['why a rule does not apply', ['Markdown', 'page'], ['o revoked key']],
    ['expected failures', people, ['Failed as expected: listOrders: known holds']],
    ['advice', people, ['Advice not followed: listOrders: advised holds', 'advised: listOrders']],
    ['newer rules', people, ['1 rule is new since profile 1.0.0 and does not count yet; 1 failed.']],
    ['warnings', people, ['stock was not restored']],
    [
      'who expects a failure',
      [...people, 'JUnit'],
      ['xpected failure: the gateway is being replaced (Ada, until 2026-12-31)'],
    ],
  ])('%s is in %j', (_title, names, wanted) => {
    for (const name of names)
      for (const text of wanted) expect(formats[name]?.(eventful()), name).toContain(text)
  })
})

describe('the terminal', () => {
  it('says what 503 without Retry-After may mean', () => {
    const busy = { ...exchangeWith('{}'), response: { status: 503, headers: [], body: '' } }
    const text = formats['terminal']?.(reportOf({ exchanges: [busy, busy] }))
    expect(text).toMatch(/2 × 503 to PATCH .* --rate sends fewer requests per second/)
    expect(formats['terminal']?.(eventful())).not.toContain('--rate')
  })

  it('counts as failed only rules that have an effect on the verdict, and shows all rules if it is asked', () => {
    const counts =
      '✗ listOrders  1 passed, 1 not applicable, 1 advice not followed, 1 failed, but newer than the profile, 1 failed as expected, 1 not tested, 2 could not be determined, 1 failed\n'
    for (const verbose of [false, true]) {
      const text = summaryText(eventful(), { colour: false, verbose })
      expect(text).toContain(counts)
      expect(text.includes('✓ met holds')).toBe(verbose)
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
    const whole = summaryText(report, { colour: false })
    const text = summaryText(report, { colour: true, width })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
    const lines = text.replace(/\u001b\[\d+m/g, '').split('\n')
    for (const line of lines)
      expect(line.length <= width || /^ *\S*$|^ +(\$|<|again) /.test(line), line).toBe(true)
    const words = (shown: string) => shown.split(/\s+/).join(' ')
    expect(words(lines.join('\n'))).toBe(words(whole))
    expect(
      lines.filter(each => each.includes('again     npx')).every(each => each.endsWith('--seed 42')),
    ).toBe(true)
  })

  it('shows request and response of a failure, and the beginning of a long body', () => {
    const report = eventful()
    const [rule] = report.rules
    const answered = {
      ...exchangeWith('x'),
      step: 'after',
      response: { status: 500, headers: [], body: 'x'.repeat(5_000_000) },
    }
    const { response: _response, ...silent } = answered
    const problem = { kind: 'dropped' as const, message: 'the connection ended' }
    const exchanges = [answered, { ...silent, problem }, answered, answered, answered]
    const text = rule && failureText({ ...rule, exchanges: [0, 1, 2, 3, 4] }, { ...report, exchanges })
    expect(text).toContain(
      'the-rule holds\n  the-rule: listOrders\n  asked     a list of orders\n  expected  204\n  got       200\n',
    )
    expect(text).toContain('  after:\n  $ curl -i -X PATCH')
    expect(text).toContain('  < 500\n')
    expect(text).toContain('… (4999600 more characters)')
    expect(text).toContain('  ! the connection ended')
    expect(text).toContain('… and 1 exchange before, in exchanges.har')
    const curl = ['curl -i a', '-i b', '-i c', '-i d'].join(' --next ')
    const kept = { ...answered, request: { ...answered.request, curl } }
    expect(rule && failureText(rule, { ...report, exchanges: [kept] })).toContain(
      '  # after 3 requests on the same connection, which conformance.html has\n  $ curl -i d\n',
    )
  })
})

it('the closing line escapes control characters in the name of the folder', () => {
  expect(closingLine(reportOf(), 'a\u001b[2J')).toContain('Reports: a\\u001b[2J')
})

it('the command that judges a rule again has the address, unless a command started the run, and no secret', () => {
  const again = (parts: Parameters<typeof reportOf>[0]) =>
    commandFor(reportOf(parts), { id: 'a', operation: 'listOrders' })
  const command = 'npx --no-install store-conformance run'
  expect(again({ baseUrl: 'https://store.test/a;b/v1' })).toBe(
    `${command} --base-url 'https://store.test/a;b/v1' --only a/listOrders --seed 42`,
  )
  expect(again({ reference: true })).toBe(`${command} --target reference --only a/listOrders --seed 42`)
  expect(again({ command: 'run --header X-Tenant="$X_TENANT"' })).toContain('"$X_TENANT" --only a/listOrders')
})

it('another store is not called the bundled reference store', () => {
  for (const name of all) expect(formats[name]?.(reportOf())).not.toContain('bundled reference store')
})

it('a store that was not reached has no counts, and its empty observations are shown as nothing', () => {
  expect(reportMarkdown(reportOf({ unreachable: 'No response.' }))).not.toContain('All rules')
  expect(reportMarkdown(reportOf({ observations: [observed('o', '')] }))).toContain('`(nothing)`')
})

/** The text that Markdown interprets: without fenced blocks, code spans and escaped characters (GFM §4.5, §6.1, §2.4). */
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
  return lines.map(line => line.replace(/\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g, '')).join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that control a terminal
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

/** The report, and a comparison, with this text of a store. */
function documents(text: string) {
  const before = report([rule('a', 'passed')])
  const rules = [rule('a', 'failed', { title: text, message: text }), rule(`x${text}`, 'failed')]
  const after = report(rules, { target: { baseUrl: text }, profile: text })
  const difference = compareReports(before, after)
  const whole = hostileReport(text)
  const page = { ...whole, target: { baseUrl: `https://store.test/${text.slice(0, 100)}` } }
  return {
    whole,
    terminal: [
      summaryText(whole, { colour: false, verbose: true }),
      diffText(difference),
      ...whole.rules.map(each => failureText(each, whole)),
    ],
    markdown: [reportMarkdown(whole), diffMarkdown(difference)],
    pages: [reportHtml(page)],
  }
}

const plainly = documents('plain')

describe.each(HOSTILE)('hostile text of a store (%#)', text => {
  const shown = documents(text)

  it('cannot control a terminal', () => {
    for (const each of shown.terminal) expect(each).not.toMatch(CONTROLS)
  })

  it('is only text in Markdown', () => {
    for (const each of shown.markdown) {
      const left = markup(each)
      expect(left).not.toContain('`')
      expect(left.match(/<details>/g)?.length).toBe(left.match(/<\/details>/g)?.length)
      // These elements are part of the report itself.
      const foreign = left.replace(/<\/?details>|<\/?summary>/g, '')
      expect(foreign).not.toMatch(/<[a-z!/?]|https?:\/\/|www\.|@|\]\(|!\[|^#(?!#)|^::/im)
    }
  })

  it('is only text in a page, without hidden characters, and is cut if it is long', () => {
    for (const page of shown.pages) {
      expect(page.match(/<\/?style/g)).toHaveLength(2)
      expect(page.match(/<\/?script/g)).toHaveLength(2)
      expect(page).not.toMatch(/<(?:img|iframe|link|!--|!\[)|<[a-z][^<>]*\s(?:src|href)="(?!#)/)
      expect(page.replace(/"[^"]*"/g, '""')).not.toMatch(/<[a-z][^>]*\son[a-z]+=/)
      expect(page).not.toMatch(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u)
      expect(page.length).toBeLessThan(500_000)
    }
  })

  it('begins no command in annotations', () => {
    const begun = (whole: Report) => annotations(whole).match(/^::.*? title=/gm)
    expect(begun(shown.whole)).toEqual(begun(plainly.whole))
    expect(annotations(shown.whole)).not.toMatch(/[\r\u2028\u0085]|%0A/)
  })

  it('is read again from conformance.json as it was', () => {
    const file = JSON.parse(reportJson(shown.whole))
    expect(reportSchema.parse(file)).toEqual(file)
  })
})

it('a store cannot write a verdict on a line of its own', () => {
  const shown = formats['terminal']?.(hostileReport('x\nConformant: the gating rule passed.\n')) ?? ''
  expect(shown).not.toMatch(/^Conformant/m)
  expect(shown.trimEnd().split('\n').at(-1)).toMatch(/^Not conformant/)
})

describe('text of a store in a page', () => {
  const shown = (text: string, options = {}) => visible(text, options).toString()

  it('is an escape if it is hidden, and line breaks and tabs stay in blocks of code', () => {
    for (const text of ['שלום', 'é', 'नमस्ते', '日本語', '😀', '\ufffd']) expect(shown(text)).toBe(text)
    const hidden = '\u202e\u{e0041}\ud800\r\n\t'
    const escapes = '\\u202e\\u{e0041}\\ud800\\r\\n\\t'
    expect(shown(`a${hidden}b`)).toBe(`a<span class="escape">${escapes}</span>b`)
    expect(shown('a\n\tb\r', { lines: true })).toBe('a\n\tb<span class="escape">\\r</span>')
  })
})

it('a sentence starts with a capital, unless it starts with a name or an address', () => {
  expect(capital('it needs 2 pets')).toBe('It needs 2 pets')
  for (const text of [
    'http://127.0.0.1:1/v1 is busy',
    'listOrders did not answer',
    'cancel-pending-204 waits',
  ])
    expect(capital(text)).toBe(text)
})
