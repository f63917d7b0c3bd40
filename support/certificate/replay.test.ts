import { expect, it } from 'vitest'
import { evidenceOf } from './certify.ts'
import { recorded } from './testing/recorded.ts'
import { verifyEvidence } from './verify.ts'

it('a run that did not wait for all teardowns is judged again, in any time', async () => {
  const run = await recorded({
    settings: { profile: '1.0.0-stable', timeoutMs: 400 },
    teardown: state => (state === 'pending orders' ? new Promise(() => undefined) : undefined),
  })
  expect(run.report.warnings.join()).toMatch(/did not end its teardowns/)
  const { report } = await verifyEvidence(evidenceOf(run))
  expect(report.verdict).toBe('conformant')
})
