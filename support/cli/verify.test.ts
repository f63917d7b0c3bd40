import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { LOG, unzip } from '../certificate/archive.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { bench, type CommandResult } from './testing/bench.ts'

const { run, reference } = bench()
const KEY = 'Customer-Key-0815'

const pair = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = { type: 'spki', format: 'pem' } as const
const files = {
  'vendor.pem': String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })),
  'vendor.pub.pem': String(pair.publicKey.export(spki)),
  'other.pub.pem': String(other.publicKey.export(spki)),
}
const folder = newFolder(files)
const [certificate, ofBroken] = ['reports/certificate.zip', 'broken/certificate.zip']
const verify = (...args: readonly string[]) => run(['verify', ...args], { folder, env: { COLUMNS: '80' } })

let conformant: CommandResult
beforeAll(async () => {
  conformant = await run(['run', '--target', 'reference', '--sign', 'vendor.pem'], { folder })
  const { env } = await reference({ apiKey: KEY, faults: ['shipped-cancelled'] })
  const args = ['run', '--sign', 'vendor.pem', '--out', 'broken', '--store-name', 'Zoo']
  await run([...args, '--only', 'cancel-shipped-409'], { folder, env })
})

describe('run --sign on the reference store', () => {
  it('judges every rule, and writes a certificate that says what is in it', () => {
    const { code, stdout, stderr, report } = conformant
    const progress = /^.*, [\d,]+ of about [\d,]+ requests.*\n/gm
    expect(stderr.replace(progress, ''), 'a slow run says how far it is').toBe('')
    expect(stdout).not.toContain('\u001b[')
    expect(stdout).toMatch(/^Conformant: \d+ statements of the document hold \(\d+ gating rules passed\)\./m)
    expect(stdout).toMatch(
      /^Certificate: reports\/certificate\.zip, signed with the key [0-9a-f]{64}\. It contains the lists .* in full\. To check it:\n {2}npx .* --key PUBLIC\.pem$/m,
    )
    expect(code).toBe(0)
    const { rules, observations, ...rest } = report()
    const open = rules.filter(({ outcome, level }) => outcome !== 'passed' && level !== 'advisory')
    expect(open.map(rule => `${rule.id} ${rule.outcome}: ${rule.message}`)).toEqual([])
    expect(rest).toMatchObject({ profile: '1.0.0', gate: 'implied', verdict: 'conformant' })
    expect(observations.length).toBeGreaterThan(3)
  })

  it('writes reports in all formats, which number the exchanges as conformance.json does', () => {
    const har = conformant.read('reports/exchanges.har')
    // Equal lists are written once.
    expect(har.length).toBeLessThan(5_000_000)
    const { log } = JSON.parse(har)
    const { requests, rules } = conformant.report()
    expect(log.entries).toHaveLength(requests)
    for (const { id, exchanges } of rules)
      for (const index of exchanges) expect(log.entries[index]._rules).toContain(id)
    expect(conformant.read('reports/junit.xml').match(/<testcase /g)).toHaveLength(rules.length)
    for (const name of ['md', 'html'])
      expect(conformant.read(`reports/conformance.${name}`)).toContain('Conformant: ')
  })

  it('replaces the certificate of an earlier run, also if the store cannot be reached: exit 4', async () => {
    const env = { STORE_BASE_URL: 'http://127.0.0.1:1/v1', STORE_API_KEY: KEY }
    const given = { env, files: { ...files, [certificate]: 'old' } }
    const ended = await run(['run', '--sign', 'vendor.pem'], given)
    expect(ended.code).toBe(4)
    const { code, stdout } = await run(['verify', certificate], ended)
    expect([code, stdout]).toEqual([3, expect.stringContaining('Unreachable: nothing could be judged.')])
  })
})

describe('verify', () => {
  it('a certificate of a conformant store, with the key that signed: exit 0, on a screen', async () => {
    const { code, stdout } = await verify(certificate, '--key', 'vendor.pub.pem')
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/^Conformant: .*/)
    expect(stdout).toMatch(/^signed by +[0-9a-f]{64}\n +the key in --key$/m)
    for (const label of [
      'store',
      'judged',
      'checked',
      'only stated',
      'not proven',
      'fresh seed',
      'by yourself',
    ])
      expect(stdout).toMatch(new RegExp(`^${label} `, 'm'))
    const lines = stdout.split('\n')
    expect(lines.length).toBeLessThanOrEqual(24)
    expect(lines.filter(line => line.length > 80 && !line.includes('unzip'))).toEqual([])
  })

  it('of a store that is not conformant: exit 3, with the exchange that decides a failure', async () => {
    const { code, stdout } = await verify(ofBroken, '--key', 'vendor.pub.pem')
    expect(code, stdout).toBe(3)
    expect(stdout).toMatch(/^Not conformant: [\s\S]*^store +Zoo at http/m)
    const decided =
      /^failed +cancel-shipped-409 [\s\S]*Decided by\s+exchange (\d+)\s+\(DELETE\s+(\S+):\s+204\)/m
    const [, at = '', path = ''] = decided.exec(stdout) ?? []
    const log = Buffer.from(unzip(readFileSync(join(folder, ofBroken)))[LOG]).toString()
    expect(log.split('\n').find(each => each.startsWith(`{"at":${at},`))).toContain(`${path}"`)
    expect(log).not.toContain(KEY)
  })

  it.each([
    [3, [ofBroken], /^ +NOT CHECKED whose key this is$[\s\S]*^next +Get the public key /m],
    [1, ['changed.zip', '--key', 'vendor.pub.pem'], /: REFUSED\. The certificate cannot be judged/],
    [1, [ofBroken, '--key', 'other.pub.pem'], /: REFUSED\. statement\.json is signed by the key/],
    [2, ['none.zip'], /none\.zip cannot be read \(ENOENT\)/],
    [2, [ofBroken, '--key', 'vendor.pem'], /vendor\.pem is a private key\. Give the public one/],
  ])('exit %i: %j', async (exit, args, message) => {
    writeFileSync(join(folder, 'changed.zip'), readFileSync(join(folder, ofBroken)).subarray(0, -1))
    const { code, stdout, stderr } = await verify(...args)
    expect([code, stdout + stderr]).toEqual([exit, expect.stringMatching(message)])
  })
})
