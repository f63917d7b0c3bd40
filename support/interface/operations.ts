import type { ClauseId } from './clauses.ts'
import type { FieldSchema, OperationDescription } from './description.ts'
import { errorSchema, inventorySchema, orderSchema, type ResourceSchema } from './schemas.ts'

/** What the document shows of a response. `open`: the body is not shown. */
interface ResponseDescription {
  readonly clause: ClauseId
  readonly body: 'none' | 'open' | ResourceSchema | { readonly arrayOf: ResourceSchema }
}

/** What an operation lists or changes. */
export type Resource = 'order' | 'pet'

export type OperationId = 'listOrders' | 'cancelOrder' | 'listInventory' | 'updateInventory'

export interface Operation extends OperationDescription {
  readonly id: OperationId
  readonly method: 'GET' | 'DELETE' | 'PATCH'
  readonly resource: Resource
  /** The second request is answered otherwise than the first. */
  readonly actsOnce?: true
  /** The path parameter, where there is one. */
  readonly parameter?: {
    readonly name: string
    readonly clause: ClauseId
    readonly schema: Pick<FieldSchema, 'type' | 'format'>
  }
  /** Members of the request body, where there is one. Whether they are required, and what others there are, is open. */
  readonly requestBody?: {
    readonly fields: Readonly<Record<string, FieldSchema>>
    readonly clauses: readonly ClauseId[]
  }
  readonly responses: Readonly<
    Record<401, ResponseDescription> & { readonly [status: number]: ResponseDescription }
  >
  /** The clause about a request that changes nothing, and the rule that judges it. */
  readonly harmless: { readonly clause: ClauseId; readonly rule: string }
}

const unauthorized = (clause: ClauseId): ResponseDescription => ({ clause, body: errorSchema })

/** The operations of the interface (§4), one record each. The client and the rules about keys follow from it. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  listOrders: {
    id: 'listOrders',
    slug: 'list-orders',
    method: 'GET',
    path: '/store/orders',
    resource: 'order',
    section: '4.1',
    summary: 'List all customer orders',
    responses: {
      200: { clause: '4.1/200', body: { arrayOf: orderSchema } },
      401: unauthorized('4.1/401'),
    },
    harmless: { clause: '4.1/200', rule: 'list-orders-200' },
  },
  cancelOrder: {
    id: 'cancelOrder',
    slug: 'cancel-order',
    method: 'DELETE',
    path: '/store/orders/{orderId}',
    resource: 'order',
    actsOnce: true,
    section: '4.2',
    summary: 'Cancel a pending order',
    parameter: { name: 'orderId', clause: '4.2/order-id', schema: { type: 'integer', format: 'int64' } },
    responses: {
      204: { clause: '4.2/204', body: 'none' },
      401: unauthorized('4.2/401'),
      404: { clause: '4.2/404', body: errorSchema },
      409: { clause: '4.2/409', body: 'open' },
    },
    harmless: { clause: '4.2/404', rule: 'cancel-unknown-404' },
  },
  listInventory: {
    id: 'listInventory',
    slug: 'list-inventory',
    method: 'GET',
    path: '/inventory',
    resource: 'pet',
    section: '4.3',
    summary: 'List the stock of every pet',
    responses: {
      200: { clause: '4.3/200', body: { arrayOf: inventorySchema } },
      401: unauthorized('4.3/401'),
    },
    harmless: { clause: '4.3/200', rule: 'list-inventory-200' },
  },
  updateInventory: {
    id: 'updateInventory',
    slug: 'update-inventory',
    method: 'PATCH',
    path: '/inventory/{petId}',
    resource: 'pet',
    section: '4.4',
    summary: 'Replace the stock count of one pet',
    experimental: true,
    parameter: { name: 'petId', clause: '4.4/pet-id', schema: { type: 'number' } },
    requestBody: {
      fields: { quantity: { type: 'integer', description: 'The new stock count' } },
      clauses: ['4.4/replaces', '4.4/body'],
    },
    responses: {
      200: { clause: '4.4/200', body: inventorySchema },
      400: { clause: '4.4/400', body: 'open' },
      401: unauthorized('4.4/401'),
      404: { clause: '4.4/404', body: errorSchema },
    },
    harmless: { clause: '4.4/404', rule: 'update-unknown-creates-nothing' },
  },
}

export const operationIds = Object.keys(operations) as OperationId[]
