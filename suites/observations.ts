import type { ClauseId } from '../support/interface/clauses.ts'
import { members, type OperationId } from '../support/interface/operations.ts'
import { isObject, JsonNumber, type JsonObject, member, show } from './oracle/json.ts'
import type { List, ListReader } from './oracle/lists.ts'
import type { Exchange, Log } from './oracle/log.ts'

/** A question that the document leaves open. The answer follows from the log, and is never judged. */
export interface Observation {
  readonly id: string
  readonly operation: OperationId
  readonly clause: ClauseId
  readonly title: string
  /** The answer. Undefined if the log does not show it. */
  readonly saw: (log: Log, reader: ListReader) => string | undefined
}

const SHOWN = 200

const first = ({ exchanges }: Log, isWanted: (exchange: Exchange) => boolean): Exchange | undefined =>
  exchanges.find(each => each.response !== undefined && !each.ask.refused && isWanted(each))

const bodyOf = (exchange: Exchange | undefined): string | undefined =>
  exchange?.response && `${exchange.response.status}: ${exchange.response.body.slice(0, SHOWN) || 'empty'}`

const statusesOf = ({ exchanges }: Log, isWanted: (exchange: Exchange) => boolean): string | undefined =>
  [...new Set(exchanges.filter(isWanted).map(({ response }) => response?.status ?? 'no response'))].join(
    ', ',
  ) || undefined

