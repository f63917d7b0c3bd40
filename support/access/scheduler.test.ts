import { expect, it } from 'vitest'
import { type Needs, turns } from '../store/needs.ts'
import { scheduler } from './scheduler.ts'

const soon = () => new Promise<void>(resolve => setTimeout(resolve, 5))

/** Scenarios that write into a log when they begin and end. */
function acting() {
  const all = scheduler(1, turns)
  const log: string[] = []
  const act = (title: string, needs: Needs, during: () => Promise<unknown> = soon) =>
    all.enter({ title, needs }, async () => {
      log.push(`+${title}`)
      await during()
      log.push(`-${title}`)
      return title
    })
  return { act, log }
}

it('scenarios that cancel and scenarios that compare stock never overlap; those of one turn do', async () => {
  const { act, log } = acting()
  const all = [
    act('end', { turn: 'end' }),
    act('stock', { pets: 1 }),
    act('cancels', { pendingOrders: 1 }),
    act('long', { turn: 'long lists' }),
    act('arranges', { extraOrders: 1 }),
    act('stock too', { extraPets: 2 }),
    act('ships', { shippedOrders: 1 }),
    act('context', { turn: 'contexts' }),
    act('context too', { turn: 'contexts' }),
    act('first', { pendingOrders: 1, turn: 'first cancellation' }),
  ]
  await Promise.all(all)
  expect(log.join(' ')).toBe(
    '+first -first +cancels +arranges +ships -cancels -arranges -ships +stock +stock too -stock -stock too +context -context +context too -context too +long -long +end -end',
  )
})

it('a request starts when it has its places, and no other one before it, except of a scenario in a turn', async () => {
  const { enter, run } = scheduler(2, turns)
  const log: string[] = []
  const send = (name: string, places?: number, scenario?: string) =>
    run(
      async () => {
        log.push(`+${name}`)
        await soon()
        log.push(`-${name}`)
      },
      { ...(places ? { places } : {}), ...(scenario ? { scenario } : {}) },
    )
  await enter({ title: 'in a turn', needs: { pets: 1 } }, () =>
    Promise.all([send('one'), send('all', 8), send('late'), send('first', 1, 'in a turn')]),
  )
  expect(log.join(' ')).toBe('+one +first -one -first +all -all +late -late')
  await expect(run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await Promise.all([run(async () => 'a', { places: 2 }), run(async () => 'b')])).toEqual(['a', 'b'])
})
