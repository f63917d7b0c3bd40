import { clauses } from './clauses.ts'
import { type Operation, operations } from './operations.ts'
import { errorSchema, inventorySchema, orderSchema, type ResourceSchema } from './schemas.ts'

/** An absent member is undefined, which JSON leaves out. */
type Json = boolean | number | string | readonly Json[] | { readonly [name: string]: Json } | undefined
type Node = { readonly [name: string]: Json }

/**
 * The interface as an OpenAPI 3.1 description, made from the data that the rules use. What the document leaves open has no
 * schema here.
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
        'GET /pets/{petId} is deprecated and will be removed. Its shape is not shown, so it is not described.',
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
      schemas: Object.fromEntries(
        [orderSchema, inventorySchema, errorSchema].map(resource => [resource.name, schemaOf(resource)]),
      ),
    },
  }
}

function paths(): Node {
  const items: Record<string, Record<string, Json>> = {}
  for (const operation of Object.values(operations)) {
    const { path, method } = operation
    items[path] = { ...items[path], [method.toLowerCase()]: operationNode(operation) }
  }
  return items
}

function operationNode(operation: Operation): Node {
  const { id, summary, section, experimental, parameter, requestBody, responses } = operation
  return {
    operationId: id,
    summary,
    description: `Section ${section} of the document.`,
    'x-stability': experimental ? 'experimental' : undefined,
    parameters: parameter && [
      {
        name: parameter.name,
        in: 'path',
        required: true,
        description: clauses[parameter.clause].says,
        schema: { ...parameter.schema },
      },
    ],
    requestBody: requestBody && {
      description: requestBody.clauses.map(id => clauses[id].says).join(' '),
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', properties: propertiesOf(requestBody.fields) },
          example: { quantity: AVAILABLE.quantity },
        },
      },
    },
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, responseNode(Number(status), response)]),
    ),
  }
}

function responseNode(status: number, { clause, body }: NonNullable<Operation['responses'][number]>): Node {
  const description = clauses[clause].says
  if (body === 'none' || body === 'open') return { description }
  const [schema, example] =
    'arrayOf' in body
      ? [{ type: 'array', items: reference(body.arrayOf) }, examplesOf(body.arrayOf, status)]
      : [reference(body), examplesOf(body, status)[0] as Node]
  return { description, content: { 'application/json': { schema, example } } }
}

const AVAILABLE = { petId: 1, quantity: 12, status: 'available' }

/** Servers that are made from the description answer with these. */
function examplesOf({ name }: ResourceSchema, status: number): readonly Node[] {
  switch (name) {
    case 'Order':
      return [
        { id: 1001, petId: 1, quantity: 2, shipDate: '2026-11-21T10:00:00Z', complete: false },
        { id: 2001, petId: 2, quantity: 1, shipDate: '2026-11-02T09:30:00Z', complete: true },
      ]
    case 'InventoryEntry':
      return [AVAILABLE, { petId: 2, quantity: 0, status: 'sold' }]
    case 'Error':
      return [
        status === 401
          ? { code: 'unauthorized', message: 'The API key is missing or invalid.', status }
          : { code: 'not_found', message: 'There is no such order or pet.', status },
      ]
  }
}

const schemaOf = ({ fields, required }: ResourceSchema): Node => ({
  type: 'object',
  required: required.length > 0 ? required : undefined,
  properties: propertiesOf(fields),
})

const propertiesOf = (fields: ResourceSchema['fields']): Node =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field }]))

const reference = ({ name }: ResourceSchema): Node => ({ $ref: `#/components/schemas/${name}` })
