import { execFile } from 'node:child_process'
import type { KeyObject } from 'node:crypto'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../http/testing/folder.ts'
import { readCertificate, zip } from './archive.ts'
import { keyId } from './dsse.ts'
import { NotCheckable, Refused } from './refused.ts'
import { alterContent, type Parts } from './testing/alter.ts'
import { hostileVectors } from './testing/hostile.ts'
import { soundVectors, type Vector } from './testing/sound.ts'
import { verifyCertificate } from './verify.ts'

const sound = await soundVectors()
const called = (name: string) => sound.find(each => each.name === name) ?? expect.fail(name)
const hostile = hostileVectors(
  called('unsigned, of a challenge'),
  called('unsigned, of arranged orders'),
  called('signed with Ed25519, of a challenge'),
  called('unsigned, of two waivers, one of them a glob that expires tomorrow'),
)

const folder = newFolder()

const written = (name: string, bytes: Uint8Array | string): string => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}
const keyFile = (key: KeyObject): string =>
  written(`${keyId(key)}.pem`, key.export({ type: 'spki', format: 'pem' }).toString())
const pathOf = (name: string) => `${name.replace(/[^a-z0-9]/gi, '-')}.zip`

/** The result of the second checker for each certificate: null if it is valid, else the place and the problem. */
async function secondOpinions(
  vectors: readonly (Pick<Vector, 'keys' | 'challenge' | 'now'> & { readonly path: string })[],
): Promise<readonly (string | null)[]> {
  const lines = vectors.map(({ path, keys, challenge, now }) =>
    JSON.stringify({ path, keys: keys.map(keyFile), challenge, now: new Date(now).toISOString() }),
  )
  const list = written('list', `${lines.join('\n')}\n`)
  const checker = new URL('testing/check.py', import.meta.url).pathname
  const { stdout } = await promisify(execFile)('python3', [checker, list])
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

describe('a sound certificate', () => {
  it.each(sound)('$name', async ({ files, keys, challenge, now }) => {
    const { fresh, signers } = await verifyCertificate(files, { keys, challenge, now })
    expect(signers).toHaveLength(keys.length)
    expect(fresh).toBe(challenge !== undefined)
  })

  it('is sound for a second checker, which was written from the description of the format', async () => {
    const vectors = sound.map(each => ({ ...each, path: written(pathOf(each.name), zip(each.files)) }))
    expect(sound.length).toBeGreaterThanOrEqual(8)
    expect(await secondOpinions(vectors)).toEqual(vectors.map(() => null))
  })
})

describe('a certificate of another version of the suite', () => {
  const base = called('unsigned, of a challenge')

  it.each<[string, (parts: Parts) => void]>([
    ['as it is', () => undefined],
    ['with a member that it does not know', ({ recording }) => (recording.settings.limit = 5)],
  ])('is not checked %s, with a challenge as well, and names the version to use', async (_name, alter) => {
    const files = alterContent(base.files, parts => {
      parts.statement.predicate.suite.digest = '0'.repeat(64)
      alter(parts)
    })
    const error = await verifyCertificate(files, { ...base, keys: [] }).catch(each => each)
    expect(error).toBeInstanceOf(NotCheckable)
    expect(error.message).toMatch(
      /judged by another version of the suite, not checked here.*npx store-conformance@[0-9.]+ verify/,
    )
  })
})

describe('a hostile certificate is refused', () => {
  it.each(hostile)('$name', async ({ name, bytes, keys, challenge, now, place }) => {
    const path = written(pathOf(name), bytes)
    const check = async () => verifyCertificate(readCertificate(path), { keys, challenge, now })
    const error = await check().catch(each => each)
    expect(error).toBeInstanceOf(Refused)
    expect(error.place).toMatch(place)
  })

  it.each([
    ['/dev/zero', 'is not a regular file'],
    [written('long.zip', ''), 'has more than 64 MB'],
  ])('%s, before any of it is read', (path, problem) => {
    if (path.endsWith('long.zip')) truncateSync(path, 65 * 1024 * 1024)
    expect(() => readCertificate(path)).toThrow(problem)
    if (path.endsWith('long.zip')) expect(() => readCertificate(path)).toThrow(Refused)
  })

  it('by the second checker as well, unless only judging again shows it', async () => {
    const vectors = hostile.map(each => ({ ...each, path: written(pathOf(each.name), each.bytes) }))
    const opinions = await secondOpinions(vectors)
    const wrong = hostile.filter(({ judging }, at) => (opinions[at] === null) !== (judging ?? false))
    expect(hostile.length).toBeGreaterThanOrEqual(250)
    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})
