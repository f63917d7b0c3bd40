import { describe, expect, test } from 'vitest'
import { parseExpectedFailures } from './expected-failures.ts'

const entry = (more: Readonly<Record<string, string>> = {}) =>
  Object.entries({
    rule: 'cancel-shipped-409',
    operation: 'cancelOrder',
    reason: 'a queue answers first',
    owner: 'orders',
    expires: '2026-12-31',
    ...more,
  })
    .map(([name, value], at) => `${at === 0 ? '- ' : '  '}${name}: ${value}`)
    .join('\n')

const mistakesIn = (text: string) => {
  const parsed = parseExpectedFailures(text, 'known.yaml')
  return 'mistakes' in parsed ? parsed.mistakes.map(({ problem }) => problem.replace('known.yaml:', '')) : []
}
const entriesIn = (text: string) => {
  const parsed = parseExpectedFailures(text, 'known.yaml')
  if ('mistakes' in parsed) throw new Error(JSON.stringify(parsed.mistakes))
  return parsed.entries
}

/** Its 400 aliases are more than the parser allows. */
const EXPANDING = `- a: &a [x]\n  b: &b [${Array(20).fill('*a')}]\n  c: [${Array(20).fill('*b')}]`

describe('a file of expected failures', () => {
  test('is a list of entries, each with its lines', () => {
    const text = `# known\n\n${entry()}\n\n${entry({ rule: 'cancel-pending-204' })}\n# the end\n`
    expect(entriesIn(text).map(({ rule, lines }) => [rule, lines])).toEqual([
      ['cancel-shipped-409', [3, 7]],
      ['cancel-pending-204', [9, 13]],
    ])
    // Each value stays text.
    expect(entriesIn(entry({ reason: 'no', owner: '42' }))[0]).toMatchObject({ reason: 'no', owner: '42' })
  })

  test.each([
    ['a dash on a line of its own', `-\n${entry().replace('- ', '  ')}\n`, [1, 6]],
    ['one line', `[{ rule: a, operation: cancelOrder, reason: b, owner: c, expires: 2026-01-01 }]`, [1, 1]],
    ['Windows line ends', entry().replaceAll('\n', '\r\n'), [1, 5]],
    ['a byte order mark', `\ufeff${entry()}`, [1, 5]],
  ])('may have %s', (_title, text, lines) => {
    expect(entriesIn(text)[0]?.lines).toEqual(lines)
  })

  test('may have a glob once for each operation', () => {
    const glob = (operation: string) => entry({ rule: 'auth-*', operation })
    expect(entriesIn(`${glob('listOrders')}\n${glob('cancelOrder')}`)).toHaveLength(2)
    expect(mistakesIn(`${glob('listOrders')}\n${glob('listOrders')}`)).toHaveLength(1)
  })

  test.each(['', '# nothing\n', '[]', '---\n'])('may be empty: %j', text => {
    expect(entriesIn(text)).toEqual([])
  })

  test('reports all mistakes at once, each with its line', () => {
    const text = [
      entry({ expires: '2026-02-30' }),
      entry({ operation: 'cancelOrders', until: 'soon' }),
      '- just a text',
      entry({ reason: '""' }).replace(/\n {2}owner: .*/, ''),
    ].join('\n')
    expect(mistakesIn(text).map(problem => problem.split(';')[0])).toEqual([
      '5: expires is "2026-02-30", not a date such as 2026-12-31',
      expect.stringMatching(/^7: operation is "cancelOrders", not one of listOrders/),
      '11: "until" is unknown',
      '12: is not an entry',
      '13: owner is missing',
      '15: reason is empty',
    ])
  })

  test('a second document is named with its line, and in our words', () => {
    expect(mistakesIn(`${entry()}\n---\n${entry()}\n`)).toEqual([
      '6: a second document begins here; write one list, without a line ---',
    ])
  })

  test.each([
    ['the same rule twice', `${entry()}\n${entry()}`, /^cancel-shipped-409 is listed on line 1 already/],
    ['no list', 'rule: x', /^is not a list/],
    ['broken YAML', '- { rule: [', /./],
    ['a name twice in an entry', `${entry()}\n  owner: other`, /unique/i],
    ['a time with the date', entry({ expires: '2026-12-31T00:00:00Z' }), /^expires/],
    ['aliases that expand without limit', EXPANDING, /^is not a list/],
  ])('is refused with %s', (_title, text, problem) => {
    expect(mistakesIn(text)[0]?.replace(/^\d+: /, '')).toMatch(problem)
  })
})
