import { describe, expect, it, test } from 'vitest'
import { findingsIn, firstInexplicable, type Move } from '../../suites/model/explain.ts'
import { generatedFault } from '../../suites/model/faults/generated.ts'
import { factors, rowsOf } from '../../suites/model/forms.ts'
import { type Event, type History, perform } from '../../suites/model/histories.ts'
import { groupsOfPairs, sequenceOfPairs } from '../../suites/model/pairs.ts'
import { cancelAgain, cancelPending, inventory, steps, updateStock } from '../../suites/model/steps.ts'
import type { StoreActs } from '../authoring/index.ts'
import { randomness } from '../judge/randomness.ts'
import { exchangeOf, silence } from '../judge/testing/parts.ts'
import type { Fault, Freedom } from '../reference/authoring.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import { faults } from '../run/faults.ts'
import { prove } from './prove.ts'

const random = (seed: number) => randomness(seed).integers('test')
const pairsOf = <Item>(items: readonly Item[], gap: number) =>
  items.slice(gap).map((item, at) => [items[at], item] as const)

describe('a sequence of steps', () => {
  it('has each pair directly and on the same connection', () => {
    const plan = sequenceOfPairs(steps, { orders: 40, pets: 8 }, random(1)).map(({ step }) => step.rule)
    for (const gap of [1, 2]) expect(new Set(pairsOf(plan, gap).map(String)).size).toBe(steps.length ** 2)
  })

  it('cancels no more orders than there are, and goes on without them', () => {
    const plan = sequenceOfPairs(steps, { orders: 3, pets: 8 }, random(1)).map(({ step }) => step.rule)
    expect(plan.filter(rule => rule === cancelPending.rule)).toHaveLength(3)
    expect(new Set(pairsOf(plan, 1).map(String)).size).toBeGreaterThan((steps.length - 1) ** 2 - 1)
  })
})

test('between two updates of one of two pets, a list shows what other steps changed of it', () => {
  const plan = sequenceOfPairs(steps, { orders: 3, pets: 2 }, random(1)).map(({ step }) => step)
  const updates = [...plan.keys()].filter(at => plan[at] === updateStock && plan[at - 1] !== updateStock)
  expect(updates.length).toBeGreaterThan(steps.length / 2)
  for (const [nth, at] of updates.slice(1).entries())
    expect(plan.slice(updates[nth], at)).toContain(inventory)
})

test('several clients share a sequence, each on connections of its own', async () => {
  const users = new Map<number, Set<string>>()
  const connection = (at: number) => ({
    call: async (_id: string, client: string) =>
      users.set(at, (users.get(at) ?? new Set()).add(client)) && {},
  })
  const acts = {
    store: {
      ...connection(-1),
      alone: (count: number, _served: boolean, use: (all: readonly object[]) => Promise<void>) =>
        use(Array.from({ length: count }, (_, at) => connection(at))),
    },
    states: {
      owned: () => ({ pending: [], shipped: [], pets: [] }),
      returns: () => [],
      isUntouched: () => true,
    },
    random: () => 1n,
    simultaneous: () => 3,
  }
  const plan = (target: string) =>
    Array.from({ length: 6 }, (_, at) => ({ step: cancelPending, target, connection: at % 2 }))
  const clients = ['1', '2', '3'].map(target => ({ assigned: {}, plan: plan(target) }))
  await perform(acts as unknown as StoreActs, [clients], 2)
  users.delete(-1)
  expect([...users.values()].map(each => [...each].join()).sort()).toEqual(['1', '1', '2', '2', '3', '3'])
})

test.each([8, 1])('groups of at most %i steps have each step beside each other one', size => {
  const groups = groupsOfPairs(steps, size, random(1)).map(group => group.map(({ rule }) => rule))
  const beside = groups.flatMap(group =>
    group.flatMap((one, at) => group.filter((_, n) => n !== at).map(other => `${one} ${other}`)),
  )
  expect(new Set(beside).size).toBe(steps.length ** 2)
})

