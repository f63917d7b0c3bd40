import { describe, expect, it } from 'vitest'
import { openapi } from './openapi.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the structure themselves
const description = JSON.parse(JSON.stringify(openapi())) as any
const { schemas } = description.components
const operationOf = (path: string, method: string) => description.paths[path][method]

interface OperationObject {
  readonly summary: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: any }>>
}

describe('the OpenAPI description', () => {
  it('refers only to parts that exist, and declares the parameters of each path', () => {
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to)
    const parts = Object.keys(schemas).map(name => `#/components/schemas/${name}`)
    expect(parts).toEqual(expect.arrayContaining(references))
    for (const [path, methods] of Object.entries<Record<string, OperationObject>>(description.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters = [], responses, summary } of Object.values(methods)) {
        expect(summary).toMatch(/\S/)
        expect(parameters.map(each => [each.name, each.in, each.required])).toEqual(
          inPath.map(name => [name, 'path', true]),
        )
        for (const response of Object.values(responses)) expect(response.description).toMatch(/\S/)
      }
    }
  })

  it('has an example for each body, of its schema', () => {
    const contents = Object.values<Record<string, OperationObject>>(description.paths).flatMap(methods =>
      Object.values(methods).flatMap(({ responses }) =>
        Object.entries(responses).flatMap(([status, { content }]) =>
          content ? [{ status: Number(status), ...content['application/json'] }] : [],
        ),
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
    expect(update.parameters[0].schema).toEqual({ type: 'number' })
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
