import { beforeAll, describe, expect, it } from 'vitest'
import { bench, type CommandResult } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain } = bench()
const ESCAPE = '\u001b['

describe('no store is named', () => {
  it.each<[string, Record<string, string>]>([
    ['in an empty folder', {}],
    ['by misspelt variables', { STORE_URL: 'https://store.example/v1', API_KEY: 'a-key' }],
    ['beside a key', { STORE_API_KEY: 'a-key' }],
    ['beside a secret that is empty, as in the CI of a fork', { STORE_API_KEY: '' }],
  ])('%s: run and doctor end with 2, and name --base-url and --target', async (_where, env) => {
    for (const command of ['run', 'doctor']) {
      const ended = await run([command], { env })
      expect([ended.code, ended.stdout]).toEqual([2, ''])
      expect(ended.stderr).toMatch(/\(--base-url\): is missing.*; set it, .*--target/m)
      expect(ended.has('reports')).toBe(false)
    }
  })

  it('with --or-reference, the first and the last line say that the bundled store was judged', async () => {
    const ended = await run(['run', '--or-reference', '--only', 'list-orders-200'])
    const lines = ended.stdout.trimEnd().split('\n')
    for (const line of [lines.at(0), lines.at(-1)])
      expect(line).toMatch(/^No store is named: this run judges the bundled reference store, not yours/)
    expect(ended.report()).toMatchObject({
      target: { reference: true },
      command: 'npx --no-install store-conformance run --target reference',
    })
    const { env } = await plain()
    const ofStore = await run(['run', '--or-reference', '--only', 'list-orders-200'], { env })
    expect([ofStore.code, ofStore.stdout]).toEqual([0, expect.not.stringContaining('reference store')])
  })
})

describe('the reference store', () => {
  let ended: CommandResult
  beforeAll(async () => {
    ended = await run(['run', '--target', 'reference'])
  })

  it('is judged by every rule', () => {
    const progress = /^.*, [\d,]+ of about [\d,]+ requests.*\n/gm
    expect(ended.stderr.replace(progress, ''), 'a slow run says how far it is').toBe('')
    expect(ended.stdout).not.toContain(ESCAPE)
    expect(ended.stdout).toMatch(
      /^Conformant: \d+ statements of the document hold \(\d+ gating rules passed\)\./m,
    )
    expect(ended.code).toBe(0)
    const open = ended
      .report()
      .rules.filter(({ outcome, level }) => outcome !== 'passed' && level !== 'advisory')
    expect(open.map(rule => `${rule.id} ${rule.outcome}: ${rule.message}`)).toEqual([])
    expect(ended.report()).toMatchObject({ profile: '1.0.0', gate: 'implied', verdict: 'conformant' })
    expect(ended.report().observations.length).toBeGreaterThan(3)
  })

  it('writes all formats, which number the exchanges as conformance.json does', () => {
    const har = ended.read('reports/exchanges.har')
    // Equal lists are written once.
    expect(har.length).toBeLessThan(5_000_000)
    const { log } = JSON.parse(har)
    const { requests, rules } = ended.report()
    expect(log.version).toBe('1.2')
    expect(log.entries).toHaveLength(requests)
    for (const { id, exchanges } of rules)
      for (const index of exchanges) expect(log.entries[index]._rules).toContain(id)
    expect(ended.read('reports/junit.xml').match(/<testcase /g)).toHaveLength(rules.length)
    expect(ended.read('reports/conformance.md')).toContain('Conformant: ')
  })
})

it.each([
  [[], false],
  [['--only', 'nothing-like-it'], true],
])('with %j, the reports of an earlier run stay: %s; other files always stay', async (flags, stay) => {
  const names = ['conformance.json', 'conformance.html', 'conformance.md', 'junit.xml', 'exchanges.har']
  const earlier = Object.fromEntries([...names, 'notes.md'].map(name => [name, 'of an earlier run']))
  const { env } = await plain()
  const ended = await run(['run', '--out', '.', '--states-module', './states.mjs', ...flags], {
    env,
    files: { ...earlier, 'states.mjs': 'export const setup = () => ({ nonsense: 1 })' },
  })
  expect(ended.code).toBe(2)
  expect(names.filter(ended.has)).toEqual(stay ? names : [])
  expect(ended.read('notes.md')).toBe('of an earlier run')
})

