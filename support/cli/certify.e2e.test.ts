import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { contentOf } from '../embed/testing/stores.ts'
import { newFolder } from '../http/testing/folder.ts'
import { bench, type CommandResult } from './testing/bench.ts'
import { named } from './testing/store.ts'

const { run, plain, reference } = bench()
const KEY = 'Customer-Key-0815'
const RULE = 'cancel-shipped-409'
const env = { STORE_API_KEY: KEY }
/** It has fewer rules to judge again. */
const STABLE = ['--profile', '1.0.0-stable']

const folder = newFolder()
const certificate = join(folder, 'reports/certificate.zip')
const publicKey = join(folder, 'vendor.pub.pem')
const evidence = join(folder, 'broken/evidence')

/** A reference store with these faults, which records what it receives. */
async function recording(...faults: readonly string[]) {
  const received: { method: string; headers: Pick<Headers, 'get' | 'has'>; status: number }[] = []
  const store = await reference({
    apiKey: KEY,
    faults,
    overrides: [
      base => ({
        finish: async (answer, ctx) => {
          const finished = await base.finish(answer, ctx)
          received.push({ method: ctx.method, headers: ctx.headers, status: finished.status })
          return finished
        },
      }),
    ],
  })
  return { ...store, received }
}

const certifyBroken = async (args: readonly string[], files: Record<string, string> = {}) => {
  const store = await reference({ apiKey: KEY, faults: ['shipped-cancelled'] })
  return run(['certify', ...STABLE, ...args], { env: store.env, folder, files })
}

const verify = (...args: readonly string[]) => run(['verify', ...args])

describe('certify', () => {
  let ofConformant: CommandResult
  let ofBroken: CommandResult
  beforeAll(async () => {
    const pair = generateKeyPairSync('ed25519')
    const earlier = ['certificate.zip', 'certificate.html', 'evidence/x', 'evidence.zip']
    const files = {
      'vendor.pem': String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      'vendor.pub.pem': String(pair.publicKey.export({ type: 'spki', format: 'pem' })),
      ...Object.fromEntries(earlier.map(name => [`broken/${name}`, 'of an earlier run'])),
    }
    ofConformant = await run(['certify', '--target', 'reference', ...STABLE, '--sign', 'vendor.pem'], {
      folder,
      files,
    })
    ofBroken = await certifyBroken(['--out', 'broken', '--unpacked'])
  }, 100_000)

  it('writes a signed certificate of a conformant store', () => {
    expect(ofConformant.code, ofConformant.stdout + ofConformant.stderr).toBe(0)
    expect(ofConformant.stdout).toMatch(/^Judged the bundled reference store at http/)
    expect(ofConformant.stdout).toContain('Certificate: reports/certificate.zip: ')
  })

  it('writes evidence of another store as a folder, and says how to judge it again', () => {
    expect(ofBroken.code, ofBroken.stdout + ofBroken.stderr).toBe(1)
    for (const line of [
      'Evidence: broken/evidence: every request and response of this run. It is not a certificate.',
      `To judge it again: store-conformance verify broken/evidence --rule ${RULE}`,
    ])
      expect(ofBroken.stdout).toContain(line)
    for (const name of ['certificate.zip', 'certificate.html', 'evidence.zip', 'evidence/x'])
      expect(ofBroken.has(`broken/${name}`), name).toBe(false)
  })

  it('--waivers names the rules by their ids, and those that wait for them', async () => {
    const waivers =
      '- { rule: cancel-shipped-4*, operation: cancelOrder, reason: "a\\tb", owner: Zoo, expires: 2099-03-31 }\n'
    const ended = await certifyBroken(['--waivers', 'w.yaml', '--out', 'waived'], { 'w.yaml': waivers })
    expect(ended.code, ended.stdout + ended.stderr).toBe(0)
    const { stdout } = await verify(join(folder, 'waived/certificate.zip'))
    expect(stdout).toMatch(/: conformant with 1 waiver, \d+ rules? not judged$/m)
    expect(stdout).toMatch(
      /waiver +cancel-shipped-409 failed\. The vendor says: "a\\tb", accepted by "Zoo" until 2099-03-31$/m,
    )
  })
})

