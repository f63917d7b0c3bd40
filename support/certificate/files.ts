import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readInput } from '../http/read-input.ts'
import { writeWhole } from '../report/write.ts'
import type { CertificateFiles } from './certificate.ts'
import { Refused } from './refused.ts'
import { isSafeName, MAX_ARCHIVE, MAX_CONTENT, MAX_ENTRIES, printableName, unzip, zip } from './zip.ts'

/**
 * Reads an archive, or a folder with the same files.
 * @throws {Refused} for any other content
 * @throws the error of the file system if there is no such file
 */
export function readCertificate(path: string): Map<string, Buffer> {
  return lstatSync(path).isDirectory() ? readFolder(path) : unzip(readInput(path, MAX_ARCHIVE))
}

function readFolder(folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  let content = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const inside = entry.isDirectory() && entry.name === 'bodies' ? readdirSync(join(folder, 'bodies')) : ['']
    if (files.size + inside.length > MAX_ENTRIES)
      throw new Refused('the folder', `has more than ${MAX_ENTRIES} files`)
    for (const below of inside) {
      const name = below === '' ? entry.name : `${entry.name}/${below}`
      const path = join(folder, name)
      const about = lstatSync(path)
      if (!isSafeName(name))
        throw new Refused(printableName(name), 'is not the name of a file of a certificate')
      if (!about.isFile()) throw new Refused(printableName(name), 'is not a regular file')
      content += about.size
      if (content > MAX_CONTENT) throw new Refused('the folder', `has more than ${MAX_CONTENT} bytes`)
      files.set(name, readInput(path, MAX_CONTENT))
    }
  }
  return files
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
