/** What an operation lists or changes. */
export type Resource = 'order' | 'pet'

export type OperationId = 'listOrders' | 'cancelOrder' | 'listInventory' | 'updateInventory'

export interface Operation {
  readonly id: OperationId
  /** The operation as it stands in ids of faults: `list-orders`. */
  readonly slug: string
  readonly method: 'GET' | 'DELETE' | 'PATCH'
  /** Path below the base URL. A name in braces stands for one segment. */
  readonly path: string
  readonly resource: Resource
  readonly hasBody?: true
  /** The document marks it as experimental. */
  readonly experimental?: true
}

/** The operations of the interface (§4). */
// biome-ignore format: a table
export const operations: Readonly<Record<OperationId, Operation>> = {
  listOrders: { id: 'listOrders', slug: 'list-orders', method: 'GET', path: '/store/orders', resource: 'order' },
  cancelOrder: { id: 'cancelOrder', slug: 'cancel-order', method: 'DELETE', path: '/store/orders/{orderId}', resource: 'order' },
  listInventory: { id: 'listInventory', slug: 'list-inventory', method: 'GET', path: '/inventory', resource: 'pet' },
  updateInventory: { id: 'updateInventory', slug: 'update-inventory', method: 'PATCH', path: '/inventory/{petId}', resource: 'pet', hasBody: true, experimental: true },
}

export const operationIds = Object.keys(operations) as OperationId[]

/** Members of the resources that the document shows (§2). Only those of an error, and the status of an entry, are in each. */
export const members = {
  order: ['id', 'petId', 'quantity', 'shipDate', 'complete'],
  entry: ['petId', 'quantity', 'status'],
  error: ['code', 'message', 'status'],
} as const
