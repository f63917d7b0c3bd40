import { describe, expect, it } from 'vitest'
import { only } from '../reference/index.ts'
import { bench } from './testing/bench.ts'

const { run, plain, reference } = bench()

describe.concurrent('selection of rules, and gate', () => {
  it('a selection with a failure is nonconformant; a selection without it is partial', async () => {
    const store = await reference({
      overrides: [
        only('cancelOrder', 'answerCancel', base => (met, ctx) => ({
          ...base.answerCancel(met, ctx),
          ...(met === 'shipped' ? { status: 204, headers: [] } : {}),
        })),
      ],
    })
    const args = ['--base-url', store.baseUrl, '--states-url', store.statesUrl]
    const env = { STORE_API_KEY: store.apiKey }
    const [failing, without] = await Promise.all([
      run([...args, '--only', 'cancel-shipped-*'], { env }),
      run([...args, '--only', 'cancel-shipped-*', '--only', 'list-orders-200', '--skip', 'cancel-*'], {
        env,
      }),
    ])
    expect(failing.code).toBe(1)
    expect(failing.rules('failed')).toContain('cancel-shipped-409')
    expect(without.code).toBe(0)
    expect(without.report().verdict).toBe('partial')
    expect(without.report().rules.map(({ id }) => id)).toEqual(['list-orders-200'])
  })

  it('the same seed sends the same requests, and is printed', async () => {
    const store = await plain()
    const sent = async (seed: string) => {
      const before = store.requests.length
      const ended = await run(['--only', 'cancel-unknown-*', '--concurrency', '1'], {
        env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.key, STORE_SEED: seed },
      })
      expect(ended.stdout).toContain(`· seed ${seed}`)
      expect(ended.report().seed).toBe(Number(seed))
      const paths = store.requests.slice(before).map(({ method, path }) => `${method} ${path}`)
      return paths.sort()
    }
    const [once, again, other] = [await sent('7'), await sent('7'), await sent('8')]
    expect(again).toEqual(once)
    expect(other).not.toEqual(once)
  })

  it('without the experimental operation, no stock is changed', async () => {
    const store = await plain()
    const ended = await run(['--profile', '1.0.0-stable', '--pets', '1,2'], {
      env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.key },
    })
    const { rules, profile } = ended.report()
    expect(profile).toBe('1.0.0-stable')
    expect(rules.filter(({ operation }) => operation === 'updateInventory')).toEqual([])
    expect(store.requests.filter(({ method }) => method === 'PATCH')).toEqual([])
  })

  it.each([
    ['required', 0],
    ['advisory', 1],
  ])('gate %s: exit %i', async (gate, code) => {
    const store = await reference({
      overrides: [base => ({ headers: (status, ctx) => base.headers(status, ctx), refuse: base.refuse })],
    })
    const bare = await plain()
    const target = gate === 'advisory' ? bare : { baseUrl: store.baseUrl, key: store.apiKey }
    const ended = await run(['--only', 'auth-www-authenticate-list-orders,auth-no-header-list-orders'], {
      env: { STORE_BASE_URL: target.baseUrl, STORE_API_KEY: target.key, STORE_GATE: gate },
    })
    expect(ended.code).toBe(code)
    expect(ended.report().gate).toBe(gate)
  })
})
