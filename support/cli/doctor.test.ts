import { describe, expect, it } from 'vitest'
import { namedIn } from '../selfcheck/judged-store.ts'
import { bench } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain, reference } = bench()

/** @param setup JavaScript of the function of a states module, without a teardown */
const doctor = (env: Readonly<Record<string, string>>, setup?: string) =>
  run(['doctor', ...(setup ? ['--states-module', './states.mjs'] : [])], {
    env,
    files: { 'states.mjs': `export const setup = ${setup}` },
  })

/** A store that answers these GET requests in another way. */
const listing = (body: string, path = /./, status = 200) =>
  plain({
    intercept({ method, url = '' }, response) {
      if (method !== 'GET' || !path.test(url)) return false
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      return true
    },
  })

describe.concurrent('doctor', () => {
  it('reports a correct configuration as ready, and arranges each state once', async () => {
    const store = await reference()
    const before = store.domain.orders.size
    const { code, stdout } = await doctor(store.env)
    expect(code, stdout).toBe(0)
    for (const state of ['pending orders', 'shipped orders', 'pets', 'pending order with id'])
      expect(stdout).toMatch(new RegExp(`ok +state +"${state}" arranged \\d+, listed, torn down`))
    expect(stdout).toContain(
      `Ready for a full verdict:\n  npx --no-install store-conformance run --base-url ${store.baseUrl} --states-url `,
    )
    expect(store.domain.orders.size).toBe(before)
  })

  it('sends only GET requests to the store, and names what a full verdict still needs', async () => {
    const store = await plain()
    const before = store.dump()
    const { code, stdout } = await doctor({ ...store.env, STORE_PETS: '1' })
    expect(code, stdout).toBe(0)
    expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(store.dump()).toBe(before)
    expect(stdout).toContain('incomplete (exit 3)')
    expect(stdout).toMatch(/--pending-orders 108,109,110 +not complete .*; a run cancels them/)
    expect(stdout).toMatch(/--shipped-orders 204 +complete .*; a run tries to cancel it/)
    expect(stdout).toMatch(/--pets 1,12.5 +a run changes their stock, and restores it/)
  })

  it('enough named ids are ready for a full verdict; ids that are not listed are wrong', async () => {
    const store = await plain()
    const enough = await doctor({ ...store.env, ...named })
    expect(enough.code, enough.stdout).toBe(0)
    expect(enough.stdout).toMatch(/ok +pending orders +101, 102, 103: all listed/)
    expect(enough.stdout).toContain('Ready for a full verdict')
    const wrong = { STORE_PENDING_ORDERS: '101,777', STORE_PETS: '1,12.50,9' }
    const other = await doctor({ ...store.env, ...named, ...wrong })
    expect(other.code).toBe(2)
    expect(other.stdout).toMatch(/wrong +pending orders +777 not listed[\s\S]*wrong +pets +9 not listed/)
  })

  it.each([
    ['a refused key', { STORE_API_KEY: 'not-the-key-4711' }, /wrong +API key/],
    [
      'a closed port',
      { STORE_BASE_URL: 'http://127.0.0.1:1/v1' },
      /wrong +store .*cannot be reached: .*\n +→ Check that the store is running/,
    ],
  ])('%s: exit 4, and the key is not shown', async (_title, wrong, sentence) => {
    const env = { ...(await plain()).env, ...wrong }
    const { code, stdout, stderr } = await doctor(env)
    expect(code).toBe(4)
    expect(stdout).toMatch(sentence)
    expect(stdout + stderr).not.toContain(env.STORE_API_KEY)
  })

  it.each([
    [
      'declines',
      0,
      '() => undefined',
      /note +state +"pets" is not arranged: .*does not arrange[\s\S]*incomplete \(exit 3\)/,
    ],
    [
      'answers nonsense to',
      2,
      '() => ({ ids: [1] })\nexport const teardown = state => void process.stdout.write(`removed ${state}\\n`)',
      /removed pending orders\n *wrong +state .*should answer the state/,
    ],
    [
      'arranges in another store',
      2,
      '() => ({ petIds: [1], orderIds: [987654] })',
      /wrong +state +"pending orders" arranged 987654, which is not in the list/,
    ],
    [
      'arranges and leaves there',
      0,
      '(state, { id }) => id ? undefined : { petIds: [3], orderIds: [104] }',
      /note +state +"pets" arranged 3, which is still in the list after the teardown.*[\s\S]*remains in the store/,
    ],
  ])('a states module that %s the states: exit %i', async (_what, wanted, setup, sentence) => {
    const { code, stdout } = await doctor((await plain()).env, setup)
    expect(code, stdout).toBe(wanted)
    expect(stdout).toMatch(sentence)
  })

  it('escapes what a states module says, so that it cannot control the terminal or write a line of its own', async () => {
    const setup = "() => { throw new Error('\\u001b[2Jgone\\n  ok     state           forged') }"
    const { stdout } = await doctor((await plain()).env, setup)
    expect(stdout).toContain('\\u001b[2Jgone\\n  ok ')
    expect(stdout).not.toContain('\u001b')
  })

  it('a states module that rounds the id, which is above the largest that is listed: exit 2', async () => {
    const store = await plain()
    const largest = 4n * 10n ** 18n
    store.orders.set(String(largest), 'pending')
    const setup = '(state, { id }) => id && { orderIds: [BigInt(Number(id))] }'
    const { code, stdout } = await doctor(store.env, setup)
    expect(code, stdout).toBe(2)
    const [, chosen = ''] =
      /wrong +state +"pending order with id" arranged \d+, although the id (\d+) was/.exec(stdout) ?? []
    expect(BigInt(chosen) > largest && BigInt(chosen) < largest + 2_000_000_000n, stdout).toBe(true)
  })

  it('a list without ids is no reason to call an arranged order missing', async () => {
    const store = await listing('[{"petId":3}]', /orders$/)
    const env = { ...store.env, STORE_PENDING_ORDERS: '101' }
    const { stdout } = await doctor(env, "() => ({ orderIds: ['104'] })")
    expect(stdout).toMatch(/note +state +"pending orders" arranged 104; the list does not show whether/)
    expect(stdout).not.toMatch(/not listed|not in the list/)
  })

  it('counts the requests of each schedule, and names what a run may change', async () => {
    const store = await plain()
    const args = ['doctor', '--pets', 'any', '--only', 'update-replaces,auth-unknown-key', '--rate', '50']
    const { code, stdout } = await run(args, { env: store.env })
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/^ {2}bodies and quantities of updates +[1-9]\d*$/m)
    expect(stdout).toContain('A store that locks out after wrong keys refuses the rest of the run.')
    expect(stdout).toContain('at most 50 per second, so about ')
    expect(stdout).toContain('the stock of any listed pet: is changed, and restored')
    expect(new Set(store.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  })

  it.each(['arranged', 'named'])(
    'counts as many requests as a run sends about %s orders and pets',
    async how => {
      const { env: arranged, ...store } = await reference()
      const { STORE_STATES_URL: _url, ...address } = arranged
      const { pendingOrders, shippedOrders, pets } = namedIn(store)
      const ids = `--pending-orders ${pendingOrders} --shipped-orders ${shippedOrders} --pets ${pets}`
      const only = '--seed 3 --only cancel-pending-204,cancel-shipped-409,update-replaces'
      const [env, args] =
        how === 'named' ? [address, `${only} ${ids}`.split(' ')] : [arranged, only.split(' ')]
      const { code, stdout } = await run(['doctor', ...args], { env })
      expect(code, stdout).toBe(0)
      const expected = Number(/sends .*\(about ([\d,]+) requests\)/.exec(stdout)?.[1]?.replace(',', ''))
      const judged = await run(['run', ...args], { env })
      expect(judged.code).toBe(0)
      // The arrangement of states and a retried request make a small difference.
      expect(Math.abs(expected - judged.report().requests)).toBeLessThan(expected / 10)
      expect(stdout).toMatch(
        how === 'named' ? /the stock of pet \S+: is changed/ : /that the provider states arrange/,
      )
    },
  )

  it('is ready for a full verdict with the flags that it proposes', async () => {
    const store = await plain()
    const { stdout } = await doctor(store.env)
    const proposed = stdout.match(/--(pending-orders|shipped-orders|pets) [\d.,]+/g) ?? []
    const ready = await run(['doctor', ...proposed.join(' ').split(' ')], { env: store.env })
    expect(ready.stdout).toContain(
      `Ready for a full verdict:\n  npx --no-install store-conformance run --base-url ${store.baseUrl} ${proposed.join(' ')}`,
    )
  })

  it('proposes no id if the lists show none', async () => {
    for (const body of ['[]', '{}', '[{"id":"7","complete":false}]']) {
      const { stdout } = await doctor((await listing(body)).env)
      expect(stdout).toMatch(/^ +--pending-orders +name 3 pending orders; the list shows none$/m)
    }
  })

  it('with --read-only, a run changes nothing', async () => {
    const { stdout } = await run(['doctor', '--read-only'], { env: (await plain()).env })
    expect(stdout).toContain('nothing: the run sends only GET requests')
    expect(stdout).not.toContain('bodies and quantities of updates')
  })

  it('does not call named ids listed, or missing, if the lists cannot be read', async () => {
    const { env } = await listing('', /./, 500)
    const { stdout } = await doctor({ ...env, ...named })
    for (const what of ['pending orders', 'shipped orders', 'pets'])
      expect(stdout).toMatch(new RegExp(`note +${what} +.*: the list does not show whether it contains them`))
  })

  it('has nothing to check for the reference store', async () => {
    const { code, stdout } = await doctor({ STORE_TARGET: 'reference' })
    expect([code, stdout]).toEqual([0, expect.stringContaining('the bundled reference store')])
  })
})