describe.concurrent('what a run changes', () => {
  it('named ids are enough for a verdict on a store without code of the reference store, below a longer prefix', async () => {
    const store = await plain({ prefix: '/api/store/v1' })
    const orders = new Map(store.orders)
    const stock = new Map(store.stock)
    const ended = await run(['run', '--base-url', `${store.baseUrl}/`], {
      env: { STORE_API_KEY: store.key, ...named },
    })
    expect(ended.stdout).toContain('Conformant: ')
    expect(ended.code).toBe(0)
    expect(store.stock, 'the stock is restored').toEqual(stock)
    expect(ended.stdout).toContain(
      '\nThis run cancelled 3 named orders (101, 102, 103); it changed and restored the stock of 2 named pets (1, 2). Nothing is left to restore.\n\nConformant: ',
    )
    for (const page of ['conformance.md', 'conformance.html'])
      expect(ended.read(`reports/${page}`)).toMatch(/cancelled 3 named orders/)
    for (const id of ['101', '102', '103']) orders.set(id, 'cancelled')
    expect(store.orders, 'no other order has changed').toEqual(orders)
    expect(ended.has('reports/undo.json')).toBe(false)
    const inapplicable = ended.rules('inapplicable')
    expect(inapplicable.length, 'rules that need a chosen id').toBeGreaterThan(0)
  })

  it('any pet: the stock of listed pets is changed and restored, even in an inventory too large to be kept', async () => {
    const store = await plain()
    for (let pet = 1; pet <= 7_000; pet += 1) store.stock.set(String(10_000 + pet), 3n)
    const stock = new Map(store.stock)
    const args = ['run', '--pets', 'any', '--only', 'update-200,update-replaces']
    const ended = await run(args, { env: store.env })
    expect(ended.code, ended.stdout).toBe(0)
    expect(ended.rule('update-replaces').outcome).toBe('passed')
    expect(store.stock).toEqual(stock)
  })
})

describe.concurrent('what a run prints', () => {
  it('of many violations: one cause is shown once, and the output stays short', async () => {
    const store = await plain({
      intercept(request, response) {
        if (request.headers.authorization !== undefined) return false
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"oops":true}')
        return true
      },
    })
    const ended = await run(['run', '--only', 'auth-*'], {
      env: {
        ...store.env,
        STORE_HEADERS: 'X-Tenant=acme-secret',
        STORE_READ_ONLY: 'false',
        ...named,
        FORCE_COLOR: '1',
      },
    })
    expect(ended.code).toBe(1)
    expect(ended.rules('failed')).toContain('auth-no-header')
    expect(ended.stdout.match(/^ {2}again/gm)).toHaveLength(1)
    expect(ended.stdout).toContain(ESCAPE)
    expect(ended.stdout.split('\n').length).toBeLessThan(150)
    // The command contains what came from the environment, because it may be pasted elsewhere.
    const ids = '--pending-orders 101,102,103 --shipped-orders 201,202 --pets 1,2'
    const command = `npx --no-install store-conformance run --base-url ${store.baseUrl} ${ids} --header X-Tenant="$X_TENANT"`
    expect(ended.stdout).toContain(`again     ${command} --only auth-`)
    expect(ended.report().command).toBe(command)
  })

  it('the rules that passed only with --verbose, and no colour with NO_COLOR', async () => {
    const ended = await run(['run', '--target', 'reference', '--only', 'cancel-shipped-409', '--verbose'], {
      env: { NO_COLOR: '1', FORCE_COLOR: '1', CI: 'true' },
    })
    expect(ended.code).toBe(0)
    expect(ended.stdout).toMatch(/^ +✓ Cancelling a shipped order answers 409$/m)
    expect(ended.stdout).not.toContain(ESCAPE)
    expect(ended.stdout).toContain('Partial: 1 gating rule passed')
  })
})

it('run URL is run --base-url URL, and not both', async () => {
  const { baseUrl, key } = await plain()
  const env = { STORE_API_KEY: key, STORE_BASE_URL: 'http://127.0.0.1:1/v1' }
  const ended = await run(['run', baseUrl, '--only', 'list-orders-200'], { env })
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.report().target.baseUrl).toBe(baseUrl)
  const twice = await run(['run', baseUrl, '--base-url', baseUrl], { env })
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('The address is given twice')])
})
