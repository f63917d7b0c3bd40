import { describe, expect, it } from 'vitest'
import { decidedFirst, emptyAnswer } from '../reference/index.ts'
import { bench } from './testing/bench.ts'

const { run, plain, reference } = bench()

describe.concurrent('selection of rules, and gate', () => {
  it('a selection with a failure is nonconformant; a selection without it is partial', async () => {
    const store = await reference({
      overrides: [decidedFirst('answerCancel', met => (met === 'shipped' ? emptyAnswer(204) : undefined))],
    })
    const args = ['--base-url', store.baseUrl, '--states-url', store.statesUrl]
    const env = { STORE_API_KEY: store.apiKey }
    const [failing, without] = await Promise.all([
      run([...args, '--only', 'cancel-shipped-4??'], { env }),
      run([...args, '--only', 'cancel-shipped-4??', '--only', 'list-orders-200', '--skip', 'cancel-*'], {
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
      const ended = await run(['--only', 'cancel-unknown-404', '--concurrency', '1'], {
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

  it.each([
    ['required', 0],
    ['advisory', 1],
  ])('gate %s: exit %i', async (gate, code) => {
    const store = await plain()
    const ended = await run(['--only', 'auth-www-authenticate-list-orders,auth-no-header-list-orders'], {
      env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.key, STORE_GATE: gate },
    })
    expect([ended.code, ended.report().gate]).toEqual([code, gate])
  })
})
