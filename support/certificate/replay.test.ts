import { expect, it } from 'vitest'
import { replayRun } from './replay.ts'
import { recordedRun } from './testing/recorded.ts'

it('a run that did not wait for all teardowns is judged again, in any time', async () => {
  const { report, recording } = await recordedRun({
    settings: { profile: '1.0.0-stable', timeoutMs: 334 },
    teardown: state => (state === 'pending orders' ? new Promise(() => undefined) : undefined),
  })
  expect(report.warnings.join()).toMatch(/did not end its teardowns/)
  const { verdict } = await replayRun(recording)
  expect(verdict).toBe('conformant')
})
