import { canonical, INT64_MAX, INT64_MIN, isInt64, toInteger } from '../../support/interface/numbers.ts'
import type { Acts, Schedule, Written } from '../acts.ts'
import { cancel, quantityOf, update } from '../asks.ts'
import type { Ask } from '../oracle/log.ts'

/** Limits of int64, of a double and of 32 bits. */
const EDGES = [
  -1n,
  0n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  -(2n ** 31n) - 1n,
  2n ** 53n + 1n,
  -(2n ** 53n) - 1n,
  INT64_MAX,
  INT64_MIN,
]
const RANDOM = 4

/** Ids that equal another one in part: its sign, its low bits, its first or last digits. */
export function similarTo(id: bigint): readonly bigint[] {
  const far = [24n, 31n, 32n, 53n].map(bits => id + 2n ** bits)
  const decimal = [7n, 9n, 15n, 18n].map(power => id + 10n ** power)
  const longer = [id * 10n, id * 1000n, id * 10n ** 7n, id + 10n ** BigInt(String(id).length)]
  return [...new Set([-id, ...far, id - 2n ** 32n, ...decimal, ...longer])].filter(
    each => each !== id && isInt64(each),
  )
}

/** Path segments that are no int64. A parser may read digits in them, or wrap at 64 bits. */
const namelessFor = (id: string): readonly string[] => [
  `${id}abc`,
  `${id}.5`,
  `${id},${id}`,
  `${id}%20or%200`,
  `abc${id}`,
  String((toInteger(id) ?? 0n) + 2n ** 64n),
  'abc',
  'null',
]

const VALID = { body: quantityOf('7') }

/** Ids of nothing, ids that equal another one in part, and paths that are no id. */
export const ids: Schedule = {
  name: 'ids',
  title: 'ids that no order and no pet has',
  requests: [69, 65, 4],
  context: 'plain',
  async run(acts) {
    const { fixtures } = acts
    const order = fixtures.canArrange ? await fixtures.pending() : fixtures.kept
    const pet = fixtures.pets.find(each => toInteger(each) !== undefined) ?? fixtures.pets[0]
    await acts.all([
      ...EDGES.map(String)
        .filter(id => fixtures.isFree('order', id))
        .map(id => [cancel('unknown order', id)] as const),
      ...unknownOrders(acts),
      ...unknownPets(acts),
      ...(order === undefined ? [] : similarOrders(acts, order)),
      ...(pet === undefined ? [] : similarPets(acts, pet)),
      ...(order === undefined
        ? []
        : namelessFor(order).map(id => [nameless(cancel('no order id', id), order)] as const)),
      ...(pet === undefined
        ? []
        : namelessFor(pet).map(
            id => [nameless(update('no pet id', id, '13'), pet), { body: quantityOf('13') }] as const,
          )),
      ...exchanged(acts, order, pet),
    ])
    await acts.look()
    if (fixtures.canArrange && order !== undefined) await acts.send(cancel('pending order', order))
    await acts.look()
  },
}

const nameless = (ask: Ask, of: string): Ask => ({ ...ask, of, row: 'nameless' })
const similar = (ask: Ask, of: string): Ask => ({
  ...ask,
  of,
  row: 'similar',
  title: `${ask.title.split(' of ', 1)[0]} of an id similar to ${of}${differenceOf(ask.id, of)}`,
})

/** How an id is made from another one, where a power of 2 or 10 is added to it. */
function differenceOf(id: string, of: string): string {
  const difference = (toInteger(id) ?? 0n) - (toInteger(of) ?? 0n)
  for (const base of [2n, 10n])
    for (let power = 0n; power < 64n; power += 1n)
      if (difference === base ** power) return `, ${of} + ${base}^${power}`
  return ''
}

const unknownOrders = ({ fixtures, bigRandom }: Acts): readonly (readonly [Ask])[] =>
  Array.from({ length: RANDOM }, (_, nth) =>
    nth % 2 === 0 ? bigRandom(2n ** 31n) : (bigRandom(2n ** 32n) << 31n) - 2n ** 62n,
  )
    .map(String)
    .filter(id => fixtures.isFree('order', id))
    .map(id => [cancel('unknown order', id)])

/** The format of petId is not shown (§2), so only 32-bit integers are sent. */
const unknownPets = ({ fixtures, bigRandom }: Acts): readonly (readonly [Ask, Written])[] =>
  Array.from({ length: RANDOM }, () => String(10n ** 6n + bigRandom(2n ** 31n - 10n ** 6n)))
    .filter(id => fixtures.isFree('pet', id))
    .map(id => [update('unknown pet', id, '7'), VALID])

function similarOrders({ fixtures }: Acts, order: string): readonly (readonly [Ask])[] {
  const id = toInteger(order)
  if (id === undefined) return []
  return similarTo(id)
    .map(String)
    .filter(each => fixtures.isFree('order', each))
    .map(each => [similar(cancel('similar order id', each), order)])
}

function similarPets({ fixtures }: Acts, pet: string): readonly (readonly [Ask, Written])[] {
  const id = toInteger(pet)
  if (id === undefined) return []
  return [...similarTo(id).map(String), `${id}.7`]
    .filter(each => fixtures.isFree('pet', each))
    .map(each => [similar(update('similar pet id', each, '8'), pet), { body: quantityOf('8') }])
}

/** The id of a pet where that of an order is asked for, and the other way round. */
function exchanged(
  { fixtures }: Acts,
  order: string | undefined,
  pet: string | undefined,
): readonly (readonly [Ask, Written?])[] {
  const asks: (readonly [Ask, Written?])[] = []
  const petId = pet === undefined ? undefined : toInteger(pet)
  if (petId !== undefined && isInt64(petId) && fixtures.isFree('order', String(petId)))
    asks.push([
      { ...cancel('unknown order', String(petId)), title: `a cancellation with the id of pet ${pet}` },
    ])
  if (order !== undefined && canonical(order) === order && fixtures.isFree('pet', order))
    asks.push([
      {
        ...similar(update('similar pet id', order, '7'), order),
        title: `an update with the id of order ${order}`,
      },
      VALID,
    ])
  return asks
}
