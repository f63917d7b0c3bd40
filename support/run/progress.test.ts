import { expect, it } from 'vitest'
import { openFor } from '../embed/judge.ts'
import { namedIn, withStore } from '../selfcheck/judged-store.ts'
import type { Progress } from './progress.ts'

it.each(['arranged', 'named', 'read-only'])(
  'the estimate of a run (%s) is right within a fifth from a tenth of the run on',
  async mode => {
    await withStore({ overrides: [], isServed: false }, async (options, store) => {
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
