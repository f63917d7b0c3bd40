import { operationIds, operations } from '../../support/interface/operations.ts'
import type { Acts, Schedule } from '../acts.ts'
import { cancel, listInventory, listOrders, quantityOf, update } from '../asks.ts'
import { basics } from '../contexts/basics.ts'

/** Up, down, the same again, to 0 and from 0. */
const QUANTITIES = ['12', '3', '3', '0', '1', '5'] as const

/** Each answer alone, and what it changes. */
export const plain: Schedule = {
  name: 'plain',
  title: 'each request by itself',
  requests: [56, 53, 13],
  context: 'plain',
  async run(acts) {
    await acts.fixtures.arrangePets(1, 0)
    await acts.look()
    for (const each of basics) {
      const [pet] = acts.fixtures.pets
      const drawn = await each.draw(acts, { pet, key: 'none' })
      if (!drawn) continue
      // On a connection of its own, bytes that follow a 204 are noticed.
      await acts.onConnections(1, ([connection]) => connection?.send(...drawn) ?? Promise.resolve(undefined))
      if (each.named !== 'nothing') await acts.look()
    }
    const [cancelled] = acts.fixtures.cancelled
    if (cancelled !== undefined) {
      await acts.send(cancel('cancelled order', cancelled))
      await acts.look()
    }
    const [pet] = acts.fixtures.pets
    if (pet !== undefined)
      for (const quantity of QUANTITIES) {
        await acts.send(update('pet', pet, quantity), { body: quantityOf(quantity) })
        await acts.send(listInventory())
      }
    await undocumentedMethods(acts)
    // A cancellation and its repetition on one connection, the first of it in a run where further orders can be arranged.
    const again = acts.fixtures.canArrange ? await acts.fixtures.pending() : undefined
    if (again !== undefined)
      await acts.onConnections(1, async ([connection]) => {
        await connection?.send(cancel('pending order', again))
        await connection?.send(cancel('cancelled order', again))
        await connection?.send(listOrders())
      })
  },
}

/** A safe method (RFC 4918 §9.1), so that it changes nothing even if the store has it. */
const METHOD = 'PROPFIND'

const undocumentedMethods = (acts: Acts): Promise<unknown> =>
  acts.all([
    [
      {
        ...listInventory(),
        undescribed: true,
        row: 'deprecated-pets',
        title: 'GET /pets/1, which is deprecated',
      },
      { path: '/pets/1' },
    ],
    ...operationIds.map(operation => {
      const path = operations[operation].path.replace(/\{.*\}/, '1987654321')
      const ask = {
        operation,
        named: 'nothing',
        id: '',
        row: 'undocumented-method',
        undescribed: true,
        advised: [405, 501],
      } as const
      return [
        { ...ask, title: `${METHOD} ${path}` },
        { method: METHOD, path },
      ] as const
    }),
  ])
