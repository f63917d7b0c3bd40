import type { Fault } from '../../support/reference/index.ts'
import {
  type AskName,
  after,
  answered,
  asks,
  beside,
  changing,
  instances,
  late,
  requesting,
  type When,
} from '../operators.ts'

/** A request after which the plain schedule does not send this one on the same connection. */
const before = (name: AskName): AskName => {
  if (/^auth/.test(name)) return 'update-unknown-404'
  return /^list/.test(name) ? 'auth-no-header-list-orders' : 'auth-no-header-cancel-order'
}

const moments: readonly (readonly [id: string, rule: string, when: (name: AskName) => When])[] = [
  ['after-anything', 'after-anything', name => after(before(name), 'connection')],
  ['beside-anything', 'beside-anything', () => beside],
  ['any-request', 'any-form', () => requesting('accept-language', /^de/)],
  ['at-the-end', 'at-the-end', () => late],
]

const TOO_LATE = { outOfReachWhenNamed: 'the fault begins when orders with chosen ids are arranged' }
const TOO_FEW = { outOfReachWhenNamed: 'named orders are too few' }

/** A fault for each answer in each context. */
export const faults: readonly Fault[] = moments.flatMap(([moment, rule, when]) => {
  const isLate = when('list-orders-200') === late
  const factsOf = (name: AskName) => ({
    ...(isLate ? TOO_LATE : name === 'cancel-pending-204' ? TOO_FEW : {}),
    when: when(name),
  })
  // Late in the run, the lists get long as well.
  const broken = isLate ? [rule, 'any-size'] : rule
  const answers = (Object.keys(asks) as AskName[]).filter(name => !isLate || !/^list/.test(name))
  const changes = { order: 'cancel-unknown-404', stock: 'update-unknown-404' } as const
  return [
    ...answers.flatMap(name => {
      const cell = `${rule}/${asks[name].operation}`
      return instances({ [`${moment}-500-${name}`]: [asks[name], cell, answered(500), factsOf(name)] })
    }),
    ...(['order', 'stock'] as const).flatMap(what => {
      const name = changes[what]
      return instances({ [`${moment}-changes-${what}`]: [asks[name], broken, changing(what), factsOf(name)] })
    }),
  ]
})
