import { expect, it } from 'vitest'
import { schedule } from './schedule.ts'

const soon = () => new Promise<void>(resolve => setTimeout(resolve, 5))

function acting() {
  const all = schedule()
  const log: string[] = []
  const act = (name: string, needs: Parameters<typeof all.run>[0]) =>
    all.run(needs, async () => {
      log.push(`+${name}`)
      await soon()
      log.push(`-${name}`)
      return name
    })
  return { act, log }
}

it('scenarios that cancel and scenarios that compare stock never overlap; those of one kind do', async () => {
  const { act, log } = acting()
  const all = [
    act('cancels', { pendingOrders: 1 }),
    act('stock', { pets: 1 }),
    act('cancels too', { changes: 'orders' }),
    act('walks', { changes: 'orders and stock' }),
    act('stock too', { pets: 2 }),
  ]
  expect(await Promise.all(all)).toEqual(['cancels', 'stock', 'cancels too', 'walks', 'stock too'])
  expect(log).toEqual([
    '+cancels',
    '+cancels too',
    '-cancels',
    '-cancels too',
    '+stock',
    '+stock too',
    '-stock',
    '-stock too',
    '+walks',
    '-walks',
  ])
})

it('a scenario that changes nothing does not wait', async () => {
  const { act, log } = acting()
  await Promise.all([act('cancels', { pendingOrders: 1 }), act('reads', {})])
  expect(log.slice(0, 2).sort()).toEqual(['+cancels', '+reads'])
})

it('the next kind starts even if a scenario fails', async () => {
  const all = schedule()
  const failing = all.run({ pets: 1 }, async () => {
    await soon()
    throw new Error('it failed')
  })
  const next = all.run({ pendingOrders: 1 }, async () => 'next')
  await expect(failing).rejects.toThrow('it failed')
  expect(await next).toBe('next')
})

it('a scenario that arranges more runs after the others, even if it was started first', async () => {
  const { act, log } = acting()
  await Promise.all([act('crowd', { arranges: 'a crowd' }), act('plain', {}), act('stock', { pets: 1 })])
  expect(log).toEqual(['+plain', '+stock', '-plain', '-stock', '+crowd', '-crowd'])
})

it('a scenario at the end of the run comes last', async () => {
  const { act, log } = acting()
  await Promise.all([
    act('looks back', { atTheEnd: true }),
    act('crowd', { arranges: 'a crowd' }),
    act('plain', {}),
  ])
  expect(log).toEqual(['+plain', '-plain', '+crowd', '-crowd', '+looks back', '-looks back'])
})

it('a leading scenario changes first, and only scenarios of its kind wait for it', async () => {
  const { act, log } = acting()
  await Promise.all([
    act('cancels', { pendingOrders: 1 }),
    act('leads', { pendingOrders: 1, leads: true }),
    act('reads', {}),
    act('walks', { changes: 'orders and stock' }),
  ])
  expect(log.indexOf('-leads')).toBeLessThan(log.indexOf('+cancels'))
  expect(log.indexOf('-leads')).toBeLessThan(log.indexOf('+walks'))
  expect(log.indexOf('+reads')).toBeLessThan(log.indexOf('-leads'))
})

it('scenarios do not take turns if no order of the run is for a pet of the run', async () => {
  const all = schedule(() => false)
  const log: string[] = []
  const act = (name: string, needs: Parameters<typeof all.run>[0]) =>
    all.run(needs, async () => {
      log.push(`+${name}`)
      await soon()
      log.push(`-${name}`)
    })
  await Promise.all([act('cancels', { pendingOrders: 1 }), act('stock', { pets: 1 })])
  expect(log.slice(0, 2).sort()).toEqual(['+cancels', '+stock'])
})
