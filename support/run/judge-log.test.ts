import { expect, it } from 'vitest'
import { firstInexplicable, type Move } from '../../suites/oracle/linearizable.ts'
import type { Exchange } from '../../suites/oracle/log.ts'
import { openFor } from '../embed/judge.ts'
import { cellKey } from '../interface/description.ts'
import { uncoveredText } from '../report/words.ts'
import { namedIn, withStore } from '../selfcheck/prove.ts'
import { judgedLog, leftChanged } from './judge-log.ts'
import type { Progress } from './run.ts'

it.each(['states', 'named', 'read-only'] as const)(
  'a conformant store gets at most 1,200 requests (%s), an estimate that is right within a fifth, and passes all rules',
  async mode => {
    await withStore([], async (options, store) => {
      const data = mode === 'states' ? { states: store.states } : namedIn(store)
      const run = await openFor({ ...options, ...data, readOnly: mode === 'read-only', seed: 1 })
      const seen: Progress[] = []
      const { rules: all, requests } = await run.finish(each => void seen.push(each))
      const doubtful = all.filter(({ outcome }) => ['failed', 'cantTell'].includes(outcome))
      expect(doubtful.map(each => `${cellKey(each)}: ${each.message}`)).toEqual([])
      expect(all.some(({ outcome }) => outcome === 'untested')).toBe(mode === 'read-only')
      expect(requests).toBeLessThanOrEqual(1_200)
      const late = seen.filter(each => each.requests >= requests / 10)
      expect(late.filter(({ of }) => Math.abs(of - requests) > requests / 5)).toEqual([])
      expect(late.length).toBeGreaterThan(0)
    })
  },
)

it('a verdict says what a revoked key and a provider of states would show, and is conformant without them; a log that ends before stock is restored says which pet is left changed', async () => {
  await withStore([], async ({ revokedApiKey: _, ...options }, store) => {
    const named = namedIn(store)
    const run = await openFor({ ...options, ...named, seed: 1 })
    const report = await run.finish()
    expect(report.verdict).toBe('conformant')
    expect(uncoveredText(report)).toBe(
      'Not covered by this run: a key that was revoked (no revoked key is given: STORE_REVOKED_API_KEY); lists longer than a page, orders for pets of the run, orders with chosen ids, such as one above 2^53 (give a states endpoint: --states-url).',
    )
    const { log } = run
    expect(leftChanged(log)).toEqual([])
    const lists = log.exchanges.filter(({ ask }) => ask.operation === 'listInventory' && !ask.refused)
    const left = lists.map(({ at }) => leftChanged({ ...log, exchanges: log.exchanges.slice(0, at + 1) }))
    expect([...new Set(left.flat())].sort()).toEqual([...named.pets].sort())
  })
})

it('what shows nothing because no update was accepted does not wait for another failure of updateInventory', async () => {
  await withStore([], async (options, store) => {
    const run = await openFor({ ...options, states: store.states, seed: 1, only: ['updateInventory'] })
    await run.finish()
    const exchanges = run.log.exchanges.map(({ response, ...each }): Exchange => {
      if (each.ask.operation !== 'updateInventory' || !response) return { ...each, response }
      return each.ask.refused
        ? { ...each, response: { ...response, body: '{}' } }
        : { ...each, problem: { kind: 'timeout', message: 'no answer in time' } }
    })
    const { judgements } = judgedLog({ ...run.log, exchanges }, run.configuration.selection, '2026-11-28')
    const failed = judgements.filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule.id)
    const idle = judgements.filter(({ message }) => message?.startsWith('no request of updateInventory'))
    expect(failed).toContain('auth-401-error-body')
    expect(idle.length).toBeGreaterThan(10)
    expect(idle.filter(({ behind }) => behind)).toEqual([])
  })
})

/** A write of a value, or a read of one. The answer to an open one did not come. */
const move = (begun: number, ended: number, kind: string, value: string, isOpen = false): Move<string> => ({
  of: `${kind} ${value} at ${begun}`,
  ...{ begun, ended, isOpen, isRead: kind === 'read' },
  from: state => (kind === 'write' ? [value] : state === value ? [state] : []),
})

const [written, lost] = [move(1, 6, 'write', 'a'), move(1, 2, 'write', 'a', true)]

// biome-ignore format: a table
it.each<[string, readonly Move<string>[], string | undefined]>([
  ['an old value', [written, move(7, 8, 'read', '0')], 'read 0 at 7'],
  ['either value beside a write', [written, move(2, 3, 'read', '0')], undefined],
  ['a value that goes back', [written, move(2, 3, 'read', 'a'), move(4, 5, 'read', '0')], 'read 0 at 4'],
  ['a write without an answer, made later', [lost, move(3, 4, 'read', '0'), move(5, 6, 'read', 'a')], undefined],
  ['a write without an answer, made twice', [lost, move(3, 4, 'read', 'a'), move(5, 6, 'write', 'b'), move(7, 8, 'read', 'a')], 'read a at 7'],
])('a history of %s', (_what, moves, first) => {
  expect(firstInexplicable(moves, ['0'])?.move.of).toBe(first)
})
