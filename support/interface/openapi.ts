import { type ClauseId, clauses } from './clauses.ts'
import { type Operation, type OperationId, operationIds, operations } from './operations.ts'
import { errorSchema, inventorySchema, orderSchema, type ResourceSchema } from './schemas.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Node = { readonly [name: string]: Json }

/**
 * The interface as an OpenAPI 3.1 description, made from the data that the rules judge by. It says as little as the document
 * does: what is open there has no schema here.
 */
export function openapi(): Node {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Store Service Interface',
      version: '1.0.0',
      license: { name: 'Apache-2.0 (of this description)', identifier: 'Apache-2.0' },
      description:
        'Orders and inventory of a pet store. Members and statuses that are not described here are open, not forbidden. ' +
        'GET /pets/{petId} is deprecated and will go; its shape is open, so it is not described.',
    },
    servers: [
      {
        url: 'https://{host}/v1',
        description: clauses['1/base-address'].says,
        variables: { host: { default: 'store.example', description: 'Host, port and prefix of the store' } },
      },
    ],
    security: [{ apiKey: [] }],
    paths: paths(),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: clauses['5/bearer'].says } },
      schemas: Object.fromEntries(resources.map(resource => [resource.name, schemaOf(resource)])),
    },
  }
}

const resources: readonly ResourceSchema[] = [orderSchema, inventorySchema, errorSchema]

function paths(): Node {
  const items: Record<string, Record<string, Json>> = {}
  for (const id of operationIds) {
    const { path, method } = operations[id]
    items[path] = { ...items[path], [method.toLowerCase()]: operationNode(operations[id]) }
  }
  return items
}

function operationNode({ id, summary, section, experimental, statuses }: Operation): Node {
  const parameter = parameters[id]
  return {
    operationId: id,
    summary,
    description: `Section ${section} of the document.`,
    ...(experimental ? { 'x-stability': 'experimental' } : {}),
    ...(parameter ? { parameters: [parameter] } : {}),
    ...(id === 'updateInventory' ? { requestBody } : {}),
    responses: Object.fromEntries(statuses.map(status => [String(status), responseOf(id, status)])),
  }
}

const parameters: Readonly<Partial<Record<OperationId, Node>>> = {
  cancelOrder: {
    name: 'orderId',
    in: 'path',
    required: true,
    description: clauses['4.2/order-id'].says,
    schema: { type: 'integer', format: 'int64' },
  },
  updateInventory: {
    name: 'petId',
    in: 'path',
    required: true,
    description: clauses['4.4/pet-id'].says,
    schema: { type: inventorySchema.fields.petId.type },
  },
}

/** Whether `quantity` is required, and what else a body may hold, is open. */
const requestBody: Node = {
  description: `${clauses['4.4/replaces'].says} ${clauses['4.4/body'].says}`,
  required: true,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { quantity: { type: 'integer', description: 'The new stock count' } },
      },
    },
  },
}

const bodies: Readonly<Partial<Record<OperationId, Node>>> = {
  listOrders: { type: 'array', items: reference(orderSchema) },
  listInventory: { type: 'array', items: reference(inventorySchema) },
  updateInventory: reference(inventorySchema),
}

function responseOf(id: OperationId, status: number): Node {
  const schema =
    status === 200 ? bodies[id] : [401, 404].includes(status) ? reference(errorSchema) : undefined
  const clause = `${operations[id].section}/${status}` as ClauseId
  return {
    description: clauses[clause].says,
    ...(schema ? { content: { 'application/json': { schema } } } : {}),
  }
}

function schemaOf({ fields, required }: ResourceSchema): Node {
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field }])),
  }
}

function reference({ name }: ResourceSchema): Node {
  return { $ref: `#/components/schemas/${name}` }
}
