import { unzipSync, zipSync } from 'fflate'
import { MEGABYTE, readInput } from '../http/read-input.ts'
import { Refused } from './refused.ts'
import type { CertificateFiles } from './statement.ts'

/** Megabytes of an archive, and of everything in it. */
const MAX_CONTENT = 64
/** Megabytes of a JSON file: it takes many times as much when it is read. */
const MAX_JSON = 8
const MAX_FILES = 20_000

/** Within the folder of a certificate, and with one meaning on every system. */
const SAFE_NAME = /^(?:[a-z]{1,20}\.json|bodies\/[0-9a-f]{64})$/

interface Entry {
  readonly name: string
  readonly size: number
}

/** Which limit of a certificate these files exceed, if any. */
export function limitOf(files: readonly Entry[]): string | undefined {
  const content = files.reduce((sum, { size }) => sum + size, 0)
  const large = files.find(({ name, size }) => name.endsWith('.json') && size > MAX_JSON * MEGABYTE)
  if (files.length > MAX_FILES) return `has more than ${MAX_FILES} files`
  if (content > MAX_CONTENT * MEGABYTE) return `has more than ${MAX_CONTENT} MB of content`
  return large && `has more than ${MAX_JSON} MB in ${large.name}`
}

/** A ZIP archive of these files. The same content gives the same archive. */
export const zip = (files: CertificateFiles): Uint8Array =>
  zipSync(Object.fromEntries(files), { mtime: new Date(1980, 0, 1) })

/** @throws {Unreadable} if there is no such file, or it is too large  @throws {Refused} for any other content */
export const readCertificate = (path: string): CertificateFiles =>
  unzip(readInput(path, MAX_CONTENT * MEGABYTE))

/**
 * Names and sizes are checked before anything is unpacked. No name may be twice, because another program could show another of the files.
 * @throws {Refused}
 */
export function unzip(archive: Uint8Array): CertificateFiles {
  const entries = new Map<string, Entry>()
  const admit = ({ name, size, originalSize }: Entry & { readonly originalSize: number }): false => {
    if (!SAFE_NAME.test(name))
      throw new Refused(name.slice(0, 100), 'is not the name of a file of a certificate')
    if (entries.has(name)) throw new Refused(name, 'is twice in the archive')
    entries.set(name, { name, size: Math.max(size, originalSize) })
    return false
  }
  try {
    unzipSync(archive, { filter: admit })
    const beyond = limitOf([...entries.values()])
    if (beyond !== undefined) throw new Refused('the archive', beyond)
    return new Map(Object.entries(unzipSync(archive)))
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused('the archive', `is not a ZIP archive (${(error as Error).message})`)
  }
}
