import { describe, expect, it } from 'vitest'
import type { Provider } from '../access/provider.ts'
import type { Exchange } from '../http/exchange.ts'
import { consent } from './consent.ts'
import { fixtures } from './fixtures.ts'
import { listing } from './testing/parts.ts'

const scenarios = [
  { title: 'a', needs: { pendingOrders: 2, pets: 2 } },
  { title: 'b', needs: {} },
  { title: 'c', needs: { pendingOrders: 1, shippedOrders: 1 } },
  { title: 'd', needs: { shippedOrders: 1 } },
]

const common = { scenarios, limitMs: 1_000, warn: () => undefined, stop: () => undefined }

function named(
  pendingOrders: readonly string[],
  shippedOrders: readonly string[],
  pets: readonly string[] = [],
) {
  const { take, release, sharedShipped } = fixtures({
    ...common,
    named: { pendingOrders, shippedOrders, pets: () => pets },
    consent: consent(false),
  })
  return {
    release,
    sharedShipped,
    pending: (scenario: string, count: number) => take(scenario, 'pending orders', count),
    shipped: (scenario: string, count: number) => take(scenario, 'shipped orders', count),
    pets: (scenario: string, count: number) => take(scenario, 'pets', count),
  }
}

describe('named orders', () => {
  it('are assigned in the order of the suite, whichever scenario asks first, and each once', async () => {
    const { pending, shipped, sharedShipped } = named(['1', '2', '3'], ['8', '9', '10'])
    expect(await pending('c', 1)).toEqual({ ids: ['3'] })
    expect(await shipped('d', 1)).toEqual({ ids: ['9'] })
    expect(await pending('a', 1)).toEqual({ ids: ['1'] })
    expect(await pending('a', 1)).toEqual({ ids: ['2'] })
    expect(await pending('a', 1)).toMatchObject({ missing: 1 })
    expect(await shipped('c', 1)).toEqual({ ids: ['8'] })
    expect(sharedShipped()).toEqual(['10'])
  })

  it('are refused beyond what was planned for the scenario, and to an unknown scenario', async () => {
    const { pending } = named(['1', '2', '3'], [])
    for (const [scenario, count] of [
      ['c', 2],
      ['b', 1],
      ['stranger', 1],
    ] as const)
      expect(await pending(scenario, count)).toMatchObject({ missing: 1 })
    expect(await pending('c', 1)).toEqual({ ids: ['3'] })
  })

  it('that are too few stay assigned to their scenario; all scenarios together need more', async () => {
    const { pending, shipped, sharedShipped } = named(['1'], [])
    expect(await pending('a', 2)).toMatchObject({ missing: 2 })
    expect(await pending('c', 1)).toMatchObject({ missing: 2 })
    expect(await pending('a', 1)).toEqual({ ids: ['1'] })
    expect(await shipped('d', 1)).toMatchObject({ missing: 2 })
    expect(sharedShipped()).toEqual([])
  })
})

it('an order that a list shows before it is handed out was not created by the request for its id', async () => {
  const permission = consent(false)
  const provider: Provider = {
    name: 'the provider',
    async setup() {
      permission.order.note(listing('id', ['7']))
      return { ids: ['7'] }
    },
    teardown: async () => undefined,
  }
  permission.order.note(listing('id', []))
  permission.order.noteTried('7', { response: { status: 404 }, startedAt: 1, durationMs: 1 } as Exchange)
  const { orderWithId } = fixtures({ ...common, named: { pets: () => [] }, consent: permission, provider })
  expect(await orderWithId('7')).toEqual({ ids: ['7'] })
  expect(permission.firstCreated()).toBe(undefined)
})

describe('named pets', () => {
  it('serve one scenario at a time, in the order of asking, and again the one that has them', async () => {
    const { pets, release } = named([], [], ['1', '2'])
    const log: string[] = []
    const act = async (scenario: string) => {
      expect(await Promise.all([pets(scenario, 1), pets(scenario, 2)])).toEqual([
        { ids: ['1'] },
        { ids: ['1', '2'] },
      ])
      log.push(`+${scenario}`)
      await new Promise(resolve => setImmediate(resolve))
      log.push(`-${scenario}`)
      await release(scenario)
    }
    await Promise.all(['a', 'b', 'c'].map(act))
    expect(log.join(' ')).toBe('+a -a +b -b +c -c')
  })

  it('in two spellings are one pet', async () => {
    expect(await named([], [], ['12.5', '12.50']).pets('a', 2)).toMatchObject({ missing: 1 })
  })
})