test('the forms of a request have each level with each step and beside each level of every other factor', () => {
  const rows = rowsOf(steps, random(1))
  const isTogether = (one: string, other: string) =>
    rows.some(
      ({ levels }) => levels.some(each => each.name === one) && levels.some(each => each.name === other),
    )
  for (const [at, factor] of factors.entries())
    for (const level of factor.slice(1)) {
      for (const step of steps) {
        const hasBody = step.operation === 'updateInventory'
        if (level.only === undefined || (level.only === 'with body') === hasBody)
          expect(rows.some(row => row.step === step && row.levels.includes(level))).toBe(true)
      }
      // A factor that concerns only some requests shares a row with the others wherever such a request is in it.
      for (const other of factors.slice(at + 1).flatMap(each => each.slice(1)))
        if (level.only === undefined && other.only === undefined)
          expect(`${level.name} & ${other.name}: ${isTogether(level.name, other.name)}`).toMatch(/true$/)
    }
})

describe('the search for an order of events', () => {
  const event = (begun: number, ended: number) => ({ begun, ended }) as Event
  const set = (value: bigint, begun: number, ended: number): Move<bigint> => ({
    event: event(begun, ended),
    from: () => [value],
  })
  const read = (value: bigint, begun: number, ended: number): Move<bigint> => ({
    event: event(begun, ended),
    from: state => (state === value ? [state] : []),
  })

  test.each<[string, Move<bigint>[], number | undefined]>([
    ['a stale read', [set(7n, 1, 2), read(5n, 3, 4)], 1],
    ['a read beside an update sees the old state', [read(5n, 2, 3), set(7n, 1, 4)], undefined],
    ['two reads see a change that goes back', [read(7n, 2, 3), read(5n, 4, 5), set(7n, 1, 6)], 1],
    ['simultaneous updates in either order', [set(1n, 1, 3), set(2n, 2, 4), read(1n, 5, 6)], undefined],
    ['a lost update', [set(1n, 1, 2), set(2n, 3, 4), read(1n, 5, 6)], 2],
    [
      'an update without a response that has its effect later',
      [{ ...set(7n, 1, 2), from: state => [state, 7n], isOpen: true }, read(5n, 3, 4), read(7n, 5, 6)],
      undefined,
    ],
  ])('%s', (_title, moves, at) => {
    expect(firstInexplicable(moves, 5n)).toBe(at === undefined ? undefined : moves[at]?.event)
  })
})

test.each([
  ['was answered 204', 204, 1],
  ['got no response', undefined, 0],
])('a second cancellation answered 204 is wrong if the first one %s', (_title, status, findings) => {
  const answer = (status: number | undefined) =>
    status === undefined ? silence() : exchangeOf({ status, body: '' })
  const events = [
    { step: cancelPending.rule, target: '1', levels: [], begun: 1, ended: 2, exchange: answer(status) },
    { step: cancelAgain.rule, target: '1', levels: [], begun: 3, ended: 4, exchange: answer(204) },
  ]
  const before = { orders: silence(), inventory: silence() }
  const history = { before, events, orders: [['1', 'pending']], pets: [], returns: [] } as unknown as History
  expect(findingsIn(history)).toHaveLength(findings)
})

describe('a generated fault is detected, and the message names only the requests that show it', () => {
  test.each([
    [
      'generated-77-15',
      /, to "list the orders without a valid key [^"]*", right after, on .* "cancel a pending order"$/,
    ],
    ['generated-77-11', /, to "cancel a shipped order"(, beside "[^"]+")?$/],
    ['generated-77-10', /, to "cancel a shipped order, Accept-Language"$/],
  ])('%s', async (id, message) => {
    const { red, report } = await prove([generatedFault(id) as Fault], {
      mode: 'states',
      seed: 1,
    })
    expect(report.rules.find(rule => rule.id === red[0])?.message).toMatch(message)
  })
})

test('a changed stock shows also where no order says for which pet it is', async () => {
  const changes = ['after-anything-changes-stock', 'order-without-petid'].map(
    id => [...faults, ...freedoms].find(each => each.id === id) as Fault,
  )
  const { red } = await prove(changes, { mode: 'states', seed: 1 })
  expect(red).toEqual(['list-inventory-agrees-after-anything'])
})

test('the list of orders is not compared where no order shows its id', async () => {
  const freedom = freedoms.find(({ id }) => id === 'order-without-id') as Freedom
  const { report } = await prove([freedom], { mode: 'states', seed: 1, runs: 2 })
  const rule = report.rules.find(({ id }) => id === 'list-orders-agrees-after-anything')
  expect(rule?.outcome).toBe('inapplicable')
})
