import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { LOG, unzip } from '../certificate/archive.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { bench, type CommandResult } from './testing/bench.ts'

const { run, reference } = bench()
const KEY = 'Customer-Key-0815'

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
let _broken: CommandResult
beforeAll(async () => {
  conformant = await run(['run', '--target', 'reference', '--sign', 'vendor.pem'], { folder, files })
  const { env } = await reference({ apiKey: KEY, faults: ['shipped-cancelled'] })
  _broken = await run(['run', '--sign', 'vendor.pem', '--out', 'broken', '--store-name', 'Zoo'], {
    folder,
    env,
  })
})

describe('run --sign', () => {
  it('writes a certificate of a conformant store, and says what is in it', () => {
    expect(conformant.code, conformant.stdout + conformant.stderr).toBe(0)
    expect(conformant.stdout).toMatch(
      /^Certificate: reports\/certificate\.zip, signed with the key [0-9a-f]{64}\. It contains the lists .* in full\. To check it:\n {2}npx .* --key PUBLIC\.pem$/m,
    )
  })

  it('replaces the one of an earlier run, also if the store cannot be reached: exit 4', async () => {
    const env = { STORE_BASE_URL: 'http://127.0.0.1:1/v1', STORE_API_KEY: KEY }
    const earlier = { ...files, 'reports/certificate.zip': 'old' }
    const ended = await run(['run', '--sign', 'vendor.pem'], { env, files: earlier })
    expect(ended.code).toBe(4)
    const { code, stdout } = await run(['verify', 'reports/certificate.zip'], ended)
    expect([code, stdout]).toEqual([3, expect.stringContaining('Unreachable: nothing could be judged.')])
  })

  it.each([
    [['--sign', 'none.pem', '--seed', 'x'], '2 settings are wrong'],
    [['--sign', 'two.pem'], '--sign: two.pem contains more than one key'],
    [['--sign', 'vendor.pub.pem'], '--sign: vendor.pub.pem is not a private key in PEM'],
  ])('%j: exit 2, and nothing is sent', async (flags, message) => {
    const ended = await run(['run', '--target', 'reference', ...flags], { files })
    expect([ended.code, ended.stdout]).toEqual([2, ''])
    expect(ended.stderr).toContain(message)
  })
})

describe('verify', () => {
  const verify = (...args: readonly string[]) => run(['verify', ...args], { files, env: { COLUMNS: '80' } })

  it('a certificate of a conformant store, with the key that signed: exit 0, on a screen', async () => {
    const { code, stdout } = await verify(certificate, '--key', publicKey)
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/^Conformant: /)
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

  it('without a key: exit 3, and what to do', async () => {
    const { code, stdout } = await verify(certificate)
    expect(code, stdout).toBe(3)
    expect(stdout).toMatch(/^ +NOT CHECKED whose key this is$/m)
    expect(stdout).toMatch(/^next +Get the public key /m)
  })

  it('of a store that is not conformant: exit 3, with the exchange that decides a failure', async () => {
    const { code, stdout } = await verify(ofBroken, '--key', publicKey)
    expect(code, stdout).toBe(3)
    expect(stdout).toMatch(/^Not conformant: /)
    expect(stdout).toMatch(/^store +Zoo at http/m)
    const [, at = '', path = ''] =
      /^failed +cancel-shipped-409 [\s\S]*Decided by\s+exchange (\d+)\s+\(DELETE\s+(\S+):\s+204\)/m.exec(
        stdout,
      ) ?? []
    const log = Buffer.from(unzip(readFileSync(ofBroken))[LOG]).toString()
    const line = log.split('\n').find(each => each.startsWith(`{"at":${at},`)) ?? ''
    expect(line).toContain(`${path}"`)
    expect(log).not.toContain(KEY)
  })

  it('a certificate that was changed, or is signed by another key: exit 1, with the place', async () => {
    const changed = join(folder, 'changed.zip')
    writeFileSync(changed, readFileSync(certificate).subarray(0, -1))
    for (const [path, key, place] of [
      [changed, publicKey, 'The archive is not a ZIP archive'],
      [certificate, 'other.pub.pem', 'statement.json is signed by the key'],
    ] as const) {
      const { code, stdout } = await verify(path, '--key', key)
      expect(code, stdout).toBe(1)
      expect(stdout).toContain(`: REFUSED. ${place}`)
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
