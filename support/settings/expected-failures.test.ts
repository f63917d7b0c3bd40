import { describe, expect, test } from 'vitest'
import type { Outcome } from '../interface/description.ts'
import { type ExpectedFailure, excuseFor, parseExpectedFailures, staleEntries } from './expected-failures.ts'

const excuse = { reason: 'a queue answers first', owner: 'orders', expires: '2026-12-31' }

/** An entry of a file. A member that is undefined is left out. */
const entry = (more: Readonly<Record<string, string | undefined>> = {}) =>
  Object.entries({ rule: 'cancel-shipped-409', operation: 'cancelOrder', ...excuse, ...more })
    .filter(([, value]) => value !== undefined)
    .map(([name, value], at) => `${at === 0 ? '- ' : '  '}${name}: ${value}`)
    .join('\n')

function parsed(text: string) {
  const mistakes: string[] = []
  const { entries } = parseExpectedFailures(text, 'known.yaml', problem => void mistakes.push(problem))
  return { entries, mistakes: mistakes.map(each => each.replace('known.yaml:', '')) }
}

describe('a file of expected failures', () => {
  const two = `# known\n\n${entry()}\n\n${entry({ rule: 'auth-*', operation: undefined })}\n# the end\n`
  // biome-ignore format: a table
  test.each<[string, string, ...Partial<ExpectedFailure>[]]>([
    ['several entries', two, { rule: 'cancel-shipped-409', operation: 'cancelOrder', line: 3 }, { rule: 'auth-*', line: 9 }],
    ['values that stay text', entry({ reason: 'no', owner: '42' }), { reason: 'no', owner: '42' }],
    ['one line', `[{ rule: cancel-*, operation: cancelOrder, reason: b, owner: c, expires: 2026-01-01 }]`, { line: 1 }],
    ['Windows line ends, and a byte order mark', `\ufeff${entry()}`.replaceAll('\n', '\r\n'), { line: 1 }],
    ['nothing', ''], ['a comment', '# nothing\n'], ['an empty list', '[]'], ['an empty document', '---\n'],
  ])('may have %s', (_title, text, ...entries) => {
    expect(parsed(text)).toMatchObject({ entries, mistakes: [] })
  })

  const several = [
    entry({ expires: '2026-02-30' }),
    entry({ operation: 'cancelOrders', until: 'soon' }),
    '- just a text',
    entry({ reason: '""', owner: undefined }),
  ]
  // biome-ignore format: a table
  test.each<[string, string, ...RegExp[]]>([
    ['several mistakes', several.join('\n'), /^1: expires is "2026-02-30", not a date such as 2026-12-31$/, /^6: operation is "cancelOrders", not one of listOrders, cancelOrder, /, /^6: Unrecognized key: "until"$/, /^12: Invalid input: expected object/, /^13: reason is empty$/, /^13: owner is missing$/],
    ['no list', 'rule: x', /^known.yaml is not a list of entries with rule, operation, reason, owner, expires$/],
    ['broken YAML', '- { rule: [', /^1: /, /./],
    ['a name twice in an entry', `${entry()}\n  owner: other`, /^6: .*unique/i],
    ['a time with the date', entry({ expires: '2026-12-31T00:00:00Z' }), /^1: expires/],
    ['two documents', `${entry()}\n---\n${entry()}\n`, /^6: .*multiple documents/],
  ])('is refused with %s, each with its line', (_title, text, ...problems) => {
    expect(parsed(text).mistakes).toEqual(problems.map(each => expect.stringMatching(each)))
  })

  test('is refused if aliases expand without limit', () => {
    const text = `- a: &a [x]\n  b: &b [${Array(20).fill('*a')}]\n  c: [${Array(20).fill('*b')}]`
    expect(() => parsed(text)).toThrow('alias')
  })
})

const operation = 'cancelOrder'
const known = (...entries: readonly Partial<ExpectedFailure>[]) => ({
  file: 'known.yaml',
  entries: entries.map(each => ({ rule: 'cancel-*', operation, line: 3, ...excuse, ...each })),
})
const [failing, passing] = [
  { id: 'cancel-a', operation },
  { id: 'list-b', operation: 'listOrders' },
]

// biome-ignore format: a table
test.each<[string, Partial<ExpectedFailure>, Parameters<typeof excuseFor>[0], string, boolean]>([
  ['a failure', {}, { rule: failing, outcome: 'failed' }, '2026-12-31', true],
  ['what waits for it', {}, { rule: passing, outcome: 'cantTell', behind: failing }, '2026-12-31', true],
  ['what waits for another', {}, { rule: failing, outcome: 'cantTell', behind: passing }, '2026-12-31', false],
  ['what waits for nothing', {}, { rule: failing, outcome: 'cantTell' }, '2026-12-31', false],
  ['after its last day', {}, { rule: failing, outcome: 'failed' }, '2027-01-01', false],
  ['of another operation', { operation: 'listOrders' }, { rule: failing, outcome: 'failed' }, '2026-12-31', false],
  ['of any operation', { operation: undefined }, { rule: failing, outcome: 'failed' }, '2026-12-31', true],
  ['of another rule', { rule: 'cancel-b' }, { rule: failing, outcome: 'failed' }, '2026-12-31', false],
])('an entry excuses %s', (_what, given, judged, today, isExcused) => {
  expect(excuseFor(judged, known(given), today)).toEqual(isExcused ? excuse : undefined)
})

const FIXED = 'known.yaml:3: cancel-a of cancelOrder is fixed: remove it'
const EXPIRED = 'known.yaml:3: the expected failure of cancel-* expired on 2026-12-31 (orders): remove it'

// biome-ignore format: a table
test.each<[Outcome, Outcome, today: string, why?: string, message?: string]>([
  ['failed', 'cantTell', '2026-12-31'],
  ['untested', 'inapplicable', '2026-12-31'],
  ['passed', 'passed', '2026-12-31', 'passed', FIXED],
  ['passed', 'failed', '2026-12-31', 'passed', FIXED.replace('remove', 'name only what still fails, or remove')],
  ['passed', 'passed', '2027-01-01', 'passed', FIXED],
  ['failed', 'failed', '2027-01-01', 'expired', EXPIRED],
])('an entry whose rules are %s and %s, on %s, is stale: %s', (one, other, today, why, message) => {
  const judged = [
    { ...failing, outcome: one },
    { ...failing, id: 'cancel-c', outcome: other },
    { ...passing, outcome: 'passed' as const },
  ]
  const stale = why ? [{ rule: 'cancel-*', operation, why, message }] : []
  expect(staleEntries(known({}), judged, today)).toEqual(stale)
  expect(staleEntries(known({ rule: 'cancel-z' }), judged, '2026-12-31')).toEqual([])
})
