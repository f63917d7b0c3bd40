import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import type { Override } from '../reference/index.ts'
import { bench } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain, reference, closing } = bench()
const KEY = 'Customer-Key-0815'

/** A certificate of the reference store, and the key that signed it. */
const folder = mkdtempSync(join(tmpdir(), 'store-conformance-confirm-'))
const certificate = join(folder, 'reports/certificate.zip')
const publicKey = join(folder, 'vendor.pub.pem')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(async () => {
  const signing = join(folder, 'vendor.pem')
  const pair = generateKeyPairSync('ed25519')
  writeFileSync(signing, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }))
  const ended = await run(['certify', '--sign', signing, '--out', join(folder, 'reports')])
  expect(ended.code, ended.stdout + ended.stderr).toBe(0)
  expect(ended.stdout).toMatch(/^Judged the bundled reference store at http/)
}, 100_000)

interface Seen {
  readonly method: string
  readonly path: string
  readonly userAgent: string
  readonly requestId: boolean
  readonly withKey: boolean
  readonly status: number
}

/** A reference store that remembers what it was asked. */
async function watched(...ids: readonly string[]) {
  const seen: Seen[] = []
  const watch: Override = base => ({
    finish: async (answer, ctx) => {
      const { method, url, headers } = ctx
      const finished = await base.finish(answer, ctx)
      seen.push({
        method,
        path: url.pathname,
        userAgent: headers.get('user-agent') ?? '',
        requestId: headers.has('x-request-id'),
        withKey: headers.get('authorization') === `Bearer ${KEY}`,
        status: finished.status,
      })
      return finished
    },
  })
  const overrides = faults.filter(({ id }) => ids.includes(id)).map(({ override }) => override)
  expect(overrides).toHaveLength(ids.length)
  const store = await reference({ apiKey: KEY, overrides: [...overrides, watch], onError: () => {} })
  const dump = () =>
    [...store.domain.orders.values(), ...store.domain.stock.values()]
      .map(each => Object.values(each).map(String).join(' '))
      .join('\n')
  return { ...store, seen, dump }
}

const env = { STORE_API_KEY: KEY }
const confirm = (baseUrl: string, ...more: readonly string[]) =>
  run(['verify', certificate, '--key', publicKey, '--confirm', baseUrl, ...more], { env })

describe.concurrent('verify --profile and --rule, of a certificate', () => {
  const verify = (...more: readonly string[]) => run(['verify', certificate, ...more])

  it('print the verdict under another profile, and the rule, offline', async () => {
    const stable = await verify('--key', publicKey, '--profile', '1.0.0-stable')
    expect(stable.code, stable.stdout + stable.stderr).toBe(0)
    expect(stable.stdout).toMatch(
      /^Under profile 1\.0\.0-stable: conformant, (\d+) of \1 gating rules passed$/m,
    )
    expect(stable.stdout).toContain('Assurance: self-signed\n')
    const rule = await verify('--key', publicKey, '--rule', 'cancel-shipped-409')
    expect(rule.code, rule.stdout + rule.stderr).toBe(0)
    expect(rule.stdout).toMatch(/^Signed with .*\n\ncancel-shipped-409: /m)
    expect(rule.stdout).toMatch(/^ {2}outcome +passed, judged again; report\.json says the same$/m)
    expect(rule.stdout).toContain('  < 409')
  })

  it.each([[[]], [['--rule', 'cancel-shipped-409']], [['--profile', '1.0.0-stable']]])(
    'without --key, %j: exit 3, the signature is not checked',
    async flags => {
      const ended = await verify(...flags)
      expect(ended.code, ended.stdout + ended.stderr).toBe(3)
      expect(ended.stdout).toMatch(/^Signature not checked \(exit 3\): .*--key\.$/m)
    },
  )

  it.each([
    [['--profile', '9.9.9'], 'There is no profile "9.9.9". The profiles are 1.0.0, 1.0.0-stable'],
    [['--rule', 'cancel-shiped-409'], 'Did you mean cancel-shipped-409?'],
    [['--rule', 'cancel-shipped-409', '--profile', '1.0.0'], '--rule and --profile cannot be used together.'],
  ])('%j: exit 2', async (flags, message) => {
    const ended = await verify(...flags)
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(message)
    expect(ended.stdout).toBe('')
  })
})

