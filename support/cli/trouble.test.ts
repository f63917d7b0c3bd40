import { describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain } = bench()

describe.concurrent('problems that are not violations', () => {
  it('one operation that hangs: the run ends, the other operations are judged, and no rule fails', async () => {
    const store = await plain({ intercept: ({ method }) => method === 'DELETE' })
    const started = Date.now()
    const ended = await run(['--timeout', '400', '--skip', 'updateInventory'], {
      env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.key, ...named },
    })
    expect(Date.now() - started).toBeLessThan(45_000)
    expect(ended.code).toBe(3)
    const { rules } = ended.report()
    const of = (operation: string) => rules.filter(each => each.operation === operation)
    expect(of('cancelOrder').filter(({ outcome }) => outcome === 'cantTell').length).toBeGreaterThan(20)
    expect(of('listOrders').filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(20)
    expect(rules.filter(({ outcome, level }) => outcome === 'failed' && level !== 'advisory')).toEqual([])
    expect(
      store.requests.filter(({ method }) => method === 'DELETE').length,
      'the run stops sending it',
    ).toBeLessThan(30)
  })

  it('a store with a rate limit: the run sends more slowly, and the store is conformant', async () => {
    const recent: number[] = []
    const store = await plain({
      intercept(_request, response) {
        const now = Date.now()
        while (recent.length > 0 && (recent[0] as number) < now - 250) recent.shift()
        if (recent.length < 25) {
          recent.push(now)
          return false
        }
        response.writeHead(429, { 'retry-after': '0.3', 'content-type': 'text/plain' }).end('slower')
        return true
      },
    })
    const ended = await run(['--skip', 'updateInventory', '--runs', '3'], {
      env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.key, ...named },
    })
    const { rules } = ended.report()
    expect(rules.filter(({ outcome, level }) => outcome === 'failed' && level !== 'advisory')).toEqual([])
    expect(ended.code).toBe(0)
  })

  it('a slow store: the run ends at its time limit, restores stock, and reports the rest as untested', async () => {
    const store = await plain({
      intercept: async () => {
        await new Promise(resolve => setTimeout(resolve, 400))
        return false
      },
    })
    const before = new Map(store.stock)
    const ended = await run(['--max-duration', '3s'], {
      env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.key, ...named },
    })
    expect(ended.code).toBe(3)
    expect(ended.report().reason).toContain('The run was stopped after 3 s, its time limit.')
    const { rules } = ended.report()
    const late = rules.filter(({ message }) => message?.includes('its time limit'))
    expect(new Set(late.map(({ outcome }) => outcome))).toEqual(new Set(['untested']))
    expect(late.length).toBeGreaterThan(50)
    expect(store.stock).toEqual(before)
    expect(ended.has('reports/undo.json')).toBe(false)
  })
})
