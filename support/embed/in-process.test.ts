import { describe, expect, it } from 'vitest'
import { referenceStore } from '../reference/index.ts'
import { fromNode } from './from-node.ts'
import { judge } from './judge.ts'

describe('a store in this process', () => {
  it.each([
    [500, 2_048],
    [2_500, 8_000],
  ])(
    'gets the request alone, as a part of a larger app, and may refuse 8 KB, although the key has %d characters, or a query of %d',
    async (length, longest) => {
      const store = referenceStore({ apiKey: 'a-JWT'.repeat(length / 5) })
      const { apiKey, states } = store
      const counts = new Set<number>()
      const fetch = (...given: [Request]) => {
        counts.add(given.length)
        const [request] = given
        const size = request.url.length + [...request.headers].flat().join('').length
        const isTooLong = size > 8_000 || new URL(request.url).search.length > longest
        const inner = () => store.fetch(new Request(request.url.replace('/shop', ''), request))
        return isTooLong ? new Response(null, { status: 431 }) : inner()
      }
      const options = { fetch, baseUrl: 'http://in-process.invalid/shop/v1', apiKey, states, seed: 1 }
      const report = await judge({
        ...options,
        only: ['auth-*', 'order-*', 'cancel-pending-204', 'update-200'],
      })
      expect(report.rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([])
      expect([report.verdict, ...counts]).toEqual(['partial', 1])
    },
  )

  it('that throws is unreachable, not a violation', async () => {
    const fetch = () => {
      throw new Error('no such table: orders')
    }
    const { verdict, reason, counts } = await judge({ fetch, apiKey: 'a-key' })
    expect([verdict, reason, counts.failed]).toEqual([
      'unreachable',
      expect.stringContaining('no such table: orders'),
      0,
    ])
  })

  it('gets nothing from a run that is aborted before it began', async () => {
    const fetch = () => expect.fail('a request was sent')
    const report = await judge({ fetch, apiKey: 'a-key', signal: AbortSignal.abort() })
    expect(report).toMatchObject({ verdict: 'incomplete', reason: 'The run was stopped before its end.' })
  })
})

describe('an app of Node, called as a function', () => {
  it('receives the request and returns the response as over a socket, and no body headers without a body', async () => {
    const fetch = fromNode(async (request, response) => {
      const body = []
      for await (const chunk of request) body.push(chunk)
      const { method, url, headers } = request
      response.setHeader('set-cookie', ['a=1', 'b=2'])
      response.writeHead(207, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(body).toString() }))
    })
    const body = '{"quantity":1}'
    const headers = { 'content-type': 'application/json', authorization: 'Bearer k' }
    const url = '/v1/inventory/12.50?a=b'
    const answer = await fetch(new Request(`http://store.test${url}`, { method: 'PATCH', headers, body }))
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([207, ['a=1', 'b=2']])
    const seen = { host: 'store.test', ...headers, 'content-length': '14' }
    expect(await answer.json()).toMatchObject({ method: 'PATCH', url, headers: seen, body })
    const bodiless = await fetch(new Request('http://store.test/', { method: 'DELETE' }))
    const { headers: sent } = (await bodiless.json()) as { headers: object }
    expect(Object.keys(sent)).toEqual(['host', 'connection'])
  })

  it('that drops the connection is an error, and does not hang', async () => {
    const fetch = fromNode((_request, response) => response.destroy())
    await expect(Promise.resolve(fetch(new Request('http://store.test/')))).rejects.toThrow()
  })
})
