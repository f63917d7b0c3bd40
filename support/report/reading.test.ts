import { describe, expect, it } from 'vitest'
import { readingOf, standingOf } from './reading.ts'
import { judgement, reportOf } from './testing/fixtures.ts'

type Judged = ReturnType<typeof judgement>
const reading = (...judgements: Judged[]) => readingOf(reportOf({ judgements }))
const ids = (rules: readonly { readonly id: string }[]) => rules.map(({ id }) => id)

it('violations come in the order of how many rules wait for them, then of their levels', () => {
  const { violations, waitingFor } = reading(
    judgement('implied', 'failed', { level: 'implied' }),
    judgement('required', 'failed'),
    judgement('root', 'failed', { level: 'implied' }),
    judgement('between', 'cantTell', { behind: 'root' }),
    judgement('last', 'cantTell', { behind: 'between' }),
  )
  expect(ids(violations)).toEqual(['root', 'required', 'implied'])
  expect(ids(waitingFor.get('root') ?? [])).toEqual(['between', 'last'])
})
it('a failure of a newer rule below the gate is advice', () => {
  const [rule] = reportOf({
    judgements: [judgement('a', 'failed', { level: 'advisory', newSince: '1.0.0' })],
  }).rules
  expect(rule && standingOf(rule, 'implied')).toBe('advice')
})

describe('rules without a result', () => {
  it('are listed by the rule at the start of the chain, by need or by reason', () => {
    const { open } = reading(
      judgement('root', 'failed'),
      judgement('between', 'cantTell', { behind: 'root' }),
      judgement('last', 'cantTell', { behind: 'between' }),
      judgement('a', 'untested', { need: 'name one' }),
      judgement('b', 'untested', { need: 'name one', message: 'another message' }),
      judgement('c', 'cantTell'),
    )
    expect(open.map(({ behind, rules }) => [behind, ids(rules)])).toEqual([
      ['root', ['between', 'last']],
      [undefined, ['a', 'b']],
      [undefined, ['c']],
    ])
  })

  it('are no endless chain if they wait for each other', () => {
    const { open } = reading(
      judgement('a', 'cantTell', { behind: 'b' }),
      judgement('b', 'cantTell', { behind: 'a' }),
    )
    expect(open).toHaveLength(2)
  })
})
