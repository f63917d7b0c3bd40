import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { referenceStore } from '../reference/index.ts'
import { fromNode } from './from-node.ts'
import { judge } from './judge.ts'

const quick = { runs: 2, seed: 1, timeoutMs: 5_000 }

describe('a store in this process', () => {
  it('may be part of a larger app, below the path of the base URL', async () => {
    const store = referenceStore()
    const app = new Hono().all('/shop/*', context => {
      const { url } = context.req
      return store.fetch(new Request(url.replace('/shop', ''), context.req.raw))
    })
    const { apiKey, states } = store
    const report = await judge({
      fetch: app.fetch,
      baseUrl: 'http://in-process.invalid/shop/v1',
      apiKey,
      states,
      only: ['order-*', 'cancel-pending-204'],
      ...quick,
    })
    expect(report.verdict).toBe('partial')
  })

  it('is judged without a port, and called with the request alone', async () => {
    const store = referenceStore()
    const counts = new Set<number>()
    const fetch = (...given: [Request]) => {
      counts.add(given.length)
      return store.fetch(...given)
    }
    const { apiKey, states } = store
    const report = await judge({ fetch, apiKey, states, only: ['order-*', 'update-200'], ...quick })
    expect([report.verdict, report.target.baseUrl]).toEqual(['partial', 'http://in-process.invalid/v1'])
    expect([...counts]).toEqual([1])
  })

  it('that throws is unreachable, not a violation', async () => {
    const fetch = () => {
      throw new Error('no such table: orders')
    }
    const report = await judge({ fetch, apiKey: 'a-key' })
    expect(report.verdict).toBe('unreachable')
    expect(report.reason).toContain('no such table: orders')
    expect(report.counts.failed).toBe(0)
  })
})

describe('an app of Node, called as a function', () => {
  it('is judged like a store behind a port', async () => {
    const { fetch, apiKey, states } = referenceStore()
    const app: RequestListener = async (request, response) => {
      const { method = '', url = '', headers } = request
      const body = await text(request)
      const answer = await fetch(
        new Request(`http://store.test${url}`, {
          method,
          headers: headers as Record<string, string>,
          body: body === '' ? null : body,
        }),
      )
      response.writeHead(answer.status, [...answer.headers].flat()).end(await answer.text())
    }
    const { verdict } = await judge({ fetch: fromNode(app), apiKey, states, ...quick })
    expect(verdict).toBe('conformant')
  })

  it('receives the request and returns the response as over a socket', async () => {
    const app: RequestListener = async (request, response) => {
      const body = []
      for await (const chunk of request) body.push(chunk)
      const { method, url, headers } = request
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      response.writeHead(207, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(body).toString() }))
    }
    const fetch = fromNode(app)
    const answer = await fetch(
      new Request('http://store.test/v1/inventory/12.50?a=b', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', authorization: 'Bearer k' },
        body: '{"quantity":1}',
      }),
    )
    expect(answer.status).toBe(207)
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await answer.json()).toMatchObject({
      method: 'PATCH',
      url: '/v1/inventory/12.50?a=b',
      headers: {
        host: 'store.test',
        authorization: 'Bearer k',
        'content-type': 'application/json',
        'content-length': '14',
      },
      body: '{"quantity":1}',
    })
  })

  it('receives no body headers with a request without a body', async () => {
    const fetch = fromNode((request, response) => response.end(JSON.stringify(request.headers)))
    const answer = await fetch(new Request('http://store.test/', { method: 'DELETE' }))
    const headers = (await answer.json()) as Record<string, string>
    expect(headers['content-length']).toBeUndefined()
    expect(headers['transfer-encoding']).toBeUndefined()
  })

  it('that drops the connection is an error, and does not hang', async () => {
    const fetch = fromNode((_request, response) => response.destroy())
    await expect(Promise.resolve(fetch(new Request('http://store.test/')))).rejects.toThrow()
  })
})
