import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { keyPair } from '../wire/testing/certificate.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { bench, type CommandResult } from './testing/bench.ts'

const { run, reference } = bench()
const KEY = 'Customer-Key-0815'

const vendor = keyPair()
const files = {
  'vendor.pem': vendor.privateKey,
  'vendor.pub.pem': vendor.publicKey,
  'other.pub.pem': keyPair().publicKey,
}
const folder = newFolder(files)
const [certificate, ofBroken] = ['reports/certificate.zip', 'broken/certificate.zip']

let conformant: CommandResult
beforeAll(async () => {
  conformant = await run(['run', '--target', 'reference', '--sign', 'vendor.pem'], { folder })
  const { env } = await reference({ apiKey: KEY, faults: ['shipped-cancelled'] })
  const args = ['run', '--sign', 'vendor.pem', '--out', 'broken', '--store-name', 'Zoo']
  await run([...args, '--only', 'cancel-shipped-409'], { folder, env })
  writeFileSync(join(folder, 'changed.zip'), readFileSync(join(folder, ofBroken)).subarray(0, -1))
})

it('run --sign on the reference store writes a certificate that says what is in it', () => {
  const { code, stdout, stderr, report } = conformant
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).not.toContain('\u001b[')
  expect(stdout).toMatch(/^Conformant: \d+ statements of the document hold \(\d+ gating rules passed\)\./m)
  expect(stdout).toMatch(
    /^Certificate: reports\/certificate\.zip, signed with the key [0-9a-f]{64}\. It contains the lists .* in full\. To check it:\n {2}npx .* --key PUBLIC\.pem$/m,
  )
  expect(report()).toMatchObject({ profile: '1.0.0', gate: 'implied', verdict: 'conformant' })
  expect(report().observations.length).toBeGreaterThan(3)
})

it('its reports in all formats number the exchanges as conformance.json does', () => {
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

it('a run replaces the certificate of an earlier run, also if the store cannot be reached: exit 4', async () => {
  const env = { STORE_BASE_URL: 'http://127.0.0.1:1/v1', STORE_API_KEY: KEY }
  const ended = await run(['run', '--sign', 'vendor.pem'], { env, files: { ...files, [certificate]: 'old' } })
  expect(ended.code).toBe(4)
  const { code, stdout } = await run(['verify', certificate], ended)
  expect([code, stdout]).toEqual([3, expect.stringContaining('Unreachable: nothing could be judged.')])
})

// biome-ignore format: a table
it.each<[number, string, string | undefined, RegExp]>([
  [0, certificate, 'vendor.pub.pem', /^Conformant: [\s\S]*^signed by +[0-9a-f]{64}\n +the key in --key$[\s\S]*^store [\s\S]*^judged [\s\S]*^checked [\s\S]*^only stated [\s\S]*^not proven [\s\S]*^fresh seed [\s\S]*^by yourself /m],
  [3, ofBroken, 'vendor.pub.pem', /^Not conformant: [\s\S]*^store +Zoo at http[\s\S]*^failed +cancel-shipped-409 [\s\S]*Decided by\s+exchange [\d, ]*\d of\s+log\.json/m],
  [3, ofBroken, undefined, /^ +NOT CHECKED whose key this is$[\s\S]*^next +Get the public key /m],
  [1, 'changed.zip', 'vendor.pub.pem', /: REFUSED\. The certificate cannot be judged/],
  [1, ofBroken, 'other.pub.pem', /: REFUSED\. statement\.json is signed by the key/],
  [2, 'none.zip', undefined, /none\.zip cannot be read \(ENOENT\)/],
  [2, ofBroken, certificate, /certificate\.zip is not a public key in PEM/],
  [2, ofBroken, 'vendor.pem', /vendor\.pem is a private key\. Give the public one/],
])('verify exits %i, on a screen, for %s with the key %s', async (exit, path, key, message) => {
  const args = ['verify', path, ...(key ? ['--key', key] : [])]
  const { code, stdout, stderr } = await run(args, { folder, env: { COLUMNS: '80' } })
  expect([code, stdout + stderr]).toEqual([exit, expect.stringMatching(message)])
  const lines = stdout.split('\n')
  expect(lines.length).toBeLessThanOrEqual(24)
  expect(lines.filter(line => line.length > 80 && !/unzip|REFUSED/.test(line))).toEqual([])
})
