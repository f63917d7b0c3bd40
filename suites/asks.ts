import type { OperationId } from '../support/interface/operations.ts'
import type { Ask, Named } from './oracle/log.ts'

/** What an ask differs in from the plain one of its operation. */
type Own = Partial<Omit<Ask, 'operation' | 'named' | 'id'>>

/** The plain requests of the four operations, of which the tables of asks are variations. */
export const listOrders = (own: Own = {}): Ask => ({
  operation: 'listOrders',
  named: 'nothing',
  id: '',
  title: 'the list of orders',
  ...own,
})

export const listInventory = (own: Own = {}): Ask => ({
  operation: 'listInventory',
  named: 'nothing',
  id: '',
  title: 'the inventory',
  ...own,
})

export const listOf = (operation: OperationId, own: Own = {}): Ask =>
  operation === 'listOrders' ? listOrders(own) : listInventory(own)

export const cancel = (named: Named, id: string, own: Own = {}): Ask => ({
  operation: 'cancelOrder',
  named,
  id,
  title: `a cancellation of ${withArticle(named)}`,
  ...own,
})

export const update = (named: Named, id: string, quantity: string, own: Own = {}): Ask => ({
  operation: 'updateInventory',
  named,
  id,
  title: `an update of ${withArticle(named)}`,
  body: { kind: 'ordinary', quantity },
  ...own,
})

const withArticle = (named: Named): string =>
  named.startsWith('no ') ? `a path that is ${named}` : `${/^[aeu]n?/.test(named) ? 'an' : 'a'} ${named}`

/** The body of an update, as most clients write it. */
export const quantityOf = (quantity: string): string => `{"quantity":${quantity}}`
