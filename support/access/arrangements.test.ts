import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { arrangements } from './arrangements.ts'
import type { Provider } from './provider.ts'

/** A provider that is answered when the test says so. */
function slowProvider() {
  const log: string[] = []
  const waiting: { what: string; answer(): void }[] = []
  const asked = <Value>(what: string, value: Value): Promise<Value> => {
    log.push(what)
    return new Promise(resolve => waiting.push({ what, answer: () => resolve(value) }))
  }
  const provider: Provider = {
    name: 'a slow provider',
    setup: (state, params) => asked(`setup ${state} ${JSON.stringify(params)}`, { ids: ['1'] }),
    teardown: (state, params) => asked(`teardown ${state} ${JSON.stringify(params)}`, undefined),
  }
  const answer = async () => {
    for (const each of waiting.splice(0)) each.answer()
    await sleep(0)
  }
  return { provider, log, answer }
}

const one = { count: 1 } as const
const SETUP = 'setup pending orders {"count":1}'
const TEARDOWN = 'teardown pending orders {"count":1}'

describe('what is torn down', () => {
  it('when the scenario ends, where nobody else has arranged alike', async () => {
    const { provider, log, answer } = slowProvider()
    const all = arrangements(provider, () => {})
    const setup = all.by('a')?.setup('pending orders', one)
    await answer()
    await setup
    all.endOf('a')
    await sleep(0)
    expect(log).toEqual([SETUP, TEARDOWN])
  })

  it('not while the same is on its way for somebody else: the teardown could hit that', async () => {
    const { provider, log, answer } = slowProvider()
    const all = arrangements(provider, () => {})
    const first = all.by('a')?.setup('pending orders', one)
    await answer()
    await first
    const second = all.by('b')?.setup('pending orders', one)
    all.endOf('a')
    await answer()
    await second
    expect(log).toEqual([SETUP, SETUP])
    const closing = all.close()
    for (let times = 0; times < 5; times += 1) await answer()
    await closing
    expect(log).toEqual([SETUP, SETUP, TEARDOWN, TEARDOWN])
  })

  it('before the same is arranged again', async () => {
    const { provider, log, answer } = slowProvider()
    const all = arrangements(provider, () => {})
    const first = all.by('a')?.setup('pending orders', one)
    await answer()
    await first
    all.endOf('a')
    const second = all.by('b')?.setup('pending orders', one)
    await sleep(0)
    expect(log).toEqual([SETUP, TEARDOWN])
    await answer()
    await answer()
    await second
    expect(log).toEqual([SETUP, TEARDOWN, SETUP])
  })

  it('not before it is there: a scenario may end while its setup is on its way', async () => {
    const { provider, log, answer } = slowProvider()
    const all = arrangements(provider, () => {})
    const setup = all.by('a')?.setup('pending orders', one)
    all.endOf('a')
    await sleep(0)
    expect(log).toEqual([SETUP])
    await answer()
    await setup
    expect(log).toEqual([SETUP, TEARDOWN])
  })

  it('never what was declined, or failed', async () => {
    const torn: string[] = []
    const provider: Provider = {
      name: 'a provider that declines',
      setup: async state => {
        if (state === 'pets') throw new Error('no pets')
        return { declined: 'not here' }
      },
      teardown: async state => void torn.push(state),
    }
    const all = arrangements(provider, () => {})
    await all.by('a')?.setup('pending orders', one)
    await expect(all.by('a')?.setup('pets', { count: 1, quantity: 5 })).rejects.toThrow('no pets')
    all.endOf('a')
    await all.close()
    expect(torn).toEqual([])
  })
})
