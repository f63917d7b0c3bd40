import { expect, it } from 'vitest'
import { judge } from './judge.ts'

it('a run that is aborted before it began sends nothing', async () => {
  const fetch = () => expect.fail('a request was sent')
  const report = await judge({ fetch, apiKey: 'a-key', signal: AbortSignal.abort() })
  expect(report).toMatchObject({ verdict: 'incomplete', reason: 'The run was stopped before its end.' })
})
