import { expect, it } from 'vitest'
import { readingOf, standingOf } from './reading.ts'
import { judgement, reportOf } from './testing/fixtures.ts'

type Judged = ReturnType<typeof judgement>
const reading = (...judgements: Judged[]) => readingOf(reportOf({ judgements }))
const ids = (rules: readonly { readonly id: string }[]) => rules.map(({ id }) => id)

it('violations for which the most rules wait come first; rules without a result have the first rule, the need or the reason in common', () => {
  const { violations, waitingFor, open } = reading(
    judgement('implied', 'failed', { level: 'implied' }),
    judgement('required', 'failed'),
    judgement('root', 'failed', { level: 'implied' }),
    judgement('between', 'cantTell', { behind: { id: 'root', operation: 'listOrders' } }),
    judgement('last', 'cantTell', { behind: { id: 'between', operation: 'listOrders' } }),
    judgement('a', 'untested', { need: 'name one' }),
    judgement('b', 'untested', { need: 'name one', message: 'another message' }),
    judgement('c', 'cantTell'),
  )
  expect(ids(violations)).toEqual(['root', 'required', 'implied'])
  expect(ids(waitingFor.get('root listOrders') ?? [])).toEqual(['between', 'last'])
  expect(open.map(({ behind, rules }) => [behind?.id, ids(rules)])).toEqual([
    ['root', ['between', 'last']],
    [undefined, ['a', 'b']],
    [undefined, ['c']],
  ])
})

it('rules that wait for each other are no endless chain, and a rule that passed is not the cause', () => {
  const { open } = reading(
    judgement('a', 'cantTell', { behind: { id: 'b', operation: 'listOrders' } }),
    judgement('b', 'cantTell', { behind: { id: 'a', operation: 'listOrders' } }),
    judgement('c', 'cantTell', { behind: { id: 'd', operation: 'listOrders' } }),
    judgement('d', 'passed'),
  )
  expect(open.map(({ behind }) => behind?.id)).toEqual(['b', 'a', undefined])
})

it('a failure of a newer rule below the gate is advice', () => {
  const [rule] = reportOf({
    judgements: [judgement('a', 'failed', { level: 'advisory', newSince: '1.0.0' })],
  }).rules
  expect(rule && standingOf(rule, 'implied')).toBe('advice')
})
