import { expect, it } from 'vitest'
import { findingsOf } from '../../suites/cause.ts'
import { judgeLog } from '../../suites/oracle/judge.ts'
import { firstInexplicable, type Move } from '../../suites/oracle/linearizable.ts'
import { canonical, toInteger } from '../../suites/oracle/numbers.ts'
import { judgementsOf } from '../../suites/outcome.ts'
import { rules } from '../../suites/rules.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import { judgedStore } from '../selfcheck/oracle.ts'
import { faults } from './faults.ts'
import { judgeByLog } from './judge-by-log.ts'

const judged = async (change: Parameters<typeof judgedStore>[0], mode: 'states' | 'named', seed = 1) => {
  const result = await judgedStore(change, { mode, seed }, judgeByLog)
  if (!('judgements' in result)) throw new Error(result.cause)
  return result
}
const failedIn = ({ judgements }: Awaited<ReturnType<typeof judged>>) =>
  judgements
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ cell }) => `${cell.rule.id} ${cell.operation}`)

it.each(['states', 'named'] as const)(
  'the bundled store violates nothing (%s), with at most 1,200 requests',
  async mode => {
    const result = await judged([], mode)
    expect(failedIn(result)).toEqual([])
    expect(result.log.exchanges.length).toBeLessThanOrEqual(1_200)
    const unsure = result.judgements.filter(({ outcome }) => outcome === 'cantTell' || outcome === 'untested')
    expect(unsure.map(({ cell, message }) => `${cell.rule.id} ${cell.operation}: ${message}`)).toEqual([])
  },
)

it('the same log, read from JSON, gives the same outcomes', async () => {
  const fault = faults.find(({ id }) => id === 'cancel-all')
  const { log, judgements } = await judged(fault ? [fault] : [], 'states')
  const read = JSON.parse(JSON.stringify(log))
  const again = judgementsOf(findingsOf(judgeLog(read), rules), read)
  const told = (all: typeof judgements) =>
    all.map(({ cell, outcome, message }) => [cell.rule.id, cell.operation, outcome, message])
  expect(told(again)).toEqual(told(judgements))
})

it.each([
  ['third-cancel-succeeds', 'after-anything cancelOrder'],
  ['update-race', 'beside-anything updateInventory'],
  ['shipped-hidden', 'list-orders-shipped-listed listOrders'],
  ['refuses-and-acts-update-inventory', 'auth-401-no-effect updateInventory'],
  ['path-in-32-bits', 'cancel-similar-id-404 cancelOrder'],
])('the fault %s fails %s', async (id, cell) => {
  const fault = faults.find(each => each.id === id)
  expect(fault).toBeDefined()
  expect(failedIn(await judged(fault ? [fault] : [], 'states'))).toContain(cell)
})

it.each(['second-cancel-404', 'stock-reserved', 'some-orders-without-id'])(
  'the freedom %s is accepted',
  async id => {
    const freedom = freedoms.find(each => each.id === id)
    expect(freedom).toBeDefined()
    expect(
      failedIn(await judged(freedom ? [freedom] : [], 'states')).filter(cell => !cell.includes('rfc3339')),
    ).toEqual([])
  },
)

it('each rule has an id of its own, and a reason unless it is required', () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
  for (const rule of rules) expect(rule.level === 'required' || rule.because.length > 20, rule.id).toBe(true)
})

/** A write of a value, or a read of one. */
const move = (
  begun: number,
  ended: number,
  kind: 'write' | 'read',
  value: string,
  isOpen = false,
): Move<string> => ({
  of: `${kind} ${value} at ${begun}`,
  begun,
  ended,
  isOpen,
  isRead: kind === 'read',
  from: state => (kind === 'write' ? [value] : state === value ? [state] : []),
})

it.each<[string, readonly Move<string>[], string | undefined]>([
  ['reads in order', [move(1, 2, 'write', 'a'), move(3, 4, 'read', 'a')], undefined],
  ['an old value', [move(1, 2, 'write', 'a'), move(3, 4, 'read', '0')], 'read 0 at 3'],
  ['either value beside a write', [move(1, 4, 'write', 'a'), move(2, 3, 'read', '0')], undefined],
  [
    'a value that goes back',
    [move(1, 9, 'write', 'a'), move(2, 3, 'read', 'a'), move(4, 5, 'read', '0')],
    'read 0 at 4',
  ],
  [
    'a write without an answer, made later',
    [move(1, 2, 'write', 'a', true), move(3, 4, 'read', '0'), move(5, 6, 'read', 'a')],
    undefined,
  ],
  [
    'a write without an answer, made twice',
    [
      move(1, 2, 'write', 'a', true),
      move(3, 4, 'read', 'a'),
      move(5, 6, 'write', 'b'),
      move(7, 8, 'read', 'a'),
    ],
    'read a at 7',
  ],
])('a history of %s', (_what, moves, first) => {
  expect(firstInexplicable(moves, ['0'])?.move.of).toBe(first)
})

it.each([
  ['12.50', '125e-1', undefined],
  ['9007199254740993', '9007199254740993', 9007199254740993n],
  ['70e-1', '7', 7n],
  ['-0', '0', 0n],
  ['1e3', '1000', 1000n],
  ['no number', 'no number', undefined],
])('%s is compared as %s', (text, one, integer) => {
  expect([canonical(text), toInteger(text)]).toEqual([one, integer])
})