describe.concurrent('verify --confirm', () => {
  it('without named ids: exit 3, not confirmed in full, and nothing but harmless requests', async () => {
    const store = await watched()
    const before = store.dump()
    const ended = await confirm(store.baseUrl)
    expect(ended.code, ended.stdout + ended.stderr).toBe(3)
    expect(ended.stdout).toMatch(/^Not confirmed in full: \d+ of \d+ rules have no result$/m)
    expect(ended.stdout).toContain('Assurance: self-signed\n')
    expect(ended.stdout).toMatch(/^ +1\d\d the same/m)
    expect(ended.stdout).toMatch(/^ +0 drift/m)
    expect(ended.stdout).toMatch(/name 2 more pets \(--pets\): /)
    expect(ended.stdout).not.toContain('--states-url')
    expect(ended.stdout + ended.stderr).not.toContain(KEY)
    expect(store.dump()).toBe(before)
    const changing = store.seen.filter(({ method }) => !['GET', 'PROPFIND'].includes(method))
    expect(changing.length).toBeGreaterThan(20)
    expect(changing.filter(({ status }) => status < 400)).toEqual([])
    expect(ended.has('reports')).toBe(false)
  })

  it('some requests look like those of ordinary clients', async () => {
    const store = await watched()
    await confirm(store.baseUrl)
    const others = store.seen.filter(({ userAgent }) => userAgent !== 'store-conformance')
    expect(new Set(others.map(({ userAgent }) => userAgent)).size).toBeGreaterThan(1)
    expect(others.filter(({ requestId }) => requestId)).toEqual([])
    for (const method of ['GET', 'DELETE', 'PATCH'])
      expect(others.some(each => each.method === method && each.withKey)).toBe(true)
  })

  it('a store whose list has changed: exit 1, and the drift is named with its request', async () => {
    const store = await watched('order-quantity-null')
    const ended = await confirm(store.baseUrl)
    expect(ended.code, ended.stdout + ended.stderr).toBe(1)
    expect(ended.stdout).toMatch(/^ +1 drift/m)
    expect(ended.stdout).toMatch(
      /✗ Drift: .*\n {2}order-quantity-integer · required · §2\n {2}expected .*\n {2}got /,
    )
    expect(ended.stdout).toMatch(/\$ curl .*\/store\/orders/)
    expect(ended.stdout).not.toContain('confirmed\n')
    expect(ended.stdout).not.toContain(KEY)
  })

  it('with orders and pets that flags name: exit 0, confirmed, and stock is restored', async () => {
    const store = await watched()
    const { orderIds: pending = [] } = store.states.setup('pending orders', { count: 3 })
    const { orderIds: shipped = [] } = store.states.setup('shipped orders', { count: 2 })
    const { petIds: pets = [] } = store.states.setup('pets', { count: 2, quantity: 5 })
    const ended = await confirm(
      store.baseUrl,
      ...['--pending-orders', pending.join(), '--shipped-orders', shipped.join(), '--pets', pets.join()],
      ...['--out', 'evidence'],
    )
    expect(ended.code, ended.stdout + ended.stderr).toBe(0)
    expect(ended.stdout).toContain('Assurance: self-signed, confirmed\n')
    expect(ended.stdout).toMatch(/^ +0 not confirmed/m)
    expect(ended.stdout).not.toMatch(/name (one|\d)/)
    expect([...store.domain.stock.values()].filter(({ petId }) => pets.map(String).includes(petId))).toEqual([
      expect.objectContaining({ quantity: 5n }),
      expect.objectContaining({ quantity: 5n }),
    ])
    expect(ended.has('evidence/conformance.json')).toBe(true)
    expect(ended.has('evidence/undo.json')).toBe(false)
  })

  it('ids and addresses in the environment are about another store, so they are ignored', async () => {
    const store = await watched()
    const { orderIds: [order = ''] = [] } = store.states.setup('pending orders', { count: 1 })
    const other = await plain()
    const ended = await run(['verify', certificate, '--confirm', store.baseUrl], {
      env: {
        ...env,
        ...named,
        STORE_PENDING_ORDERS: String(order),
        STORE_TARGET: 'staging',
        STORE_GATE: 'required',
      },
      files: { '.env': `STORE_STAGING_BASE_URL=${other.baseUrl}\nSTORE_STATES_URL=${store.statesUrl}\n` },
    })
    expect(ended.code, ended.stdout + ended.stderr).toBe(3)
    expect(store.domain.orders.get(BigInt(order))?.state).toBe('pending')
    expect(other.requests).toEqual([])
  })

  it('a key that the store rejects: exit 4 after two requests', async () => {
    const store = await plain()
    const ended = await confirm(store.baseUrl)
    expect(ended.code).toBe(4)
    expect(ended.stdout).toContain('Not confirmed: ')
    expect(ended.stdout).toContain('Check STORE_API_KEY')
    expect(ended.stdout).not.toContain(KEY)
    expect(store.requests).toHaveLength(2)
  })

  it('no store at the address: exit 4', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    server.close()
    const ended = await confirm(`http://127.0.0.1:${port}/v1`)
    expect(ended.code).toBe(4)
    expect(ended.stdout).toContain('cannot be reached')
  })

  it('a store that stops answering: exit 3, and no drift', async () => {
    let asked = 0
    const server = createServer((_request, response) => {
      asked += 1
      if (asked > 2) return
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    closing(() => server.closeAllConnections())
    closing(() => server.close())
    const { port } = server.address() as AddressInfo
    const ended = await confirm(`http://127.0.0.1:${port}/v1`, '--timeout', '200')
    expect(ended.code, ended.stdout).toBe(3)
    expect(ended.stdout).not.toContain('✗ Drift')
  })

  it('every mistake at once, before anything is sent: exit 2', async () => {
    const ended = await run(['verify', certificate, '--confirm', 'ftp://store', '--pets', 'some'])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(/^3 settings are wrong; nothing was sent\./)
    for (const setting of [
      '  --confirm: "ftp://store"',
      '  STORE_PETS (--pets): ',
      '  STORE_API_KEY: is missing',
    ])
      expect(ended.stderr).toContain(setting)
    const alone = await run(['verify', certificate, '--pets', '1'])
    expect(alone.code).toBe(2)
    expect(alone.stderr).toContain('--pets can only be used with --confirm.')
  })

  it('a certificate that is refused: exit 1, and nothing is sent', async () => {
    const store = await watched()
    const ended = await confirm(store.baseUrl, '--challenge', 'ab'.repeat(32))
    expect(ended.code).toBe(1)
    expect(ended.stdout).toContain('REFUSED')
    expect(store.seen).toEqual([])
  })
})

describe.concurrent('a store that behaves only while it is tested', () => {
  it('is detected by verify --confirm', async () => {
    const store = await watched('unannounced-orders-halved')
    const ended = await confirm(store.baseUrl)
    expect(ended.code, ended.stdout).toBe(1)
    expect(ended.stdout).toMatch(/✗ Drift: .*\n {2}unannounced-list-orders /)
  })

  it.each([
    ['certify', 1],
    ['run', 0],
  ] as const)('%s: exit %i', async (command, code) => {
    const store = await watched('unannounced-orders-halved')
    const ended = await run([command, '--base-url', store.baseUrl, '--states-url', store.statesUrl], { env })
    expect(ended.code, ended.stdout + ended.stderr).toBe(code)
    const rule = ended.rule('unannounced-list-orders')
    expect(rule.outcome).toBe(code === 1 ? 'failed' : 'inapplicable')
    if (command === 'certify') return
    expect(rule.message).toBe(
      'only certify and verify --confirm send requests that do not announce the suite',
    )
    expect(store.seen.filter(({ userAgent }) => userAgent !== 'store-conformance')).toEqual([])
    expect(ended.report().verdict).toBe('conformant')
  })
})
