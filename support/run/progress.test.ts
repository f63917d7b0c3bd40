import { expect, it } from 'vitest'
import { openFor } from '../embed/judge.ts'
import * as reference from '../reference/index.ts'
import { namedIn, withStore } from '../selfcheck/judged-store.ts'
import { type Progress, progressOf } from './progress.ts'

it.each(['arranged', 'named', 'read-only'])(
  'the estimate of a run (%s) is right within a fifth from a tenth of the run on',
  async mode => {
    await withStore(reference, { overrides: [], isServed: false }, async (options, store) => {
      const data = mode === 'arranged' ? { states: store.states } : namedIn(store)
      const { run } = await openFor({
        ...options,
        ...data,
        ...(mode === 'read-only' ? { readOnly: true } : {}),
        seed: 1,
      })
      const seen: Progress[] = []
      const { requests } = await run.finish({ progress: each => void seen.push(each) })
      const wrong = seen.filter(
        each => each.requests >= requests / 10 && Math.abs(each.of - requests) > requests / 5,
      )
      expect(seen.length).toBeGreaterThan(0)
      expect(wrong, `${requests}`).toEqual([])
    })
  },
)

it('counts what is left like what was sent before: half of it, if only half was sent', () => {
  let sent = 6
  const schedules = [
    { title: 'one', requests: [100, 0, 0] },
    { title: 'two', requests: [200, 0, 0] },
    { title: 'three', requests: [300, 0, 0] },
  ] as const
  const progress = progressOf(schedules, 0, () => sent)
  progress.enter(0)
  expect(progress.now()).toEqual({ title: 'one', requests: 6, of: 606 })
  sent = 56
  progress.enter(1)
  sent = 66
  expect(progress.now()).toEqual({ title: 'two', requests: 66, of: 306 })
  sent = 256
  expect(progress.now()).toEqual({ title: 'two', requests: 256, of: 406 })
})
