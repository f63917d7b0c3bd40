import { lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { MEGABYTE as MB, readInput } from '../http/read-input.ts'
import { writeWhole } from '../report/write.ts'
import type { CertificateFiles } from './certificate.ts'
import { Refused } from './refused.ts'
import { RECORDING } from './statement.ts'
import { type Entry, entriesOf, printableName, zip } from './zip.ts'

/** Megabytes of everything in a certificate, and of an archive. */
const MAX_CONTENT = 64
/** Megabytes of a JSON file: it takes many times as much when it is read. */
const MAX_JSON = 8
const MAX_FILES = 20_000

/** Within the folder of a certificate, and with one meaning on every system. */
const SAFE_NAME = /^(?:[a-z]{1,20}\.json|bodies\/[0-9a-f]{64})$/

/** Which limit of a certificate these files exceed, if any. */
export function limitOf(files: readonly Pick<Entry, 'name' | 'size'>[]): string | undefined {
  const content = files.reduce((sum, { size }) => sum + size, 0)
  const large = files.find(({ name, size }) => name.endsWith('.json') && size > MAX_JSON * MB)
  if (files.length > MAX_FILES) return `has more than ${MAX_FILES} files`
  if (content > MAX_CONTENT * MB) return `has more than ${MAX_CONTENT} MB of content`
  return large && `has more than ${MAX_JSON} MB in ${large.name}`
}

/**
 * Reads an archive, or a folder with the same files. Sizes are checked before anything is read, and a body is read only if the
 * recording names it.
 * @throws {Refused} for any other content
 * @throws the error of the file system if there is no such file
 */
export function readCertificate(path: string): Map<string, Buffer> {
  const [entries, what] = statSync(path).isDirectory()
    ? [inFolder(path), 'the folder']
    : [entriesOf(readInput(path, MAX_CONTENT * MB)), 'the archive']
  for (const { name } of entries)
    if (!SAFE_NAME.test(name))
      throw new Refused(printableName(name), 'is not the name of a file of a certificate')
  const beyond = limitOf(entries)
  if (beyond !== undefined) throw new Refused(what, beyond)
  const isBody = ({ name }: Entry) => name.startsWith('bodies/')
  const files = new Map(entries.filter(each => !isBody(each)).map(each => [each.name, each.read()] as const))
  const recording = files.get(RECORDING)
  const named = new Set(recording?.toString('latin1').match(/[0-9a-f]{64}/g))
  for (const entry of entries.filter(isBody)) {
    if (recording && !named.has(basename(entry.name))) throw new Refused(entry.name, 'belongs to no exchange')
    files.set(entry.name, entry.read())
  }
  return files
}

function inFolder(folder: string): Entry[] {
  const names = readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() && entry.name === 'bodies'
      ? readdirSync(join(folder, 'bodies')).map(below => `bodies/${below}`)
      : [entry.name],
  )
  return names.map(name => {
    const path = join(folder, name)
    const about = lstatSync(path)
    if (!about.isFile()) throw new Refused(printableName(name), 'is not a regular file')
    return { name, size: about.size, read: () => readInput(path, MAX_CONTENT * MB) }
  })
}

/** Removes what an earlier run left at this path, and writes one archive, or a folder. */
export function writeCertificate(
  files: CertificateFiles,
  path: string,
  as: 'archive' | 'folder' | 'removed',
): void {
  rmSync(path, { recursive: true, force: true })
  if (as === 'removed') return
  mkdirSync(dirname(path), { recursive: true })
  if (as === 'archive') {
    writeWhole(dirname(path), basename(path), zip(files))
    return
  }
  // Fails if there is a link in its place.
  mkdirSync(path)
  mkdirSync(join(path, 'bodies'))
  for (const [name, bytes] of files) writeWhole(join(path, dirname(name)), basename(name), bytes)
}

export const isFolder = (path: string): boolean => lstatSync(path).isDirectory()
