import type { FieldSchema } from './description.ts'

/** The resources of §2 as JSON Schema fragments. */

export interface ResourceSchema {
  readonly name: 'Order' | 'InventoryEntry' | 'Error'
  readonly fields: Readonly<Record<string, FieldSchema>>
  /** Members that the document states to be in every instance. */
  readonly required: readonly string[]
}

/** §2 Order. No member is marked required, and additional members are never an error. */
export const orderSchema = {
  name: 'Order',
  required: [],
  fields: {
    id: { type: 'integer', format: 'int64', description: 'Unique identifier of the order' },
    petId: { type: 'integer', format: 'int64', description: 'The animal that was ordered' },
    quantity: { type: 'integer', description: 'Units ordered' },
    shipDate: { type: 'string', format: 'date-time', description: 'When it ships or shipped (ISO 8601)' },
    complete: { type: 'boolean', description: 'Whether the order has been fulfilled' },
  },
} as const satisfies ResourceSchema

/** §2 Inventory entry. Only `status` is stated to be in every entry. The format of `petId` is not shown. */
export const inventorySchema = {
  name: 'InventoryEntry',
  required: ['status'],
  fields: {
    petId: { type: 'number', description: 'The animal whose stock this is' },
    quantity: { type: 'integer', description: 'Current stock' },
    status: { type: 'string', description: 'Label of the stock: `available` and `sold` are known values' },
  },
} as const satisfies ResourceSchema

/** §2 Error. §7 promises it for 401 and 404 only. */
export const errorSchema = {
  name: 'Error',
  required: ['code', 'message', 'status'],
  fields: {
    code: { type: 'string', description: 'Error code for programs. Its values are not shown' },
    message: { type: 'string', description: 'Explanation for people' },
    status: { type: 'integer', description: 'The HTTP status code of the response' },
  },
} as const satisfies ResourceSchema
