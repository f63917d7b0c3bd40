import { canonical, INT64_MAX, INT64_MIN, isInt64, toInteger } from '../../support/interface/numbers.ts'
import { type Acts, type Asked, cancel, ifAny, type Schedule, updateTo } from '../acts.ts'
import type { Ask } from '../oracle/log.ts'

/** Orders get these ids in each run. A store may keep one of an earlier run that was cancelled, and not list it. */
const ARRANGED = [0n, INT64_MAX, INT64_MIN, 2n ** 31n]
/** Limits of int64, of a double and of 32 bits. */
const EDGES = [
  ...[-1n, 2n ** 31n - 1n, 2n ** 32n, -(2n ** 31n) - 1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n],
  ...ARRANGED,
]
const RANDOM = 4

/** Ids that equal another one in part: its sign, its low bits, its first or last digits. */
function similarTo(of: string): readonly string[] {
  const id = toInteger(of)
  if (id === undefined) return []
  const far = [24n, 31n, 32n, 53n].map(bits => id + 2n ** bits)
  const decimal = [7n, 9n, 15n, 18n].map(power => id + 10n ** power)
  const longer = [id * 10n, id * 1000n, id * 10n ** 7n, id + 10n ** BigInt(String(id).length)]
  const all = new Set([-id, ...far, id - 2n ** 32n, ...decimal, ...longer])
  return [...all].filter(each => each !== id && isInt64(each)).map(String)
}

/** Path segments that are no int64. A parser may read digits in them, or wrap at 64 bits. */
const namelessFor = (id: string): readonly string[] => [
  `${id}abc`,
  `${id},${id}`,
  `${id}%20or%200`,
  `abc${id}`,
  String((toInteger(id) ?? 0n) + 2n ** 64n),
  'abc',
  'null',
]

/** Ids of nothing, ids that equal another one in part, and paths that are no id. */
export const ids: Schedule = {
  title: 'ids that no order and no pet has',
  requests: [68, 64, 4],
  shows: ['cancel-order', 'update-inventory'],
  context: 'plain',
  async run(acts) {
    const { fixtures } = acts
    const order = fixtures.canArrange ? await fixtures.pending() : fixtures.kept
    const pet = fixtures.pets.find(each => toInteger(each) !== undefined) ?? fixtures.pets[0]
    const free = (resource: 'order' | 'pet', all: readonly string[]) =>
      all.filter(id => fixtures.isFree(resource, id))
    const ofOrder = (of: string): readonly Asked[] => [
      ...free('order', similarTo(of)).map(id => similar([cancel('similar order id', id), {}], of)),
      // Of a pet, whose id may be a fraction, the ids similar to it contain one.
      ...[...namelessFor(of), `${of}.5`].map(id => nameless([cancel('no order id', id), {}], of)),
      ...(canonical(of) === of ? free('pet', [of]) : []).map(id => {
        const own = { of, row: 'similar', title: `an update with the id of order ${of}` }
        return updateTo('similar pet id', id, '7', own)
      }),
    ]
    const ofPet = (of: string): readonly Asked[] => {
      const integer = [toInteger(of)].filter(each => each !== undefined)
      const longer = integer.map(each => `${each}.7`)
      const title = `a cancellation with the id of pet ${of}`
      return [
        ...free('pet', [...similarTo(of), ...longer]).map(id =>
          similar(updateTo('similar pet id', id, '8'), of),
        ),
        ...namelessFor(of).map(id => nameless(updateTo('no pet id', id, '13'), of)),
        ...free('order', integer.filter(isInt64).map(String)).map(
          (id): Asked => [cancel('unknown order', id, { title }), {}],
        ),
      ]
    }
    await acts.all([
      ...free('order', [...EDGES, ...randomOrders(acts)].map(String)).map(
        (id): Asked => [
          cancel('unknown order', id, ARRANGED.map(String).includes(id) ? { declined: [409, 410] } : {}),
          {},
        ],
      ),
      ...free('pet', randomPets(acts)).map((id, nth) => updateTo('unknown pet', id, nth % 2 ? '0' : '7')),
      ...ifAny(order, ofOrder).flat(),
      ...ifAny(pet, ofPet).flat(),
    ])
    await acts.look()
    if (fixtures.canArrange && order !== undefined) await acts.send(cancel('pending order', order))
    await acts.look()
  },
}

const randomOrders = ({ bigRandom }: Acts): readonly bigint[] =>
  Array.from({ length: RANDOM }, (_, nth) =>
    nth % 2 === 0 ? bigRandom(2n ** 31n) : (bigRandom(2n ** 32n) << 31n) - 2n ** 62n,
  )

/** The format of petId is not shown (§2), so only 32-bit integers are sent. */
const randomPets = ({ bigRandom }: Acts): readonly string[] =>
  Array.from({ length: RANDOM }, () => String(10n ** 6n + bigRandom(2n ** 31n - 10n ** 6n)))

const nameless = ([ask, written]: Asked, of: string): Asked => [{ ...ask, of, row: 'nameless' }, written]

const similar = ([ask, written]: Asked, of: string): Asked => {
  const title = `${ask.title.split(' of ', 1)[0]} of an id similar to ${of}${differenceOf(ask.id, of)}`
  return [{ ...ask, of, row: 'similar', title }, written]
}

/** How an id is made from another one, where a power of 2 or 10 is added to it. */
function differenceOf(id: string, of: string): string {
  const difference = (toInteger(id) ?? 0n) - (toInteger(of) ?? 0n)
  for (const base of [2n, 10n])
    for (let power = 0n; power < 64n; power += 1n)
      if (difference === base ** power) return `, ${of} + ${base}^${power}`
  return ''
}

/** Ids that a double or 32 bits cannot hold. */
export const chosen: Schedule = {
  title: 'ids above 2^53 and at the ends of int64',
  requests: [37, 0, 0],
  shows: ['list-orders', 'cancel-order'],
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
  const send = (named: Ask['named'], id: string, row: string, what = '') =>
    acts.send(
      cancel(named, id, {
        row,
        of: named === 'unknown order' ? order : undefined,
        title: `a cancellation of order ${id}${what}`,
      }),
    )
  await send('pending order', order, 'exact-id', ', above 2^53')
  const isFree = fixtures.isFree('order', String(beginning))
  const short = isFree ? await fixtures.arrangeWithId(beginning / 10n) : undefined
  await acts.look()
  const unknown = (id: bigint) =>
    send('unknown order', String(id), 'exact-id', `, which does not exist, beside ${order}`)
  for (const id of asFloat) await unknown(id)
  if (isFree) await unknown(beginning)
  if (short !== undefined)
    await send('pending order', short, 'exact-id', ', with which the ids of others begin')
  const late = asFloat[0] === undefined ? undefined : await fixtures.arrangeWithId(asFloat[0])
  await acts.look()
  if (late !== undefined)
    await send('pending order', late, 'created-after-404', ', whose id was answered 404 before')
  for (const id of [below, ...others])
    if (id !== undefined) await send('pending order', id, 'exact-id', ', a neighbour')
  await acts.look()
  for (const id of [-1n - acts.bigRandom(1_000_000n), ...ARRANGED]) {
    if (!fixtures.isFree('order', String(id)) && id !== 0n) continue
    const given = await fixtures.arrangeWithId(id)
    if (given === undefined) continue
    await acts.look()
    for (const path of BEYOND.get(id) ?? [])
      await acts.send(cancel('no order id', path, { of: given, row: 'nameless' }))
    await send('pending order', given, 'edge-id')
  }
  await acts.look()
}
