import { unzipSync, zipSync } from 'fflate'
import { MEGABYTE } from '../wire/read-input.ts'
import { Refused } from './refused.ts'

export const REPORT = 'conformance.json'
export const LOG = 'log.json'
export const STATEMENT = 'statement.json'
const NAMES = [REPORT, LOG, STATEMENT] as const

/** A certificate has these files, and no others. */
export type CertificateFiles = Readonly<Record<(typeof NAMES)[number], Uint8Array>>

/** Megabytes of everything in it, unpacked: with more, a program could run out of memory. */
export const MAX_CONTENT = 200

/** The same files give the same archive. */
export const zip = (files: CertificateFiles): Uint8Array =>
  zipSync({ ...files }, { mtime: new Date(1980, 0, 1) })

/**
 * Names and sizes are checked before a file is unpacked. No name may be twice, because another program could show the other file.
 * @throws {Refused}
 */
export function unzip(archive: Uint8Array): CertificateFiles {
  const met = new Set<string>()
  let total = 0
  try {
    const files = unzipSync(archive, {
      filter({ name, size, originalSize }) {
        if (!NAMES.some(each => each === name))
          throw new Refused(`${name.slice(0, 100)} is not the name of a file of a certificate`)
        if (met.has(name)) throw new Refused(`${name} is twice in the archive`)
        met.add(name)
        total += Math.max(size, originalSize)
        if (total > MAX_CONTENT * MEGABYTE)
          throw new Refused(`${name} makes the content larger than ${MAX_CONTENT} MB`)
        return true
      },
    })
    for (const name of NAMES) if (!met.has(name)) throw new Refused(`${name} is missing`)
    return files as CertificateFiles
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused(`The archive is not a ZIP archive (${(error as Error).message})`)
  }
}
