import { INT64_MAX, INT64_MIN, isInt64 } from '../../support/interface/numbers.ts'
import type { Acts, Schedule } from '../acts.ts'
import { cancel, listOrders } from '../asks.ts'
import { basics } from '../contexts/basics.ts'

/** More than the usual sizes of a page: 100, 200, 250, 500 and 1,000. */
const ORDERS = [250, 400, 400] as const
const PETS = [110, 450, 450] as const

/** Lists that are longer than a page, at the end, because they make each further list long. */
export const sizes: Schedule = {
  name: 'sizes',
  title: 'long lists',
  requests: [21, 3, 0],
  context: 'size',
  async run(acts) {
    if (!acts.fixtures.canArrange) return
    for (const [at, count] of ORDERS.entries()) {
      await acts.fixtures.arrange('pending orders', count)
      await acts.fixtures.arrangePets(PETS[at] ?? 1, 5)
      if (at !== 1) await acts.look()
    }
    for (const each of basics) {
      const drawn = await each.draw(acts)
      if (drawn && (each.named !== 'nothing' || each.isRefused)) await acts.send(...drawn)
    }
    // Lists that are read in pages miss an order if an earlier one is cancelled meanwhile.
    const order = await acts.fixtures.pending()
    if (order !== undefined)
      await acts.all([[listOrders()], [listOrders()], [cancel('pending order', order)], [listOrders()]])
    await acts.look()
  },
}

/** Ids that a double or 32 bits cannot hold. */
export const chosen: Schedule = {
  name: 'chosen',
  title: 'ids above 2^53 and at the ends of int64',
  requests: [35, 0, 0],
  context: 'size',
  run: chosenIds,
}

/** Ids are chosen above this, to detect lost digits. */
const DOUBLE = 2n ** 53n
const RANGE = 4_000n
/** An id this far from another one has the same low 32 bits, and 19 digits. */
const FAR = 2n ** 60n

/** Paths that are no id, which a parser may read as the id at the limit or as 0. */
const BEYOND: ReadonlyMap<bigint, readonly string[]> = new Map([
  [0n, ['abc']],
  [INT64_MAX, [String(INT64_MAX + 1n)]],
  [INT64_MIN, [String(INT64_MIN - 1n)]],
])

/** Three consecutive ids, of which a double holds only the outer two, one far from them, and those at the ends of int64. */
async function chosenIds(acts: Acts): Promise<void> {
  const { fixtures } = acts
  if (!fixtures.canArrange) return
  const middle = ((DOUBLE + acts.bigRandom(RANGE)) | 3n) + 2n
  const beginning = (middle - 1n) / 10n
  const asFloat = [middle - 2n, middle - 64n].filter(id => fixtures.isFree('order', String(id)))
  const arranged: string[] = []
  for (const id of [middle - 1n, middle, middle + 1n, middle + FAR].filter(isInt64)) {
    const given = await fixtures.arrangeWithId(id)
    if (given === undefined) return
    arranged.push(given)
  }
  await acts.look()
  const [below, order, ...others] = arranged
  if (order === undefined) return
  await acts.send(
    cancel('pending order', order, {
      row: 'exact-id',
      title: `a cancellation of order ${order}, above 2^53`,
    }),
  )
  await acts.look()
  const unknown = (id: string) =>
    acts.send(
      cancel('unknown order', id, {
        row: 'exact-id',
        of: order,
        title: `a cancellation of order ${id}, which does not exist, beside ${order}`,
      }),
    )
  for (const id of asFloat) await unknown(String(id))
  if (fixtures.isFree('order', String(beginning))) {
    await unknown(String(beginning))
    const short = await fixtures.arrangeWithId(beginning / 10n)
    if (short !== undefined)
      await acts.send(
        cancel('pending order', short, {
          row: 'exact-id',
          title: `a cancellation of order ${short}, with which the ids of others begin`,
        }),
      )
  }
  const late = asFloat[0] === undefined ? undefined : await fixtures.arrangeWithId(asFloat[0])
  if (late !== undefined)
    await acts.send(
      cancel('pending order', late, {
        row: 'created-after-404',
        title: `a cancellation of order ${late}, whose id was answered 404 before`,
      }),
    )
  for (const id of [below, ...others])
    if (id !== undefined)
      await acts.send(
        cancel('pending order', id, { row: 'exact-id', title: `a cancellation of order ${id}, a neighbour` }),
      )
  await acts.look()
  for (const id of [0n, -1n - acts.bigRandom(1_000_000n), INT64_MAX, INT64_MIN, 2n ** 31n]) {
    if (!fixtures.isFree('order', String(id)) && id !== 0n) continue
    const given = await fixtures.arrangeWithId(id)
    if (given === undefined) continue
    await acts.look()
    for (const path of BEYOND.get(id) ?? [])
      await acts.send(cancel('no order id', path, { of: given, row: 'nameless' }))
    await acts.send(
      cancel('pending order', given, { row: 'edge-id', title: `a cancellation of order ${given}` }),
    )
  }
  await acts.look()
}
