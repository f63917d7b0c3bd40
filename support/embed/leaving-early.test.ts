import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type ReferenceStore, referenceStore } from '../reference/index.ts'
import { namedIn } from '../selfcheck/judged-store.ts'
import { judge, judgeEach } from './judge.ts'
import type { JudgeOptions } from './options.ts'
import { contentOf } from './testing/stores.ts'

it.each<[string, (store: ReferenceStore) => JudgeOptions]>([
  ['restores stock', store => ({ pets: namedIn(store).pets })],
  ['tears down provider states', ({ states }) => ({ states })],
])('a loop that is left early %s', async (_what, given) => {
  const store = referenceStore()
  let requests = 0
  // So slow that requests are always in flight.
  const fetch = async (request: Request) => {
    requests += 1
    await sleep(3)
    return store.fetch(request)
  }
  const options = given(store)
  const before = contentOf(store)
  let seen = 0
  for await (const _rule of judgeEach({ fetch, apiKey: store.apiKey, seed: 1, ...options })) {
    seen += 1
    if (seen < 100) continue
    while (contentOf(store) === before) await sleep(1)
    break
  }
  expect(contentOf(store)).toBe(before)
  const sent = requests
  await sleep(50)
  expect(requests, 'nothing is sent afterwards').toBe(sent)
})

it('a run that is aborted before it began sends nothing', async () => {
  const fetch = () => expect.fail('a request was sent')
  const report = await judge({ fetch, apiKey: 'a-key', signal: AbortSignal.abort() })
  expect(report).toMatchObject({ verdict: 'incomplete', reason: 'The run was stopped before its end.' })
})
