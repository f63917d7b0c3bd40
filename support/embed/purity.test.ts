import { expect, it, onTestFinished, vi } from 'vitest'
import { judgeError, judgeSeen } from '../judge/judge-rule.ts'
import { rules } from './check.ts'
import { openFor } from './judge.ts'

it('every rule judges what its scenario saw again in the same way, read from JSON', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const watched = rules.map(rule => ({ rule, live: vi.spyOn(rule, 'expect').mock }))
  const { run } = await openFor({ reference: true, seed: 1 }, { runs: 3 })
  await run.finish()
  const read = new Map<unknown, unknown>()
  for (const { rule, live } of watched) {
    expect(live.calls.length, rule.id).toBeGreaterThan(0)
    for (const [at, [seen]] of [...live.calls].entries()) {
      if (!read.has(seen)) read.set(seen, JSON.parse(JSON.stringify(seen)))
      const result = live.results[at]
      const judged = { rule, outcome: 'passed', exchanges: [] }
      expect(judgeSeen(rule, read.get(seen))).toEqual(
        result?.type === 'throw' ? judgeError(rule, result.value) : judged,
      )
    }
  }
})
