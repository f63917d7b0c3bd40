import { randomIntegers } from '../../support/interface/numbers.ts'
import type { Fault } from '../../support/reference/index.ts'
import * as answers from './answers.ts'
import * as bodies from './bodies.ts'
import * as cancellations from './cancellations.ts'
import * as keys from './keys.ts'
import { after, beside, endingIn, every, late, requesting, type When } from './moments.ts'
import { type AskName, answered, asks, changing, rowsOf } from './operators.ts'
import * as updates from './updates.ts'

const names = Object.keys(asks) as AskName[]

/** A request after which the plain schedule does not send this one on the same connection. */
const before = (name: AskName): AskName => {
  if (/^auth/.test(name)) return 'update-unknown-404'
  return /^list/.test(name) ? 'auth-no-header-list-orders' : 'auth-no-header-cancel-order'
}

const moments: Readonly<Record<string, readonly [rule: string, when: (name: AskName) => When]>> = {
  'after-anything': ['after-anything', name => after(asks[before(name)].isIt, 'connection')],
  'beside-anything': ['beside-anything', () => beside],
  'any-request': ['any-form', () => requesting('accept-language', /^de/)],
  'at-the-end': ['at-the-end', () => late],
}

const TOO_FEW = { outOfReachWhenNamed: 'named orders are too few' }
const TOO_LATE = { outOfReachWhenNamed: 'the fault begins when orders with chosen ids are arranged' }

const changes = { order: 'cancel-unknown-404', stock: 'update-unknown-404' } as const

/** A fault for each answer in each context. */
const inContexts: readonly Fault[] = Object.entries(moments).flatMap(([moment, [rule, when]]) => {
  const isLate = moment === 'at-the-end'
  const factsOf = (name: AskName) => ({
    ...(isLate ? TOO_LATE : name === 'cancel-pending-204' ? TOO_FEW : {}),
    when: when(name),
  })
  // Late in the run, the lists get long as well. Two requests may come one after the other by chance in other circumstances.
  const also = isLate ? ['any-size'] : moment === 'after-anything' ? ['any-form', 'at-the-end'] : []
  return [
    ...names.flatMap(name => {
      const cell = `${rule}/${asks[name].operation}`
      // At the end, no list is fetched by itself.
      if (isLate && /^list/.test(name)) return []
      return rowsOf({ [`${moment}-500-${name}`]: [asks[name], cell, answered(500), factsOf(name)] })
    }),
    ...(['order', 'stock'] as const).flatMap(what => {
      const name = changes[what]
      return rowsOf({
        [`${moment}-changes-${what}`]: [asks[name], [rule, ...also], changing(what), factsOf(name)],
      })
    }),
  ]
})

/** Every fault of the reference store. Each violates the interface in one way. */
export const faults: readonly Fault[] = [
  ...[answers, keys, cancellations, updates, bodies].flatMap(each => each.faults),
  ...inContexts,
]

type Pick = <Item>(items: readonly Item[]) => Item

const HEADERS: readonly (readonly [name: string, value: RegExp])[] = [
  ['accept', /^text\/html/],
  ['accept', /^\*\/\*$/],
  ['accept', /q=0\.5/],
  ['accept-encoding', /^gzip$/],
  ['accept-encoding', /q=0\.1/],
  ['accept-language', /^de/],
  ['connection', /close/],
  ['cookie', /./],
  ['via', /./],
  ['x-harmless-1', /./],
]

/** Each combination of a moment, a request and an aspect is a fault that nobody listed. */
const drawn: Readonly<Record<string, (pick: Pick) => When>> = {
  after: pick => after(asks[pick(names)].isIt, pick(['connection', 'store'])),
  beside: () => beside,
  header: pick => requesting(...pick(HEADERS)),
  late: () => late,
  every: pick => every(pick([2, 3, 5])),
  digit: pick => endingIn(pick([...'0123456789'])),
}

/** The fault with this id: `generated-7-0` is the first one of seed 7. */
export function generatedFault(id: string): Fault | undefined {
  if (!/^generated-[0-9]+-[0-9]+$/.test(id)) return undefined
  const picked: unknown[] = []
  const draw = randomIntegers(0)(id)
  const pick: Pick = items => {
    const item = items[Number(draw(BigInt(items.length)))] as (typeof items)[number]
    picked.push(item)
    return item
  }
  const moment = pick(Object.keys(drawn))
  const when = drawn[moment]?.(pick)
  // The path of a list has no digit.
  const request = pick(names.filter(name => moment !== 'digit' || !/list/.test(name)))
  // Which status refuses a cancelled order is open.
  const status = request === 'cancel-twice-refused' ? 500 : pick([500, 503, 403, 422])
  const what = pick(['answered', 'answered', 'order', 'stock'] as const)
  const aspect = what === 'answered' ? answered(status) : changing(what)
  return rowsOf({
    [id]: [asks[request], [], aspect, { generated: picked.join(', '), ...(when && { when }) }],
  })[0]
}
