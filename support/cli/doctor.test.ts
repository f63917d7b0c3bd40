import { describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain, reference } = bench()

/** @param setup JavaScript of the function of a states module, without a teardown */
const doctor = (env: Readonly<Record<string, string>>, setup?: string) =>
  run(['doctor', ...(setup ? ['--states-module', './states.mjs'] : [])], {
    env,
    files: { 'states.mjs': `export const setup = ${setup}` },
  })

/** A store that answers the GET requests of its lists, or of one of them, in another way. */
const listing = (body: string, only?: 'order', status = 200) =>
  plain(({ method, resource }, _shop, next) =>
    method === 'GET' && resource === (only ?? resource) ? { status, body } : next(),
  )

describe.concurrent('doctor', () => {
  it('reports a correct configuration as ready, and arranges each state once', async () => {
    const store = await reference()
    const before = store.domain.orders.size
    const { code, stdout } = await doctor(store.env)
    expect(code, stdout).toBe(0)
    for (const state of ['pending orders', 'shipped orders', 'pets', 'pending order with id'])
      expect(stdout).toMatch(new RegExp(`ok +state +"${state}" arranged \\d+, and tore it down`))
    expect(stdout).toContain(
      `Ready for a full verdict:\n  npx --no-install store-conformance run --base-url ${store.baseUrl} --states-url `,
    )
    expect(store.domain.orders.size).toBe(before)
    expect(stdout).toMatch(/^ {2}wrong keys +[1-9]\d*$/m)
    expect(stdout).toMatch(/and what is arranged, up to 1,300 orders and pets/)
  })

  it('sends only GET requests to the store, and proposes flags with which a verdict is full', async () => {
    const store = await plain()
    const before = store.dump()
    const { code, stdout } = await doctor({ ...store.env, STORE_PETS: '1' })
    expect([code, stdout]).toEqual([0, expect.stringContaining('will end incomplete (exit 3)')])
    expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(store.dump()).toBe(before)
    for (const proposal of [
      'pending orders  a full verdict needs 3; a run cancels them: --pending-orders 108,109,110',
      'shipped orders  a full verdict needs 1; a run tries to cancel them, which a conformant store refuses (409): --shipped-orders 204',
      'pets            a full verdict needs 2; a run changes their stock, and restores it: --pets 1,12.5',
    ])
      expect(stdout).toContain(`note   ${proposal}\n`)
    const proposed = stdout.match(/--(pending-orders|shipped-orders|pets) [\d.,]+/g)?.join(' ') ?? ''
    const ready = await run(['doctor', '--rate', '50', ...proposed.split(' ')], { env: store.env })
    expect(ready.stdout).toContain(` run --base-url ${store.baseUrl} ${proposed}`)
    expect(ready.stdout).toMatch(/pets +1, 12\.5: a run changes their stock/)
    expect(ready.stdout).toMatch(/, 50 per second: about 2\d s\. .* locks out/)
  })

  it.each(['[]', '{}', '[{"id":"7","complete":false}]'])('proposes no id of the lists %s', async body => {
    const { stdout } = await doctor((await listing(body)).env)
    expect(stdout).toMatch(/a run cancels them: --pending-orders$/m)
  })

  // biome-ignore format: a table
  it.each<[string, Record<string, string>, number, RegExp]>([
    ['enough named ids', named, 0, /ok +pending orders +101, 102, 103: a run cancels them[\s\S]*Ready for/],
    ['ids that are not listed', { STORE_PETS: '1,12.50,9' }, 2, /wrong +pets +9 not listed/],
    ['a refused key', { STORE_API_KEY: 'not-the-key-4711' }, 4, /wrong +API key/],
    ['a closed port', { STORE_BASE_URL: 'http://127.0.0.1:1/v1' }, 4, /wrong +store .*cannot be reached: .* Check that the store is running/],
    ['--read-only', { STORE_READ_ONLY: 'true' }, 0, /Nothing: it sends only GET requests\.[\s\S]*exit 3[\s\S]*leave out --read-only/],
    ['the reference store', { STORE_TARGET: 'reference', STORE_BASE_URL: '', STORE_API_KEY: '' }, 0, /the bundled reference store/],
  ])('%s: exit %3$i, and the key is not shown', async (_title, more, exit, sentence) => {
    const env = { ...(await plain()).env, ...more }
    const { code, stdout, stderr } = await doctor(env)
    expect([code, stdout]).toEqual([exit, expect.stringMatching(sentence)])
    if (env.STORE_API_KEY) expect(stdout + stderr).not.toContain(env.STORE_API_KEY)
  })

  // biome-ignore format: a table
  it.each([
    ['declines', 0, '() => undefined', /note +state +"pets" is not arranged: [\s\S]*incomplete \(exit 3\)/],
    ['answers nonsense to', 2, '() => ({ ids: [1] })\nexport const teardown = state => void process.stdout.write(`removed ${state}\\n`)', /removed pending orders\n *wrong +state .*should answer the state/],
    ['arranges in another store', 2, '() => ({ petIds: [1], orderIds: [987654] })', /wrong +state +"pending orders" arranged 987654, which is not in the list/],
    ['arranges and leaves there', 0, '(state, { id }) => id ? undefined : { petIds: [3], orderIds: [104] }', /note +state +"pets" arranged 3, which is still in the list after the teardown/],
    ['rounds the id of', 2, '(state, { id }) => id && { orderIds: [BigInt(Number(id))] }', /wrong +state +"pending order with id" arranged \d+, although the id \d+ was requested/],
    ['throws, with control characters, for', 0, "() => { throw new Error('\\u001b[2Jgone\\n  ok     state           forged') }", /\\u001b\[2Jgone\\n {2}ok /],
  ])('a states module that %s the states: exit %i', async (_what, wanted, setup, sentence) => {
    const { code, stdout } = await doctor((await plain()).env, setup)
    expect([code, stdout]).toEqual([wanted, expect.stringMatching(sentence)])
  })

  it('calls nothing missing if the lists do not show it', async () => {
    const nameless = { ...(await listing('[{"petId":3}]', 'order')).env, STORE_PENDING_ORDERS: '101' }
    const unread = { ...(await listing('', undefined, 500)).env, ...named }
    for (const [env, seen] of [
      [nameless, 'orders          1 listed, not all with an id'],
      [unread, 'inventory       the answer is no list'],
    ] as const) {
      const { code, stdout } = await doctor(env, "() => ({ orderIds: ['104'] })")
      expect([code, stdout]).toEqual([2, expect.stringContaining(seen)])
      expect(stdout).not.toMatch(/not listed|not in the list/)
    }
  })
})
