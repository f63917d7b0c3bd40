import type { ClauseId } from '../support/interface/clauses.ts'
import { members, type OperationId } from '../support/interface/operations.ts'
import { headersOf } from './oracle/answer.ts'
import { isObject, JsonNumber, type JsonObject, member, show } from './oracle/json.ts'
import type { ListReader } from './oracle/lists.ts'
import type { Exchange, Log } from './oracle/log.ts'

/** The answer to a question. Undefined if the log does not show it. */
type See = (log: Log, reader: ListReader) => string | undefined
type IsWanted = (exchange: Exchange) => boolean

const SHOWN = 200

const bodyOf =
  (isWanted: IsWanted): See =>
  ({ exchanges }) => {
    const response = exchanges.find(each => each.response && !each.ask.refused && isWanted(each))?.response
    return response && `${response.status}: ${response.body.slice(0, SHOWN) || 'empty'}`
  }

const statusesOf =
  (isWanted: IsWanted): See =>
  ({ exchanges }) => {
    const wanted = exchanges.filter(each => !each.ask.refused && isWanted(each))
    return (
      [...new Set(wanted.map(({ response }) => response?.status ?? 'no response'))].join(', ') || undefined
    )
  }

const answersTo = (row: string): See => statusesOf(({ ask }) => ask.row === row)

/** What is said of the entries of the first list that has any. */
const entriesOf =
  (operation: OperationId, say: (entries: readonly JsonObject[]) => string): See =>
  ({ exchanges }, reader) => {
    const lists = exchanges.filter(({ ask }) => ask.operation === operation && !ask.refused)
    const list = lists.map(each => reader.read(each)).find(each => each !== undefined)
    const entries = list?.items.flatMap(value => (isObject(value) ? [value] : [])) ?? []
    return entries.length === 0 ? undefined : say(entries)
  }

const membersBeside = (known: readonly string[]) => (entries: readonly JsonObject[]) =>
  [...new Set(entries.flatMap(Object.keys))].filter(name => !known.includes(name)).join(', ') || 'none'

const baseUrlVersion: See = ({ exchanges }) => {
  const list = exchanges.find(
    ({ ask, response }) => ask.operation === 'listOrders' && response && !ask.refused,
  )
  return list && (new URL(list.request.url).pathname.endsWith('/v1/store/orders') ? 'yes' : 'no')
}

const cancelledOrderListed: See = ({ exchanges }, reader) => {
  const cancelled = exchanges.find(
    ({ ask, response }) => ask.named === 'pending order' && response?.status === 204,
  )
  const lists = exchanges.filter(
    ({ ask, begun }) => ask.operation === 'listOrders' && begun > (cancelled?.ended ?? Infinity),
  )
  const list = lists.map(each => reader.read(each)).find(each => each !== undefined)
  return cancelled && list && (list.byId.has(cancelled.ask.id) ? 'yes' : 'no')
}

const deprecatedPets: See = ({ exchanges }) => {
  const { response } = exchanges.find(({ ask }) => ask.row === 'deprecated-pets') ?? {}
  if (!response) return undefined
  const named = (name: string) => `${name} ${headersOf(response, name.toLowerCase())[0] ?? 'absent'}`
  return `${response.status}, ${named('Deprecation')}, ${named('Sunset')}`
}

const isPlainInteger = (value: ReturnType<typeof member>): boolean =>
  value instanceof JsonNumber && /^-?[0-9]+$/.test(value.value)

const secondCancel = statusesOf(({ ask, context }) => ask.named === 'cancelled order' && context === 'plain')
const conflictBody = bodyOf(
  ({ ask, response }) => ask.operation === 'cancelOrder' && response?.status === 409,
)
const badRequestBody = bodyOf(({ ask, response }) => ask.body?.kind === 'invalid' && response?.status === 400)
const orderMembers = entriesOf('listOrders', all =>
  members.order
    .map(name => `${name} in ${all.filter(each => Object.hasOwn(each, name)).length} of ${all.length}`)
    .join(', '),
)
const statusValues = entriesOf('listInventory', all =>
  [...new Set(all.map(each => show(member(each, 'status'))))].sort().slice(0, 20).join(', '),
)
const petIdFormat = entriesOf('listInventory', all => {
  const plain = all.filter(each => isPlainInteger(member(each, 'petId')))
  return `${plain.length} of ${all.length} as plain integers`
})

type Row = readonly [clause: ClauseId, title: string, saw: See]

/** What a store does where the document is silent (§2 to §9): questions that are answered, and never judged. */
// biome-ignore format: a table
const questions: Readonly<Record<OperationId, Readonly<Record<string, Row>>>> = {
  listOrders: {
    'base-url-version': ['9/prefix', 'Does the base address end in /v1?', baseUrlVersion],
    'order-members-present': ['2/order', 'Which members do orders have?', orderMembers],
    'order-members-extra': ['2/order-status', 'Which further members do orders have?', entriesOf('listOrders', membersBeside(members.order))],
  },
  cancelOrder: {
    'cancelled-order-listed': ['4.1/all', 'Does a cancelled order stay in the list?', cancelledOrderListed],
    'second-cancel-status': ['3/pending', 'Which status answers the second cancellation of an order?', secondCancel],
    'malformed-id-status': ['4.2/order-id', 'Which status answers an orderId that is not an int64?', statusesOf(({ ask }) => ask.named === 'no order id')],
    'conflict-body': ['7/409-body', 'What does the body of a 409 look like?', conflictBody],
  },
  listInventory: {
    'inventory-status-values': ['2/status-values', 'Which values does status have in the inventory?', statusValues],
    'inventory-members-extra': ['2/entry', 'Which further members do inventory entries have?', entriesOf('listInventory', membersBeside(members.entry))],
    'inventory-pet-id-format': ['2/entry-pet-id', 'In which number format is petId written?', petIdFormat],
    'deprecated-pets': ['9/deprecated-pets', 'How is GET /pets/{petId} answered, and does it have the headers Deprecation (RFC 9745) and Sunset (RFC 8594)?', deprecatedPets],
  },
  updateInventory: {
    'bad-request-body': ['7/400-body', 'What does the body of a 400 look like?', badRequestBody],
    'negative-quantity': ['4.4/replaces', 'Which status answers a negative quantity?', answersTo('negative')],
    'missing-quantity': ['4.4/body', 'Which status answers an update without quantity?', answersTo('missing')],
    'unusual-json': ['4.4/body', 'Which status answers an integer in unusual but legal JSON, such as 7.0?', answersTo('writing')],
    'further-member': ['4.4/body', 'Which status answers a further member or parameter of an update?', answersTo('path-names-pet')],
    'other-content-type': ['4.4/content-type', 'Which status answers an update with another Content-Type, or none?', answersTo('content-type')],
  },
}

export const observations = (Object.keys(questions) as OperationId[]).flatMap(operation =>
  Object.entries(questions[operation]).map(([id, [clause, title, saw]]) => ({
    ...{ id, operation, clause, title, saw },
  })),
)
