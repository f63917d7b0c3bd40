import { describe, expect, it } from 'vitest'
import { expectAnswered, type SentAgain } from '../../suites/every-exchange/unanswered.ts'
import type { Exchange, ProblemKind } from '../http/exchange.ts'
import { CantTell, Violation } from '../judge/outcome.ts'
import { answer, silence } from '../judge/testing/parts.ts'
import type { Fault, Override } from '../reference/authoring.ts'
import { faults } from '../run/faults.ts'
import { itemCalled } from '../settings/mistake.ts'
import { prove } from './prove.ts'

const lost = (kind: ProblemKind): Exchange => ({ ...silence(), problem: { kind, message: kind } })
const sent = (again: readonly Exchange[], plain: readonly Exchange[] = Array(4).fill(answer('[]'))) =>
  ({ first: lost('dropped'), again, plain }) satisfies SentAgain
const three = (kind: ProblemKind) => [lost(kind), lost(kind), lost(kind)]

describe('a request without a response', () => {
  it.each([
    ['is a violation after three attempts', sent(three('dropped')), Violation],
    ['is none if a plain request failed as well', sent(three('dropped'), [lost('dropped')]), CantTell],
    [
      'is none if a plain request was answered only when it was sent again',
      sent(three('dropped'), [{ ...answer('[]'), repeatedAfter: 'it was dropped' }]),
      CantTell,
    ],
    ['is none after time-outs', sent(three('timeout')), CantTell],
    ['is none if the store is too busy', sent(three('busy')), CantTell],
    ['is none if the store refuses connections', sent(three('refused')), CantTell],
    ['cannot be judged if it was not sent again', { ...sent([]), unsent: 'no pet' }, CantTell],
  ])('%s', (_title, one, kind) => {
    expect(() => expectAnswered([sent([lost('dropped'), answer('', 404)]), one])).toThrow(kind)
  })

  it('is no violation if it is answered when it is sent again', () => {
    expectAnswered([sent([lost('dropped'), lost('dropped'), answer('', 404)])])
  })
})

const HOW = { mode: 'states', seed: 1, runs: 2 } as const

it('a network that loses each seventh response to a change violates no rule', async () => {
  const override: Override = base => {
    let changes = 0
    return {
      deliver: (response, wire, ctx) => {
        if (ctx.method !== 'GET') changes += 1
        return ctx.method !== 'GET' && changes % 7 === 0 ? wire.reset() : base.deliver(response, wire, ctx)
      },
    }
  }
  const { red, report } = await prove([{ id: 'loses', title: '', breaks: [], override }], HOW)
  expect(red).toEqual([])
  expect(report.verdict).toBe('incomplete')
})

it.each(['cancelled-and-dropped', 'updated-and-dropped'])('%s: named ids leave it open', async id => {
  const fault: Fault = itemCalled(id, 'fault', faults)
  const { red, report } = await prove([fault], { ...HOW, mode: 'named' })
  expect(red).toEqual([])
  expect(report.verdict).toBe('incomplete')
})
