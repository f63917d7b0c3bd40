import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { newFolder } from '../http/testing/folder.ts'
import { bench, type CommandResult } from './testing/bench.ts'

const { run, reference } = bench()
const KEY = 'Customer-Key-0815'
/** It has fewer rules to judge again. */
const STABLE = ['--profile', '1.0.0-stable', '--sign', 'vendor.pem']

const folder = newFolder()
const certificate = join(folder, 'reports/certificate.zip')
const publicKey = join(folder, 'vendor.pub.pem')
const ofBroken = join(folder, 'broken/certificate.zip')

const pair = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = '-----BEGIN PUBLIC KEY-----\n'
const files = {
  'vendor.pem': String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })),
  'vendor.pub.pem': String(pair.publicKey.export({ type: 'spki', format: 'pem' })),
  'other.pub.pem': String(other.publicKey.export({ type: 'spki', format: 'pem' })),
  'two.pem': pem + pem,
  'broken/certificate.zip': 'of an earlier run',
}

let conformant: CommandResult
let broken: CommandResult
beforeAll(async () => {
  conformant = await run(['run', '--target', 'reference', ...STABLE], { folder, files })
  const { env } = await reference({ apiKey: KEY, faults: ['shipped-cancelled'] })
  broken = await run(['run', ...STABLE, '--out', 'broken'], { folder, env })
})

describe('run --sign', () => {
  it('writes a certificate of a conformant store', () => {
    expect(conformant.code, conformant.stdout + conformant.stderr).toBe(0)
    expect(conformant.stdout).toMatch(
      /^Certificate: reports\/certificate\.zip, signed with the key [0-9a-f]{16}…\. To check it: npx .* --key PUBLIC\.pem$/m,
    )
  })

  it('writes a certificate of another store as well, without its key, and warns before it is published', () => {
    expect(broken.code, broken.stdout + broken.stderr).toBe(1)
    expect(broken.stdout).toContain('Certificate: broken/certificate.zip, signed')
    expect(broken.stderr).toContain('The certificate contains the lists of orders and pets in full.')
    expect(readFileSync(ofBroken, 'latin1')).not.toContain(KEY)
  })

  it('writes none of a store that cannot be reached, and removes the one of an earlier run: exit 4', async () => {
    const env = { STORE_BASE_URL: 'http://127.0.0.1:1/v1', STORE_API_KEY: KEY }
    const ended = await run(['run', ...STABLE], {
      env,
      files: { ...files, 'reports/certificate.zip': 'old' },
    })
    expect(ended.code).toBe(4)
    expect(ended.stdout).toContain('No certificate: the store was not reached.\n')
    expect(ended.has('reports/certificate.zip')).toBe(false)
  })

  it.each([
    [['--gate', 'required', '--sign', 'vendor.pem'], '--gate: a certificate needs the gate implied'],
    [['--sign', 'none.pem', '--seed', 'x'], '2 settings are wrong'],
    [['--sign', 'two.pem'], '--sign: two.pem contains more than one key'],
    [['--sign', 'vendor.pub.pem'], '--sign: vendor.pub.pem is not a private key in PEM'],
  ])('%j: exit 2, and nothing is sent', async (flags, message) => {
    const ended = await run(['run', '--target', 'reference', ...flags], { files })
    expect([ended.code, ended.stdout]).toEqual([2, ''])
    expect(ended.stderr).toContain(message)
  })

  it('a key of fewer than 8 characters could not be told from other text: exit 2', async () => {
    const env = { STORE_BASE_URL: 'http://127.0.0.1:1/v1', STORE_API_KEY: 'short' }
    const ended = await run(['run', '--sign', 'vendor.pem'], { env, files })
    expect([ended.code, ended.stdout]).toEqual([2, ''])
    expect(ended.stderr).toContain('STORE_API_KEY: has fewer than 8 characters')
  })
})

describe('verify', () => {
  const verify = (...args: readonly string[]) => run(['verify', ...args], { files })

  it('a certificate of a conformant store, with the key that signed: exit 0', async () => {
    const { code, stdout } = await verify(certificate, '--key', publicKey)
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/certificate\.zip: conformant\n/)
    for (const line of [
      'Conformant: ',
      'The signature, by the key ',
      ' rules were judged again from the recorded requests and responses, each with the same outcome.',
      'Only stated by the signer:',
      'What a signature cannot prove:',
    ])
      expect(stdout).toContain(line)
  })

  it('without a key: exit 3', async () => {
    const { code, stdout } = await verify(certificate)
    expect(code, stdout).toBe(3)
    expect(stdout).toContain('NOT the signature: give the public key that you trust with --key.')
  })

  it('a certificate of a store that is not conformant: exit 3, with the failure and its requests', async () => {
    const { code, stdout } = await verify(ofBroken, '--key', publicKey)
    expect(code, stdout).toBe(3)
    expect(stdout).toMatch(/certificate\.zip: nonconformant\n/)
    expect(stdout).toContain('\n  cancel-shipped-409 · required · ')
    expect(stdout).toMatch(/\$ curl .*DELETE.*\n {2}< 204\n/)
    expect(stdout).not.toContain(KEY)
  })

  it('a certificate that was changed, or is signed by another key: exit 1, with the place', async () => {
    const changed = join(folder, 'changed.zip')
    writeFileSync(changed, readFileSync(certificate).subarray(0, -1))
    for (const [path, key, place] of [
      [changed, publicKey, 'the archive: is not a ZIP archive'],
      [certificate, 'other.pub.pem', 'envelope.json: signatures: there is no valid signature of the key'],
    ] as const) {
      const { code, stdout } = await verify(path, '--key', key)
      expect(code, stdout).toBe(1)
      expect(stdout).toContain(`: REFUSED\n  ${place}`)
    }
  })

  it.each([
    [['none.zip'], 'none.zip cannot be read (ENOENT)'],
    [['/dev/zero'], '/dev/zero is not a regular file'],
    [[certificate, '--key', 'two.pem'], 'two.pem contains more than one key'],
    [[certificate, '--key', 'vendor.pem'], 'vendor.pem is a private key. Give the public one'],
  ])('%j: exit 2', async (args, message) => {
    const ended = await verify(...args)
    expect([ended.code, ended.stdout]).toEqual([2, ''])
    expect(ended.stderr).toContain(message)
  })
})
