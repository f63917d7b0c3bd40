/** The operations of the interface, as data (§4). */
export type OperationId = 'listOrders' | 'cancelOrder' | 'listInventory' | 'updateInventory'

export interface Operation {
  readonly id: OperationId
  readonly method: 'GET' | 'DELETE' | 'PATCH'
  /** Path below the base URL; a name in braces stands for one segment. */
  readonly path: string
  /** The section that describes it. */
  readonly section: '4.1' | '4.2' | '4.3' | '4.4'
  readonly summary: string
  /** Its request shape may change before it becomes stable (§4.4, §9). */
  readonly experimental: boolean
  /** The statuses that the document shows for it. */
  readonly statuses: readonly number[]
}

export const operations: Readonly<Record<OperationId, Operation>> = {
  listOrders: {
    id: 'listOrders',
    method: 'GET',
    path: '/store/orders',
    section: '4.1',
    summary: 'List all customer orders',
    experimental: false,
    statuses: [200, 401],
  },
  cancelOrder: {
    id: 'cancelOrder',
    method: 'DELETE',
    path: '/store/orders/{orderId}',
    section: '4.2',
    summary: 'Cancel a pending order',
    experimental: false,
    statuses: [204, 401, 404, 409],
  },
  listInventory: {
    id: 'listInventory',
    method: 'GET',
    path: '/inventory',
    section: '4.3',
    summary: 'List the stock of every pet',
    experimental: false,
    statuses: [200, 401],
  },
  updateInventory: {
    id: 'updateInventory',
    method: 'PATCH',
    path: '/inventory/{petId}',
    section: '4.4',
    summary: 'Replace the stock count of one pet',
    experimental: true,
    statuses: [200, 400, 401, 404],
  },
}

export const operationIds = Object.keys(operations) as OperationId[]

/** `listOrders` as it stands in rule ids: `list-orders`. */
export const kebab = (id: OperationId): string => id.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
