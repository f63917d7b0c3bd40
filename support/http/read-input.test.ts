import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readInput } from './read-input.ts'

const folder = mkdtempSync(join(tmpdir(), 'store-conformance-input-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)
execFileSync('mkfifo', [at('fifo')])
writeFileSync(at('large'), 'x'.repeat(100_001))
writeFileSync(at('full'), 'x'.repeat(100_000))

it('reads a file up to its limit', () => {
  expect(readInput(at('full'), 100_000)).toEqual(Buffer.alloc(100_000, 'x'))
})

it.each([
  [at('missing'), 'cannot be read (ENOENT)', 'ENOENT'],
  [folder, 'cannot be read (EISDIR)', 'EISDIR'],
  [at('fifo'), 'is not a regular file', undefined],
  ['/dev/zero', 'is not a regular file', undefined],
  [at('large'), 'has more than 100 kB', undefined],
])('%s: says at once why not', (path, message, code) => {
  expect(() => readInput(path, 100_000)).toThrow(expect.objectContaining({ message, code }))
})
