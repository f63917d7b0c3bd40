import type { OperationId } from '../support/interface/operations.ts'
import type { ListReader } from './oracle/lists.ts'
import type { Exchange, Log } from './oracle/log.ts'
import type { Cell } from './rule.ts'

/** The list that shows what a request of the operation may name. */
const LIST = {
  listOrders: 'listOrders',
  cancelOrder: 'listOrders',
  listInventory: 'listInventory',
  updateInventory: 'listInventory',
} as const satisfies Record<OperationId, OperationId>

/**
 * A list that could not be read, if the requests of a rule were not sent for it. Such a list is not an empty one: naming other orders or
 * pets would not help.
 */
export function unreadFor(
  { operation }: Cell,
  { exchanges, fixtures }: Log,
  reader: ListReader,
):
  | { readonly outcome: 'cantTell'; readonly message: string; readonly exchanges: readonly Exchange[] }
  | undefined {
  const own = LIST[operation]
  const other = own === 'listOrders' ? ('listInventory' as const) : ('listOrders' as const)
  const isFound = (list: 'listOrders' | 'listInventory') =>
    fixtures.some(({ resource }) => resource === (list === 'listOrders' ? 'order' : 'pet'))
  // Only what the operation itself names has to be named.
  for (const list of isFound(own) ? [own, other] : [own]) {
    // In another form, a server may decline the request. A run that is stopped aborts its last ones.
    const lists = exchanges.filter(
      ({ ask, context, response, problem }) =>
        ask.operation === list &&
        problem?.kind !== 'aborted' &&
        context === 'plain' &&
        !ask.refused &&
        !ask.undescribed &&
        !ask.declined?.includes(response?.status ?? 0),
    )
    const unread = lists.find(each => !reader.read(each))
    if (unread && (isFound(list) || unread === lists[0]))
      return {
        outcome: 'cantTell',
        message: `no such request was sent, because ${unread.ask.title} could not be read: ${whyUnread(unread)}`,
        exchanges: [unread],
      }
  }
  return undefined
}

const whyUnread = ({ response, problem }: Exchange): string =>
  response
    ? response.status === 200
      ? 'it is not a JSON array of objects'
      : `it was answered ${response.status}`
    : (problem?.message ?? 'there was no response')
