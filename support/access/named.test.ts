import { describe, expect, it } from 'vitest'
import { limiter } from './limiter.ts'
import { namedOrders, petLeases } from './named.ts'

describe('named orders', () => {
  const scenarios = [
    { title: 'a', needs: { pendingOrders: 2 } },
    { title: 'b', needs: {} },
    { title: 'c', needs: { pendingOrders: 1, shippedOrders: 1 } },
    { title: 'd', needs: { shippedOrders: 1 } },
  ]
  const full = () => namedOrders({ pending: ['1', '2', '3'], shipped: ['8', '9'] }, scenarios)

  it('are dealt in the order of the suite, whoever asks first', () => {
    const orders = full()
    expect(orders.take('pending', 'c', 1)).toEqual({ ids: ['3'] })
    expect(orders.take('shipped', 'd', 1)).toEqual({ ids: ['9'] })
    expect(orders.take('pending', 'a', 2)).toEqual({ ids: ['1', '2'] })
    expect(orders.take('shipped', 'c', 1)).toEqual({ ids: ['8'] })
  })

  it('are handed out one by one, and each once', () => {
    const orders = full()
    expect([orders.take('pending', 'a', 1), orders.take('pending', 'a', 1)]).toEqual([
      { ids: ['1'] },
      { ids: ['2'] },
    ])
    expect(orders.take('pending', 'a', 1)).toEqual({ missing: 1 })
  })

  it('nobody gets more than was planned for, nor anybody unplanned', () => {
    const orders = full()
    expect(orders.take('pending', 'c', 2)).toEqual({ missing: 1 })
    expect(orders.take('pending', 'b', 1)).toEqual({ missing: 1 })
    expect(orders.take('pending', 'stranger', 1)).toEqual({ missing: 1 })
    expect(orders.take('pending', 'c', 1)).toEqual({ ids: ['3'] })
  })

  it('too few: says how many more would serve all', () => {
    const orders = namedOrders({ pending: ['1'], shipped: [] }, scenarios)
    expect(orders.take('pending', 'a', 2)).toEqual({ missing: 2 })
    expect(orders.take('shipped', 'd', 1)).toEqual({ missing: 2 })
  })

  it('a hand that is too small is kept for whom it was dealt to', () => {
    const orders = namedOrders({ pending: ['1'], shipped: [] }, scenarios)
    expect(orders.take('pending', 'c', 1)).toEqual({ missing: 2 })
    expect(orders.take('pending', 'a', 1)).toEqual({ ids: ['1'] })
  })
})

describe('leases of pets', () => {
  const settled = () => new Promise(resolve => setImmediate(resolve))

  it('one scenario at a time, in the order of asking', async () => {
    const leases = petLeases(['1', '2'], 2)
    const log: string[] = []
    const turn = async (scenario: string) => {
      await leases.take(scenario, 2)
      log.push(`${scenario} takes`)
      await settled()
      log.push(`${scenario} gives`)
      leases.giveBack(scenario)
    }
    await Promise.all(['a', 'b', 'c'].map(turn))
    expect(log).toEqual(['a takes', 'a gives', 'b takes', 'b gives', 'c takes', 'c gives'])
  })

  it('a newcomer does not slip in between giving back and taking over', async () => {
    const leases = petLeases(['1'], 1)
    await leases.take('a', 1)
    const order: string[] = []
    const second = leases.take('b', 1).then(() => order.push('b'))
    leases.giveBack('a')
    const third = leases.take('c', 1).then(() => order.push('c'))
    await second
    await settled()
    expect(order).toEqual(['b'])
    leases.giveBack('b')
    await third
    expect(order).toEqual(['b', 'c'])
  })

  it('who holds them may ask again', async () => {
    const leases = petLeases(['1', '2'], 2)
    expect(await leases.take('a', 1)).toEqual({ ids: ['1'] })
    expect(await leases.take('a', 2)).toEqual({ ids: ['1', '2'] })
  })

  it('giving back what one does not hold changes nothing', async () => {
    const leases = petLeases(['1'], 1)
    await leases.take('a', 1)
    let taken = false
    const waiting = leases.take('b', 1).then(() => {
      taken = true
    })
    leases.giveBack('b')
    leases.giveBack('stranger')
    await settled()
    expect(taken).toBe(false)
    leases.giveBack('a')
    await waiting
    leases.giveBack('a')
    expect(taken).toBe(true)
  })

  it('too few: nobody waits, and it is said how many more serve all', async () => {
    expect(await petLeases(['1'], 3).take('a', 2)).toEqual({ missing: 2 })
    expect(await petLeases([], 0).take('a', 2)).toEqual({ missing: 2 })
  })

  it('one pet in two spellings is one', async () => {
    expect(await petLeases(['12.5', '12.50'], 2).take('a', 2)).toEqual({ missing: 1 })
  })
})

describe('limiter', () => {
  it('lets so many run at once, and everybody in the end', async () => {
    const gate = limiter(3)
    let running = 0
    let most = 0
    const task = async (at: number) => {
      running += 1
      most = Math.max(most, running)
      await new Promise(resolve => setImmediate(resolve))
      running -= 1
      return at
    }
    const results = await Promise.all(Array.from({ length: 20 }, (_, at) => gate.run(() => task(at))))
    expect(results).toEqual(Array.from({ length: 20 }, (_, at) => at))
    expect(most).toBe(3)
  })

  it('a task that fails gives its place up', async () => {
    const gate = limiter(1)
    const failing = gate.run(async () => {
      throw new Error('no')
    })
    const next = gate.run(async () => 'yes')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
    expect(await gate.run(async () => 'still')).toBe('still')
  })
})
