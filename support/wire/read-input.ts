import { readFileSync, statSync } from 'node:fs'

/** Why a file cannot be used, as the rest of a sentence about it. `code` is that of the file system. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

export const KILOBYTE = 1_000
export const MEGABYTE = 1_000_000

/**
 * Reads a file that the user names: a regular file of at most `limit` bytes.
 * @throws {Unreadable} at once for a FIFO, a device or a folder
 */
export function readInput(path: string, limit: number): Buffer {
  try {
    const about = statSync(path)
    // Reading a FIFO would wait for a program that writes to it. A folder has its own error.
    if (!about.isFile() && !about.isDirectory()) throw new Unreadable('is not a regular file')
    // A file such as those in /proc has no size, and is read.
    const bytes = about.size > limit && about.isFile() ? undefined : readFileSync(path)
    if (bytes && bytes.length <= limit) return bytes
    throw new Unreadable(
      `has more than ${limit < MEGABYTE ? `${limit / KILOBYTE} kB` : `${limit / MEGABYTE} MB`}`,
    )
  } catch (error) {
    if (error instanceof Unreadable) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new Unreadable(`cannot be read (${code ?? error})`, code)
  }
}
