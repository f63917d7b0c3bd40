import { parse } from 'dotenv'
import { JsonNumber, type JsonObject, member } from '../../../suites/oracle/json.ts'
import type { List } from '../../../suites/oracle/lists.ts'
import { isOrderId, isPetId } from '../../interface/identifiers.ts'
import type { Selection } from '../../judge/selection.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { allSettings } from '../../settings/settings.ts'
import type { Lists } from './store.ts'

/** Orders or pets that a full verdict needs, and that are neither named nor arranged. */
export interface Lacking {
  readonly name: 'pendingOrders' | 'shippedOrders' | 'pets'
  readonly count: number
  /** What to do about it. */
  readonly todo: string
}

/** @param declined states that the endpoint does not arrange */
export function lackingFor(
  { statesUrl, statesModule, pendingOrders = [], shippedOrders = [], pets = [] }: Configuration,
  { rules }: Selection,
  declined: readonly string[],
): Lacking[] {
  const arranges = statesUrl !== undefined || statesModule !== undefined
  const needs = (operation: string) => rules.some(each => each.operation === operation)
  const [cancels, updates] = [needs('cancelOrder'), needs('updateInventory')]
  const more = (name: Lacking['name'], state: string, wanted: number, named: number) => {
    const count = wanted - named
    if (count <= 0 || (arranges && !declined.includes(state))) return []
    const what = count === 1 ? state.replace(/s$/, '') : state
    const todo = `name ${count} ${named > 0 ? 'more ' : ''}${what} (--${state.replace(' ', '-')})`
    return [{ name, count, todo }]
  }
  return [
    ...more('pendingOrders', 'pending orders', cancels ? 3 : 0, pendingOrders.length),
    ...more('shippedOrders', 'shipped orders', cancels ? 1 : 0, shippedOrders.length),
    ...more('pets', 'pets', updates && pets !== 'any' ? 2 : 0, pets.length),
  ]
}

/** What a run does with the orders and pets of a setting, and how the list shows candidates. */
const CANDIDATES = {
  pendingOrders: {
    says: 'Not complete according to the list, so they may be pending. A run cancels them.',
    idOf: (order: JsonObject) => (member(order, 'complete') === false ? orderId(order) : undefined),
    list: 'orders',
  },
  shippedOrders: {
    says: 'Complete according to the list, so they may have shipped. A run tries to cancel them, which a store then refuses.',
    idOf: (order: JsonObject) => (member(order, 'complete') === true ? orderId(order) : undefined),
    list: 'orders',
  },
  pets: {
    says: 'A run changes their stock, and restores it.',
    idOf: (entry: JsonObject) => idIn(entry, 'petId', isPetId),
    list: 'inventory',
  },
} as const

/** As the list writes it: a petId of 12.5 stays so. */
function idIn(entry: JsonObject, name: string, isId: (id: string) => boolean): string | undefined {
  const id = member(entry, name)
  return id instanceof JsonNumber && isId(id.source) ? id.source : undefined
}

const orderId = (order: JsonObject) => idIn(order, 'id', isOrderId)

/**
 * The text of a `.env` with the settings of this command. What a full verdict lacks is in comments, because the user has to allow it: ids
 * in the lists may belong to others.
 */
export function dotenvText(
  { given = {}, headers = {} }: Configuration,
  lacking: readonly Lacking[],
  lists: Lists,
) {
  return allSettings
    .flatMap(({ name, variable, flag }) => {
      const text = given[name]
      if (variable === undefined) return []
      const lack = lacking.find(each => each.name === name)
      const candidates = lack ? candidateLines(variable, text, lack, lists) : []
      if (text === undefined) return candidates
      const value =
        name === 'headers'
          ? Object.keys(headers)
              .map(each => `${each}=${HIDDEN}`)
              .join(',')
          : flag === undefined
            ? HIDDEN
            : text
      return [`${variable}=${quoted(value)}`, ...candidates]
    })
    .map(line => `${line}\n`)
    .join('')
}

/** In place of a secret. */
const HIDDEN = 'change-me'

function candidateLines(
  variable: string,
  named: string | undefined,
  { name, count }: Lacking,
  lists: Lists,
): string[] {
  const { says, idOf, list } = CANDIDATES[name]
  const others = named?.split(',').map(each => each.trim()) ?? []
  const found = idsIn(lists[list], idOf).filter(id => !others.includes(id))
  if (found.length === 0) return [`# ${variable}: the list shows no candidate; name ${count}.`]
  const few = found.length < count ? ` The list shows only ${found.length} of ${count}.` : ''
  return [`# ${says}${few}`, `#${variable}=${[...others, ...found.slice(-count)].join(',')}`]
}

const idsIn = (list: List | undefined, idOf: (entry: JsonObject) => string | undefined): string[] => [
  ...new Set([...(list?.byId.values() ?? [])].flatMap(entry => idOf(entry.object) ?? [])),
]

/** dotenv has no escapes within single quotes and backticks, and cuts an unquoted value at `#`. */
function quoted(value: string): string {
  const ways = [value, `'${value}'`, `"${value}"`, `\`${value}\``]
  return ways.find(way => parse(`VALUE=${way}`)['VALUE'] === value) ?? value
}
