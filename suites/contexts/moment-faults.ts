import type { Fault } from '../../support/reference/index.ts'
import { OUT_OF_REACH_LATER } from '../fault-timing.ts'
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

/** A fault for each answer in each context. */
export const faults: readonly Fault[] = moments.flatMap(([moment, rule, when]) => {
  const isLate = moment === 'at-the-end'
  const named = { outOfReachWhenNamed: 'named orders are too few' }
  const facts = (name: AskName) => ({
    ...(isLate ? OUT_OF_REACH_LATER : name === 'cancel-pending-204' ? named : {}),
    when: when(name),
  })
  const names = (Object.keys(asks) as AskName[]).filter(name => !isLate || !/^list/.test(name))
  // Late in the run, the lists get long as well.
  const broken = isLate ? [rule, 'any-size'] : rule
  return [
    ...names.flatMap(name =>
      instances({
        [`${moment}-500-${name}`]: [
          asks[name],
          `${rule}/${asks[name].operation}`,
          answered(500),
          facts(name),
        ],
      }),
    ),
    ...(['order', 'stock'] as const).flatMap(what => {
      const name = what === 'order' ? 'cancel-unknown-404' : 'update-unknown-404'
      return instances({ [`${moment}-changes-${what}`]: [asks[name], broken, changing(what), facts(name)] })
    }),
  ]
})