/** How many entries the first list has, and in how many of them each text occurs. Undefined without entries. */
function tallyOf(
  { exchanges }: Log,
  reader: ListReader,
  operation: OperationId,
  textsOf: (entry: JsonObject) => readonly string[],
) {
  const lists = exchanges.filter(({ ask }) => ask.operation === operation && !ask.refused)
  const list: List | undefined = lists.map(each => reader.read(each)).find(each => each !== undefined)
  const counts = new Map<string, number>()
  let all = 0
  for (const { value } of list?.items ?? []) {
    if (!isObject(value)) continue
    all += 1
    for (const text of textsOf(value)) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return all === 0 ? undefined : { counts, all }
}

function furtherMembers(tally: ReturnType<typeof tallyOf>, known: readonly string[]): string | undefined {
  const further = [...(tally?.counts.keys() ?? [])].filter(name => !known.includes(name))
  return tally && (further.join(', ') || 'none')
}

const withRow = (log: Log, row: string) => statusesOf(log, ({ ask }) => ask.row === row && !ask.refused)

/** What this store does where the document is silent (§2 to §9). */
export const observations: readonly Observation[] = [
  {
    id: 'base-url-version',
    operation: 'listOrders',
    clause: '9/prefix',
    title: 'Does the base address end in /v1?',
    saw: log => {
      const list = first(log, ({ ask }) => ask.operation === 'listOrders')
      return list && (new URL(list.request.url).pathname.endsWith('/v1/store/orders') ? 'yes' : 'no')
    },
  },
  {
    id: 'order-members-present',
    operation: 'listOrders',
    clause: '2/order',
    title: 'Which members do orders have?',
    saw(log, reader) {
      const tally = tallyOf(log, reader, 'listOrders', Object.keys)
      return (
        tally &&
        members.order.map(name => `${name} in ${tally.counts.get(name) ?? 0} of ${tally.all}`).join(', ')
      )
    },
  },
  {
    id: 'order-members-extra',
    operation: 'listOrders',
    clause: '2/order-status',
    title: 'Which further members do orders have?',
    saw: (log, reader) => furtherMembers(tallyOf(log, reader, 'listOrders', Object.keys), members.order),
  },
  {
    id: 'cancelled-order-listed',
    operation: 'cancelOrder',
    clause: '4.1/all',
    title: 'Does a cancelled order stay in the list?',
    saw(log, reader) {
      const cancelled = log.exchanges.find(
        ({ ask, response }) => ask.named === 'pending order' && response?.status === 204,
      )
      const list = log.exchanges.find(
        each =>
          cancelled &&
          each.begun > cancelled.ended &&
          each.ask.operation === 'listOrders' &&
          reader.read(each),
      )
      const read = list && reader.read(list)
      return cancelled && read && (read.byId.has(cancelled.ask.id) ? 'yes' : 'no')
    },
  },
  {
    id: 'second-cancel-status',
    operation: 'cancelOrder',
    clause: '3/pending',
    title: 'Which status answers the second cancellation of an order?',
    saw: log =>
      statusesOf(
        log,
        ({ ask, context }) => ask.named === 'cancelled order' && !ask.refused && context === 'plain',
      ),
  },
  {
    id: 'malformed-id-status',
    operation: 'cancelOrder',
    clause: '4.2/order-id',
    title: 'Which status answers an orderId that is not an int64?',
    saw: log => statusesOf(log, ({ ask }) => ask.named === 'no order id'),
  },
  {
    id: 'conflict-body',
    operation: 'cancelOrder',
    clause: '7/409-body',
    title: 'What does the body of a 409 look like?',
    saw: log =>
      bodyOf(first(log, ({ ask, response }) => ask.operation === 'cancelOrder' && response?.status === 409)),
  },
  {
    id: 'inventory-status-values',
    operation: 'listInventory',
    clause: '2/status-values',
    title: 'Which values does status have in the inventory?',
    saw(log, reader) {
      const tally = tallyOf(log, reader, 'listInventory', each => [show(member(each, 'status'))])
      return tally && [...tally.counts.keys()].sort().slice(0, 20).join(', ')
    },
  },
  {
    id: 'inventory-members-extra',
    operation: 'listInventory',
    clause: '2/entry',
    title: 'Which further members do inventory entries have?',
    saw: (log, reader) => furtherMembers(tallyOf(log, reader, 'listInventory', Object.keys), members.entry),
  },
  {
    id: 'inventory-pet-id-format',
    operation: 'listInventory',
    clause: '2/entry-pet-id',
    title: 'In which number format is petId written?',
    saw(log, reader) {
      const tally = tallyOf(log, reader, 'listInventory', entry => {
        const id = member(entry, 'petId')
        return id instanceof JsonNumber && /^-?[0-9]+$/.test(id.source) ? ['plain'] : []
      })
      return tally && `${tally.counts.get('plain') ?? 0} of ${tally.all} as plain integers`
    },
  },
  {
    id: 'deprecated-pets',
    operation: 'listInventory',
    clause: '9/deprecated-pets',
    title:
      'How is GET /pets/{petId} answered, and does it have the headers Deprecation (RFC 9745) and Sunset (RFC 8594)?',
    saw(log) {
      const { response } = log.exchanges.find(({ ask }) => ask.row === 'deprecated-pets') ?? {}
      const named = (name: string) =>
        `${name} ${response?.headers.find(([own]) => own.toLowerCase() === name.toLowerCase())?.[1] ?? 'absent'}`
      return response && `${response.status}, ${named('Deprecation')}, ${named('Sunset')}`
    },
  },
  {
    id: 'bad-request-body',
    operation: 'updateInventory',
    clause: '7/400-body',
    title: 'What does the body of a 400 look like?',
    saw: log =>
      bodyOf(first(log, ({ ask, response }) => ask.body?.kind === 'invalid' && response?.status === 400)),
  },
  ...(
    [
      ['negative-quantity', 'negative', '4.4/replaces', 'Which status answers a negative quantity?'],
      ['missing-quantity', 'missing', '4.4/body', 'Which status answers an update without quantity?'],
      [
        'unusual-json',
        'writing',
        '4.4/body',
        'Which status answers an integer in unusual but legal JSON, such as 7.0?',
      ],
      [
        'further-member',
        'path-names-pet',
        '4.4/body',
        'Which status answers a further member or parameter of an update?',
      ],
      [
        'other-content-type',
        'content-type',
        '4.4/content-type',
        'Which status answers an update with another Content-Type, or none?',
      ],
    ] as const
  ).map(
    ([id, row, clause, title]): Observation => ({
      id,
      operation: 'updateInventory',
      clause,
      title,
      saw: log => withRow(log, row),
    }),
  ),
]
