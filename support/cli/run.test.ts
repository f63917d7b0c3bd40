import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Habit } from '../target/testing/shop.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { bench } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain } = bench()
const ESCAPE = '\u001b['
/** A rule for which a run sends few requests. */
const ONE = ['--only', 'at-the-end/listOrders']

it('with --or-reference and no store, the first and the last line say that the bundled store was judged, without a proxy', async () => {
  const env = { HTTP_PROXY: 'http://127.0.0.1:1' }
  const ended = await run(['run', '--or-reference', ...ONE], { env })
  const lines = ended.stdout.trimEnd().split('\n')
  for (const line of [lines.at(0), lines.at(-1)])
    expect(line).toMatch(/^No store is named: this run judges the bundled reference store, not yours/)
  expect(ended.report()).toMatchObject({
    target: { reference: true },
    command: 'npx --no-install store-conformance run --target reference',
  })
})

it('named ids are enough for a verdict on a store without code of the reference store, below a longer prefix', async () => {
  const store = await plain(undefined, '/api/store/v1')
  const [orders, stock] = [new Map(store.orders), new Map(store.stock)]
  const env = { STORE_API_KEY: store.key, ...named, STORE_BASE_URL: 'http://127.0.0.1:1/v1' }
  const ended = await run(['run', `${store.baseUrl}/`, '--pets', '77,1,2'], { env })
  expect(ended.code, ended.stdout).toBe(0)
  expect(ended.stdout).toMatch(/^! the inventory shows no whole quantity of pet 77, which was named/m)
  expect(store.stock, 'the stock is restored').toEqual(stock)
  expect(ended.stdout).toContain(
    '\nThis run cancelled 3 named orders (101, 102, 103); it changed and restored the stock of 2 named pets (1, 2). Nothing is left to restore.\n\nConformant: ',
  )
  expect(ended.stdout).toMatch(/^Not covered by this run: .*\(.*states/m)
  for (const id of ['101', '102', '103']) orders.set(id, 'cancelled')
  expect(store.orders, 'no other order has changed').toEqual(orders)
  expect(ended.has('reports/undo.json')).toBe(false)
})

it('one cause is shown once, with the command that repeats it; --failed judges it again; if it is expected, the verdict is partial', async () => {
  // It lets in everybody who has no key.
  const store = await plain(({ authorization }, _shop, next) =>
    authorization === undefined ? { status: 200, body: '{"oops":true}' } : next(),
  )
  const env = { ...store.env, ...named, STORE_HEADERS: 'X-Tenant=acme-secret', FORCE_COLOR: '1' }
  const args = ['run', '--only', 'auth-no-head?r/listOrders,auth-basic-user/listOrders']
  const first = await run([...args, '--write-expected-failures', 'known.yaml'], { env })
  expect([first.code, first.rules('failed')]).toEqual([1, ['auth-no-header']])
  expect(first.stdout.match(/^ {2}again/gm)).toHaveLength(1)
  expect(first.stdout).toContain(ESCAPE)
  expect(first.stdout.split('\n').length).toBeLessThan(60)
  // The command contains what came from the environment, because it may be pasted elsewhere.
  const ids = '--pending-orders 101,102,103 --shipped-orders 201,202 --pets 1,2'
  const command = `npx --no-install store-conformance run --base-url ${store.baseUrl} ${ids} --header X-Tenant="$X_TENANT"`
  expect(first.stdout).toContain(`again     ${command} --only auth-`)
  expect(first.stdout).toMatch(/^1 failure drafted in known\.yaml: fill in each reason and owner\.$/m)
  const { folder } = first
  const judge = (...more: readonly string[]) => run([...args, ...more], { env, folder })
  const again = await run(['run', '--failed', 'reports'], { env, folder })
  expect([again.code, again.report().rules.map(({ id }) => id)]).toEqual([1, ['auth-no-header']])
  const expecting = ['--expected-failures', 'known.yaml']
  const empty = await judge(...expecting)
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('reason is empty')])
  const draft = first
    .read('known.yaml')
    .replace('reason:', 'reason: known')
    .replace('owner:', 'owner: orders')
  writeFileSync(join(folder, 'known.yaml'), draft.replace(/ +operation: .*\n/, ''))
  const expected = await judge(...expecting)
  expect([expected.code, expected.report().verdict]).toEqual([0, 'partial'])
  const excuse = { reason: 'known', owner: 'orders' }
  expect(expected.rule('auth-no-header')).toMatchObject({ outcome: 'failed', expectedFailure: excuse })
})

