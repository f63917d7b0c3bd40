import { describe, expect, it } from 'vitest'
import { openapi } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the structure themselves
type Any = any
const description: Any = JSON.parse(JSON.stringify(openapi()))
const { schemas } = description.components
const operationOf = (path: string, method: string) => description.paths[path][method]

describe('the OpenAPI description', () => {
  it('has a schema for each body, and an example of it', () => {
    const methods: Any[] = Object.values(description.paths).flatMap(path => Object.values(path as object))
    const contents = methods.flatMap(({ responses }) =>
      Object.entries<Any>(responses).flatMap(([status, { content }]) =>
        content ? [{ status: Number(status), ...content['application/json'] }] : [],
      ),
    )
    expect(contents).toHaveLength(9)
    for (const { status, schema, example } of contents) {
      const [items, reference] = schema.items ? [example, schema.items.$ref] : [[example], schema.$ref]
      const { properties, required = [] } = schemas[reference.split('/').at(-1)]
      for (const item of items) {
        expect(Object.keys(properties)).toEqual(Object.keys(item))
        expect(Object.keys(item)).toEqual(expect.arrayContaining(required))
        for (const [name, value] of Object.entries(item))
          expect(properties[name].type.replace('integer', 'number')).toBe(typeof value)
        if (status >= 400) expect(item.status).toBe(status)
      }
    }
  })

  it('leaves open what the document leaves open, and requires a key', () => {
    const text = JSON.stringify(description)
    expect(text).not.toContain('additionalProperties')
    expect(schemas.Order).not.toHaveProperty('required')
    const update = operationOf('/inventory/{petId}', 'patch')
    const inPath = { name: 'petId', in: 'path', required: true, schema: { type: 'number' } }
    expect(update.parameters).toEqual([{ ...inPath, description: expect.stringMatching(/\S/) }])
    expect(update.requestBody.content['application/json'].schema).not.toHaveProperty('required')
    expect(update.responses[400]).not.toHaveProperty('content')
    expect(update['x-stability']).toBe('experimental')
    expect(text.match(/x-stability/g)).toHaveLength(1)
    const { responses } = operationOf('/store/orders/{orderId}', 'delete')
    expect(responses[409]).not.toHaveProperty('content')
    expect(responses[404]).toHaveProperty('content')
    expect(description.security).toEqual([{ apiKey: [] }])
    expect(description.components.securitySchemes.apiKey).toMatchObject({ type: 'http', scheme: 'bearer' })
  })
})
