import { operationIds, operations } from '../../support/interface/operations.ts'
import { type Acts, type Asked, cancel, listInventory, listOrders, type Schedule, updateTo } from '../acts.ts'
import { basics, repeatable, shuffled } from '../contexts/basics.ts'

/** Up, down, the same again, to 0, again, and from 0. */
const QUANTITIES = ['12', '3', '3', '0', '0', '5'] as const

/** Each answer alone, and what it changes. */
export const plain: Schedule = {
  title: 'each request by itself',
  requests: [55, 53, 13],
  context: 'plain',
  async run(acts) {
    await acts.fixtures.arrangePets(1, 0)
    await acts.look()
    const [pet] = acts.fixtures.pets
    for (const each of basics) {
      const drawn = await each.draw(acts, { pet, key: 'none' })
      if (!drawn) continue
      // On a connection of its own, bytes that follow a 204 are noticed.
      await acts.onConnections(1, async ([connection]) => connection?.send(...drawn))
      if (each.named !== 'nothing') await acts.look()
    }
    for (const id of acts.fixtures.cancelled.slice(0, 1)) await acts.send(cancel('cancelled order', id))
    await acts.look()
    for (const quantity of pet === undefined ? [] : QUANTITIES) {
      await acts.send(...updateTo('pet', pet ?? '', quantity))
      await acts.send(listInventory())
    }
    await acts.all(undocumented)
    // A cancellation and its repetition on one connection, the first of it in a run where further orders can be arranged.
    const again = acts.fixtures.canArrange ? await acts.fixtures.pending() : undefined
    if (again !== undefined)
      await acts.onConnections(1, async ([connection]) => {
        await connection?.send(cancel('pending order', again))
        await connection?.send(cancel('cancelled order', again))
      })
  },
}

/** A safe method (RFC 4918 §9.1), so that it changes nothing even if the store has it. */
const METHOD = 'PROPFIND'

const undocumented: readonly Asked[] = [
  [
    listInventory({ undescribed: true, row: 'deprecated-pets', title: 'GET /pets/1, which is deprecated' }),
    { path: '/pets/1' },
  ],
  ...operationIds.map((operation): Asked => {
    const path = operations[operation].path.replace(/\{.*\}/, '1987654321')
    const own = { row: 'undocumented-method', undescribed: true, advised: [405, 501] } as const
    return [
      { operation, named: 'nothing', id: '', ...own, title: `${METHOD} ${path}` },
      { method: METHOD, path },
    ]
  }),
]

/** Orders of the run that are cancelled again, the first and the last. */
const AGAIN = 8
/** Lists that are requested within a moment. */
const LISTS = 10

/** Everything once more at the end, when the lists are long, many at once, and what the run has left. */
export const end: Schedule = {
  title: 'everything once more',
  requests: [30, 28, 16],
  context: 'end',
  async run(acts) {
    await atOnce(acts)
    const { kept } = acts.fixtures
    // It shows whether a request that was refused has cancelled it.
    if (kept !== undefined) await acts.send(cancel('pending order', kept))
    const { cancelled } = acts.fixtures
    for (const id of new Set([...cancelled.slice(0, AGAIN / 2), ...cancelled.slice(-AGAIN / 2)]))
      await acts.send(cancel('cancelled order', id))
    await acts.look()
  },
}

/** Many lists, changes and refused requests within a moment, each answered as if alone. */
async function atOnce(acts: Acts): Promise<void> {
  const pets = acts.fixtures.pets.slice(0, 8)
  const drawn: Asked[] = []
  for (const [at, step] of shuffled(repeatable(acts), acts.random).entries()) {
    const each = await step.draw(acts, { pet: pets[at % Math.max(1, pets.length)] })
    if (each) drawn.push(each)
  }
  await acts.all(drawn)
  await acts.all(Array.from({ length: LISTS }, (_, at) => [at % 2 === 0 ? listOrders() : listInventory()]))
}
