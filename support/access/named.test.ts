import { describe, expect, it } from 'vitest'
import { namedOrders, petLeases } from './named.ts'

describe('named orders', () => {
  const scenarios = [
    { title: 'a', needs: { pendingOrders: 2 } },
    { title: 'b', needs: {} },
    { title: 'c', needs: { pendingOrders: 1, shippedOrders: 1 } },
    { title: 'd', needs: { shippedOrders: 1 } },
  ]
  const full = () => namedOrders({ pending: ['1', '2', '3'], shipped: ['8', '9'] }, scenarios)

  it('are assigned in the order of the suite, whichever scenario asks first', () => {
    const orders = full()
    expect(orders.take('pending', 'c', 1)).toEqual({ ids: ['3'] })
    expect(orders.take('shipped', 'd', 1)).toEqual({ ids: ['9'] })
    expect(orders.take('pending', 'a', 2)).toEqual({ ids: ['1', '2'] })
    expect(orders.take('shipped', 'c', 1)).toEqual({ ids: ['8'] })
  })

  it('are handed out only once', () => {
    const orders = full()
    expect([orders.take('pending', 'a', 1), orders.take('pending', 'a', 1)]).toEqual([
      { ids: ['1'] },
      { ids: ['2'] },
    ])
    expect(orders.take('pending', 'a', 1)).toEqual({ missing: 1 })
  })

  it('are refused beyond what was planned for the scenario, and to an unknown scenario', () => {
    const orders = full()
    expect(orders.take('pending', 'c', 2)).toEqual({ missing: 1 })
    expect(orders.take('pending', 'b', 1)).toEqual({ missing: 1 })
    expect(orders.take('pending', 'stranger', 1)).toEqual({ missing: 1 })
    expect(orders.take('pending', 'c', 1)).toEqual({ ids: ['3'] })
  })

  it('that are too few: says how many more all scenarios need', () => {
    const orders = namedOrders({ pending: ['1'], shipped: [] }, scenarios)
    expect(orders.take('pending', 'a', 2)).toEqual({ missing: 2 })
    expect(orders.take('shipped', 'd', 1)).toEqual({ missing: 2 })
  })

  it('stay assigned to their scenario even if they are too few for it', () => {
    const orders = namedOrders({ pending: ['1'], shipped: [] }, scenarios)
    expect(orders.take('pending', 'c', 1)).toEqual({ missing: 2 })
    expect(orders.take('pending', 'a', 1)).toEqual({ ids: ['1'] })
  })
})

describe('leases of pets', () => {
  const settled = () => new Promise(resolve => setImmediate(resolve))

  it('serve one scenario at a time, in the order of asking', async () => {
    const leases = petLeases(['1', '2'], 2)
    const log: string[] = []
    const turn = async (scenario: string) => {
      await leases.take(scenario, 2)
      log.push(`${scenario} takes`)
      await settled()
      log.push(`${scenario} releases`)
      leases.release(scenario)
    }
    await Promise.all(['a', 'b', 'c'].map(turn))
    expect(log).toEqual(['a takes', 'a releases', 'b takes', 'b releases', 'c takes', 'c releases'])
  })

  it('go to the waiting scenario, not to one that asks just after the release', async () => {
    const leases = petLeases(['1'], 1)
    await leases.take('a', 1)
    const order: string[] = []
    const second = leases.take('b', 1).then(() => order.push('b'))
    leases.release('a')
    const third = leases.take('c', 1).then(() => order.push('c'))
    await second
    await settled()
    expect(order).toEqual(['b'])
    leases.release('b')
    await third
    expect(order).toEqual(['b', 'c'])
  })

  it('are given again to the scenario that holds them', async () => {
    const leases = petLeases(['1', '2'], 2)
    expect(await leases.take('a', 1)).toEqual({ ids: ['1'] })
    expect(await leases.take('a', 2)).toEqual({ ids: ['1', '2'] })
  })

  it('cannot be released by a scenario that does not hold them', async () => {
    const leases = petLeases(['1'], 1)
    await leases.take('a', 1)
    let taken = false
    const waiting = leases.take('b', 1).then(() => {
      taken = true
    })
    leases.release('b')
    leases.release('stranger')
    await settled()
    expect(taken).toBe(false)
    leases.release('a')
    await waiting
    leases.release('a')
    expect(taken).toBe(true)
  })

  it('that are too few: does not wait, and says how many more all scenarios need', async () => {
    expect(await petLeases(['1'], 3).take('a', 2)).toEqual({ missing: 2 })
    expect(await petLeases([], 0).take('a', 2)).toEqual({ missing: 2 })
  })

  it('count one pet in two spellings once', async () => {
    expect(await petLeases(['12.5', '12.50'], 2).take('a', 2)).toEqual({ missing: 1 })
  })
})
