import { describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults/index.ts'
import { itemCalled } from '../cli/flags.ts'
import { cellKey } from '../interface/description.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import { gapsOf, prove } from './prove.ts'

it('each rule has a fault that turns it red, and each fault a name of its own and only rules that exist', () => {
  expect(gapsOf()).toEqual([])
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length)
})

it('a rule without a fault is a gap, and so is a fault of no rule', () => {
  const others = faults.filter(({ breaks }) => !breaks.includes('cancel-twice-refused'))
  const stale = { id: 'stale', breaks: ['no-such-rule'] }
  expect(gapsOf([...others, stale])).toEqual([
    'no fault turns cancel-twice-refused red',
    'fault stale breaks no-such-rule, which is not a rule',
  ])
})

it.each([
  ['shipped-ending-in-9-refused', /\. It is the same when the request is sent again alone$/],
  ['after-anything-500-cancel-unknown-404', /\. Sent again alone, it is answered as expected\. Before it, /],
])('the failure of %s says whether the answer is wrong again without its context', async (id, says) => {
  const { report } = await prove([itemCalled(id, 'fault', faults)], { mode: 'states', seed: 1 })
  expect(report.rules.find(({ outcome }) => outcome === 'failed')?.message).toMatch(says)
})

/** The faults that only a provider of states can show. A step of CI judges the others, with named orders and pets. */
const arranged = faults
  .filter(({ outOfReachWhenNamed }) => outOfReachWhenNamed !== undefined)
  .map(fault => ['states', fault.id, [fault]] as const)

/** A fault stays red beside what it could be taken for: other faults of the same list, and units of orders that nobody knows. */
const beside = [
  ['quantity-wraps-at-32-bits', 'order-without-petid', 'order-without-quantity'],
  ['page-of-1000', 'ship-date-local'],
  ['shipped-hidden', 'order-quantity-null'],
  ['at-the-end-changes-stock', 'cancelled-unlisted'],
].map(ids => {
  const changes = ids.flatMap(id => itemCalled(id, 'change', [...faults, ...freedoms]))
  return ['states', ids.join(' + '), changes] as const
})

const topics = [...new Set(freedoms.map(({ topic }) => topic))].map(name =>
  freedoms.filter(({ topic }) => topic === name),
)

/** A store can have one freedom of each topic, so the largest topic needs this many sets. */
const SETS = Math.max(...topics.filter(([first]) => first?.topic).map(({ length }) => length))

/** Each freedom is in one set. A step of CI judges each by itself, with named orders and pets. */
const sets = Array.from({ length: SETS }, (_, at) => {
  const set = freedoms.filter(each => topics.some(topic => topic.indexOf(each) % SETS === at))
  return ['states', set.map(({ id }) => id).join(' + '), set] as const
})

describe('faults are detected, and combined freedoms accepted', () => {
  it.each([...arranged, ...beside, ...sets])('%s: %s', async (mode, _ids, changes) => {
    const { good, missing, foreign, open, report } = await prove(changes, { mode, seed: 1 })
    const said = report.rules
      .filter(rule => [...missing, ...foreign, ...open].includes(cellKey(rule)))
      .map(({ id, outcome, message }) => `${id} ${outcome}: ${message ?? ''}`)
    expect({ good, said }).toEqual({ good: true, said: [] })
  })
})
