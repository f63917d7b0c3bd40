import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { bench } from './testing/bench.ts'
import type { Ended } from './testing/command.ts'

const { run, reference } = bench()
const KEY = 'Vendor-Key-0815'
const RULE = 'cancel-shipped-409'
const folder = mkdtempSync(join(tmpdir(), 'store-conformance-evidence-'))
const evidence = join(folder, 'evidence.zip')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let certified: Ended
beforeAll(async () => {
  for (const name of ['certificate.zip', 'certificate.html', 'evidence.zip'])
    writeFileSync(join(folder, name), 'of an earlier run')
  mkdirSync(join(folder, 'evidence'))
  const overrides = faults.filter(({ id }) => id === 'shipped-cancelled').map(({ override }) => override)
  const store = await reference({ apiKey: KEY, overrides })
  const address = ['--base-url', store.baseUrl, '--states-url', store.statesUrl]
  certified = await run(['certify', ...address, '--out', folder], { env: { STORE_API_KEY: KEY } })
}, 100_000)

const verify = (...more: readonly string[]) => run(['verify', ...more])

it('certify writes evidence of a store that is not conformant, and says how to judge it again', () => {
  expect(certified.code, certified.stdout + certified.stderr).toBe(1)
  expect(certified.stdout).toMatch(/^Judged http:.*\n/)
  expect(certified.stdout).toContain(`Evidence: ${evidence}: every request and response of this run.`)
  expect(certified.stdout).toContain('It is not a certificate.')
  expect(certified.stdout).toContain(`To judge it again: store-conformance verify ${evidence} --rule ${RULE}`)
  for (const name of ['certificate.zip', 'certificate.html', 'evidence'])
    expect(existsSync(join(folder, name)), name).toBe(false)
  expect(readFileSync(evidence).subarray(0, 2).toString()).toBe('PK')
})

describe.concurrent('verify, of evidence', () => {
  it('--rule prints the rule with its requests and responses: exit 0', async () => {
    const ended = await verify(evidence, '--rule', RULE)
    expect(ended.code, ended.stdout + ended.stderr).toBe(0)
    expect(ended.stdout).toMatch(/^.*evidence\.zip: EVIDENCE, NOT A CERTIFICATE\n/)
    expect(ended.stdout).toMatch(/^ {2}outcome +failed, judged again; report\.json says the same$/m)
    expect(ended.stdout).toMatch(/^ {2}basis +told: /m)
    expect(ended.stdout).toMatch(/\$ curl .*DELETE/)
    expect(ended.stdout).not.toContain(KEY)
  })

  it('without --rule it judges every rule, and is no certificate: exit 1', async () => {
    const ended = await verify(evidence)
    expect(ended.code, ended.stdout + ended.stderr).toBe(1)
    expect(ended.stdout).toContain('it has no statement, so it is evidence, not a certificate')
    expect(ended.stdout).toContain(`  failed ${RULE}: `)
  })

  it.each([
    [2, ['--rule', 'cancel-shiped-409'], `Did you mean ${RULE}?`],
    [2, ['--profile', '1.0.0-stable'], 'is evidence; --profile needs a certificate.'],
    [1, ['--challenge', 'ab'.repeat(32)], 'evidence.json: challenge: is not the challenge that was given'],
  ] as const)('exit %i: %j', async (code, flags, message) => {
    const ended = await verify(evidence, ...flags)
    expect(ended.code, ended.stdout + ended.stderr).toBe(code)
    expect(ended.stdout + ended.stderr).toContain(message)
  })
})

describe.concurrent('certify --waivers', () => {
  // No revoked key is configured, so this rule is not applicable.
  const OTHER =
    '- { rule: auth-revoked-key-list-orders, operation: listOrders, reason: a, owner: b, expires: 2099-01-01 }'
  const certify = async (waivers: string, out: string) => {
    const overrides = faults.filter(({ id }) => id === 'shipped-cancelled').map(({ override }) => override)
    const store = await reference({ apiKey: KEY, overrides })
    const address = ['--base-url', store.baseUrl, '--states-url', store.statesUrl]
    const file =
      '- { rule: cancel-shipped-4*, operation: cancelOrder, reason: "a\\tb", owner: Zoo, expires: 2099-03-31 }\n'
    return run(['certify', ...address, '--waivers', 'w.yaml', '--out', out], {
      env: { STORE_API_KEY: KEY },
      files: { 'w.yaml': file + waivers },
    })
  }

  it('names the rules by their ids, and those that wait for them', async () => {
    const ended = await certify('', join(folder, 'waived'))
    expect(ended.code, ended.stdout + ended.stderr).toBe(0)
    const verified = await verify(join(folder, 'waived/certificate.zip'))
    expect(verified.stdout).toMatch(/: conformant with 1 waiver, \d+ rules not judged$/m)
    expect(verified.stdout).toMatch(
      /waiver +cancel-shipped-409 failed\. The vendor says: "a\\tb", accepted by "Zoo" until 2099-03-31$/m,
    )
    expect(verified.stdout).toMatch(/\d+ rules wait for it, not judged: .*cancel-shipped-409-after-anything/)
  })

  it('refuses one that covers nothing', async () => {
    const ended = await certify(OTHER, join(folder, 'refused'))
    expect(ended.code, ended.stdout + ended.stderr).toBe(3)
    expect(ended.stdout).toContain(
      'w.yaml:2: the waiver of auth-revoked-key-list-orders covers nothing: no gating rule with this id failed; remove it',
    )
  })
})

it('a key file with two keys: exit 2', async () => {
  const pair = generateKeyPairSync('ed25519')
  const pem = String(pair.publicKey.export({ type: 'spki', format: 'pem' }))
  const ended = await run(['verify', evidence, '--key', 'two.pem'], { files: { 'two.pem': pem + pem } })
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('two.pem contains more than one key')
})
