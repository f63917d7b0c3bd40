import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type ReferenceStore, referenceStore } from '../reference/index.ts'
import { judge, judgeEach } from './judge.ts'
import type { JudgeOptions } from './options.ts'
import { namedIn } from './testing/stores.ts'

/** Orders and stock of the store as text, without the pending orders, which a run may cancel. */
function contentOf({ domain }: ReferenceStore, pending: readonly string[] = []): string {
  const orders = [...domain.orders].filter(([id]) => !pending.includes(String(id)))
  return JSON.stringify([orders, [...domain.stock]], (_name, value) =>
    typeof value === 'bigint' ? `${value}n` : value,
  )
}

/** Options for a store that is so slow that requests are always in flight. */
function slowly(store: ReferenceStore): { options: JudgeOptions; requests: Request[] } {
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    requests.push(request)
    await sleep(3)
    return store.fetch(request)
  }
  return { options: { fetch, apiKey: store.apiKey, runs: 3, seed: 1 }, requests }
}

function withNamedIds() {
  const store = referenceStore()
  const ids = namedIn(store)
  const { options, requests } = slowly(store)
  const named = ids.pendingOrders.map(String)
  return {
    options: { ...options, ...ids },
    requests,
    left: () => contentOf(store, named),
  }
}

/** Waits until the run has changed stock that it must restore. */
const changing = async (requests: readonly Request[], changes: number) => {
  while (requests.filter(({ method }) => method === 'PATCH').length < changes) await sleep(1)
}

describe('a loop that is left early', () => {
  it('restores stock', async () => {
    const { options, requests, left } = withNamedIds()
    const before = left()
    let seen = 0
    for await (const rule of judgeEach(options)) {
      expect(rule.outcome).toBeDefined()
      seen += 1
      if (seen < 120) continue
      await changing(requests, 20)
      break
    }
    const sent = requests.length
    expect(left()).toBe(before)
    await sleep(50)
    expect(requests.length, 'nothing is sent afterwards').toBe(sent)
  })

  it('tears down provider states', async () => {
    const store = referenceStore()
    const before = contentOf(store)
    const { options, requests } = slowly(store)
    for await (const _rule of judgeEach({ ...options, states: store.states })) {
      await changing(requests, 20)
      expect(contentOf(store)).not.toBe(before)
      break
    }
    expect(contentOf(store)).toBe(before)
  })
})

describe('a run that is aborted', () => {
  it('restores stock, and is incomplete', async () => {
    const { options, requests, left } = withNamedIds()
    const before = left()
    const controller = new AbortController()
    const judged = judge({ ...options, signal: controller.signal })
    await changing(requests, 20)
    controller.abort()
    const report = await judged
    expect(report.verdict).toBe('incomplete')
    expect(report.counts.failed).toBe(0)
    expect(report.warnings).toEqual([])
    expect(left()).toBe(before)
    const sent = requests.length
    await sleep(50)
    expect(requests.length, 'nothing is sent afterwards').toBe(sent)
  })

  it('before it began sends nothing', async () => {
    const { options, requests } = withNamedIds()
    const report = await judge({ ...options, signal: AbortSignal.abort() })
    expect(report).toMatchObject({ verdict: 'incomplete', reason: 'The run was stopped before its end.' })
    expect(requests).toEqual([])
  })
})