describe('verify', () => {
  it('--profile prints the verdict under another profile, offline', async () => {
    const { code, stdout } = await verify(certificate, '--key', publicKey, '--profile', '1.0.0')
    expect(code, stdout).toBe(3)
    expect(stdout).toMatch(
      /^Under profile 1\.0\.0:\n[\s\S]*^Incomplete: .* \d+ of \d+ gating rules were not tested\.$/m,
    )
    expect(stdout).toContain('Assurance: self-signed\n')
  })

  it('--rule prints the rule with its requests; without --key the signature is not checked: exit 3', async () => {
    const { code, stdout } = await verify(certificate, '--rule', RULE)
    expect(code, stdout).toBe(3)
    expect(stdout).toMatch(/^outcome +passed, judged again; report\.json says the same$/m)
    expect(stdout).toContain('  < 409')
    expect(stdout).toMatch(/^Signature not checked \(exit 3\): .*--key\.$/m)
  })

  it('--rule prints a rule of evidence: exit 0', async () => {
    const { code, stdout } = await verify(evidence, '--rule', RULE)
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/^.*evidence: EVIDENCE, NOT A CERTIFICATE\n/)
    expect(stdout).toMatch(/^outcome +failed, judged again; report\.json says the same$/m)
    expect(stdout).toMatch(/^basis +claimed: .*which orders the vendor called pending or shipped$/m)
    expect(stdout).toMatch(/\$ curl .*DELETE.*\n {2}< 204\n(.*\n)*^ {2}events\[\d+\]$/m)
    expect(stdout).not.toContain(KEY)
  })

  it('evidence is no certificate: exit 1', async () => {
    const { code, stdout } = await verify(evidence)
    expect(code, stdout).toBe(1)
    expect(stdout).toContain('it has no statement, so it is evidence, not a certificate')
    expect(stdout).toContain(`\n  ${RULE} · required · `)
  })

  it.each([
    [
      2,
      certificate,
      ['--profile', '9.9.9'],
      'There is no profile "9.9.9". The profiles are 1.0.0, 1.0.0-stable',
    ],
    [2, certificate, ['--rule', 'cancel-shiped-409'], `Did you mean ${RULE}?`],
    [2, certificate, ['--rule', RULE, '--profile', '1.0.0'], '--rule and --profile cannot be used together.'],
    [2, certificate, ['--pets', '1'], '--pets can only be used with --confirm.'],
    [2, certificate, ['--key', 'two.pem'], 'two.pem contains more than one key'],
    [2, certificate, ['--key', publicKey, '--key', publicKey], 'has the same key as'],
    [2, evidence, ['--profile', '1.0.0-stable'], 'is evidence; --profile needs a certificate.'],
    [1, evidence, ['--challenge', 'ab'.repeat(32)], 'evidence.json: challenge: is not the challenge that'],
  ])('exit %i: %s %j', async (code, file, flags, message) => {
    const pem = '-----BEGIN PUBLIC KEY-----\n'
    const ended = await run(['verify', file, ...flags], { files: { 'two.pem': pem + pem } })
    expect(ended.code, ended.stdout + ended.stderr).toBe(code)
    expect(ended.stdout + ended.stderr).toContain(message)
  })
})

describe('verify --confirm', () => {
  const confirm = (baseUrl: string, ...more: readonly string[]) =>
    run(['verify', certificate, '--key', publicKey, '--confirm', baseUrl, ...more], { env })

  it('without named ids: exit 3, and nothing but harmless requests', async () => {
    const store = await recording()
    const { orderIds: [order = ''] = [] } = store.states.setup('pending orders', { count: 1 })
    const before = contentOf(store)
    const other = await plain()
    // Ids and addresses in the environment are about another store, so they are ignored.
    const ended = await run(['verify', certificate, '--key', publicKey, '--confirm', store.baseUrl], {
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
    expect(ended.stdout).toMatch(/^Not confirmed in full: \d+ of \d+ rules have no result$/m)
    expect(ended.stdout).toContain('Assurance: self-signed\n')
    expect(ended.stdout).toMatch(/^ +\d+ the same[\s\S]*^ +0 drift/m)
    expect(ended.stdout).toMatch(/name \d more pending orders \(--pending-orders\)$/m)
    expect(ended.stdout).not.toContain('--states-url')
    expect(ended.stdout + ended.stderr).not.toContain(KEY)
    expect(ended.has('reports')).toBe(false)

    expect(contentOf(store)).toBe(before)
    expect(other.requests).toEqual([])
    const changing = store.received.filter(({ method }) => !['GET', 'PROPFIND'].includes(method))
    expect(changing.length).toBeGreaterThan(20)
    expect(changing.filter(({ status }) => status < 400)).toEqual([])
  })

  it('a store that has changed: exit 1, with the request', async () => {
    const store = await recording('order-quantity-null')
    const ended = await confirm(store.baseUrl)
    expect(ended.code, ended.stdout + ended.stderr).toBe(1)
    expect(ended.stdout).toMatch(/^ +1 drift/m)
    expect(ended.stdout).toMatch(
      /^Drift:\n {2}✗ Not met: .*\n {4}order-quantity-integer · required · §2\n {4}expected .*\n {4}got /m,
    )
    expect(ended.stdout).toMatch(/\$ curl .*\/store\/orders/)
    expect(ended.stdout).not.toContain('confirmed\n')
    expect(ended.stdout).not.toContain(KEY)
  })

  it('a key that the store rejects: exit 4 after two requests', async () => {
    const store = await plain()
    const ended = await confirm(store.baseUrl)
    expect(ended.code).toBe(4)
    expect(ended.stdout).toContain('Not confirmed: ')
    expect(ended.stdout).toContain('Check STORE_API_KEY')
    expect(store.requests).toHaveLength(2)
  })

  it('every mistake at once, or a certificate that is refused: nothing is sent', async () => {
    const wrong = await run(['verify', certificate, '--confirm', 'ftp://store', '--pets', 'some'])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toMatch(/^3 settings are wrong; nothing was sent\./)
    for (const setting of ['--confirm: "ftp://store"', 'STORE_PETS (--pets): ', 'STORE_API_KEY: is missing'])
      expect(wrong.stderr).toContain(`  ${setting}`)
    const store = await recording()
    const refused = await confirm(store.baseUrl, '--challenge', 'ab'.repeat(32))
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('REFUSED')])
    expect(store.received).toEqual([])
  })
})