describe.concurrent('the reports folder', () => {
  it('keeps the reports of a whole run beside those of a selection, of which --verbose shows what passed', async () => {
    const env = { ...(await plain()).env, NO_COLOR: '1', FORCE_COLOR: '1', CI: 'true' }
    const files = { 'reports/conformance.json': 'of a whole run' }
    const ended = await run(['run', '--or-reference', ...ONE, '--verbose'], { env, files })
    expect(readFileSync(join(ended.folder, 'reports/conformance.json'), 'utf8')).toBe('of a whole run')
    expect(ended.stdout).toMatch(/Reports: reports\/selection\/conformance\.html;/)
    expect([ended.code, ended.stdout]).toEqual([0, expect.not.stringContaining(ESCAPE)])
    expect(ended.stdout).toMatch(/^ +✓ .* at the end of the run/m)
    expect(ended.stdout).toContain('Partial: 1 gating rule passed')
    expect(ended.stdout).not.toContain('reference store')
  })

  it.each([
    [[], false],
    [['--only', 'nothing-like-it'], true],
  ])('with %j, the reports of an earlier run stay: %s; other files always stay', async (flags, stay) => {
    const names = ['conformance.json', 'conformance.html', 'conformance.md', 'junit.xml', 'exchanges.har']
    const files = Object.fromEntries([...names, 'notes.md'].map(name => [name, 'of an earlier run']))
    const { env } = await plain()
    const args = ['run', '--out', '.', '--states-url', 'http://127.0.0.1:1/states', ...flags]
    const ended = await run(args, { env, files })
    expect([...names, 'notes.md'].filter(ended.has)).toEqual(stay ? [...names, 'notes.md'] : ['notes.md'])
    expect(ended.code).toBe(2)
  })

  it('is refused before anything is sent if it is a link; a report replaces a link in its place', async () => {
    const [at, elsewhere] = [newFolder({ precious: 'precious' }), realpathSync(newFolder())]
    symlinkSync(elsewhere, join(at, 'reports'))
    const args = ['run', '--target', 'reference', ...ONE, '--out']
    const { code, stderr } = await run([...args, 'reports'], { folder: at })
    const why = `reports is a link, or in one, to ${elsewhere}; name that folder with --out`
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
    mkdirSync(join(at, 'own'))
    for (const name of ['exchanges.har', '.conformance.json.partial'])
      symlinkSync(join(at, 'precious'), join(at, 'own', name))
    expect((await run([...args, 'own'], { folder: at })).code).toBe(0)
    expect(readFileSync(join(at, 'precious'), 'utf8')).toBe('precious')
    expect(readFileSync(join(at, 'own/exchanges.har'), 'utf8')).toContain('"entries"')
  })
})

const never = new Promise<never>(() => undefined)

// biome-ignore format: a table
it.each<[string, Habit, cancels: number, outcomes: object]>([
  [
    'an operation that hangs is sent a few times, and the others are judged',
    ({ method }, _shop, next) => (method === 'DELETE' ? never : next()), 30,
    { 'cancel-unknown-404/cancelOrder': 'cantTell', 'at-the-end/cancelOrder': 'untested', 'list-orders-200/listOrders': 'passed' },
  ],
  [
    'a request that hangs, while others are answered, has no result',
    ({ authorization }, _shop, next) => (authorization?.startsWith('Basic ') ? never : next()), 100,
    { 'auth-basic-user/listOrders': 'cantTell', 'auth-no-header/listOrders': 'passed' },
  ],
])('not a violation: %s', async (_what, habit, cancels, outcomes) => {
  const store = await plain(habit)
  const stock = new Map(store.stock)
  const args = ['run', '--timeout', '200ms', '--only', String(Object.keys(outcomes))]
  const ended = await run(args, { env: { ...store.env, ...named } })
  const { rules, counts, verdict } = ended.report()
  expect([counts.failed, verdict]).toEqual([0, 'incomplete'])
  expect(
    Object.fromEntries(rules.map(({ id, operation, outcome }) => [`${id}/${operation}`, outcome])),
  ).toEqual(outcomes)
  expect(store.stock).toEqual(stock)
  expect(store.requests.filter(({ method }) => method === 'DELETE').length).toBeLessThan(cancels)
})
