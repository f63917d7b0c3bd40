import { expect, it } from 'vitest'
import { readingOf, standingOf } from './reading.ts'
import { judgement, reportOf } from './testing/fixtures.ts'

type Judged = ReturnType<typeof judgement>
const reading = (...judgements: Judged[]) => readingOf(reportOf({ judgements }))
const ids = (rules: readonly { readonly id: string }[]) => rules.map(({ id }) => id)
const behind = (id: string, operation = 'listOrders') => ({ behind: { id, operation } })

it('causes for which the most rules wait come first; rules without a result are grouped by need or reason', () => {
  const { causes, open } = reading(
    judgement('implied', 'failed', { level: 'implied' }),
    judgement('required', 'failed'),
    judgement('root', 'failed', { level: 'implied' }),
    judgement('between', 'cantTell', behind('root')),
    judgement('last', 'cantTell', behind('between')),
    judgement('a', 'untested', { need: 'name one' }),
    judgement('b', 'untested', { need: 'name one', message: 'another message' }),
    judgement('c', 'cantTell'),
  )
  expect(causes.map(({ rules, waiting }) => [ids(rules), waiting])).toEqual([
    [['root'], 2],
    [['required'], 0],
    [['implied'], 0],
  ])
  expect(open.map(ids)).toEqual([['a', 'b'], ['c']])
})

it('one rule that fails for several operations is one cause, and begins with the operation that most rules wait for', () => {
  const of = (id: string, operation: string, outcome: 'failed' | 'cantTell', more = {}) => {
    const made = judgement(id, outcome, more)
    return { ...made, rule: { ...made.rule, operation } }
  }
  const { causes } = reading(
    of('no-key', 'listOrders', 'failed'),
    of('no-key', 'cancelOrder', 'failed'),
    of('other', 'cancelOrder', 'cantTell', behind('no-key', 'cancelOrder')),
    of('no-key', 'listInventory', 'failed', {
      expectedFailure: { reason: 'r', owner: 'o', expires: '2026-12-31' },
    }),
  )
  expect(causes.map(({ rules, waiting }) => [rules.map(({ operation }) => operation), waiting])).toEqual([
    [['cancelOrder', 'listOrders'], 1],
  ])
})

it('rules that wait for each other are no endless chain, and a rule that passed is not the cause', () => {
  const { open } = reading(
    judgement('a', 'cantTell', behind('b')),
    judgement('b', 'cantTell', behind('a')),
    judgement('c', 'cantTell', behind('d')),
    judgement('d', 'passed'),
  )
  expect(open.map(ids)).toEqual([['a'], ['b'], ['c']])
})

it('a failure of a newer rule below the gate is advice', () => {
  const [rule] = reportOf({
    judgements: [judgement('a', 'failed', { level: 'advisory', newSince: '1.0.0' })],
  }).rules
  expect(rule && standingOf(rule, 'implied')).toBe('advice')
})
