import { readFileSync, statSync } from 'node:fs'

/** Why a file cannot be used, as the rest of a sentence about it. `code` is that of the file system. */
export class Unreadable extends Error {
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

export const KILOBYTE = 1_000
export const MEGABYTE = 1_000_000

/** The code of an error of the system. */
export const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException | undefined)?.code ?? String(error)

/**
 * Reads a file that the user names: a regular file of at most `limit` bytes.
 * @throws {Unreadable} at once for a FIFO, a device or a folder
 */
export function readInput(path: string, limit: number): Buffer {
  try {
    const about = statSync(path)
    const most = limit < MEGABYTE ? `${limit / KILOBYTE} kB` : `${limit / MEGABYTE} MB`
    // Reading a FIFO would wait for a program that writes to it. A folder has its own error.
    if (!about.isFile() && !about.isDirectory()) throw new Unreadable('is not a regular file')
    if (about.isFile() && about.size > limit) throw new Unreadable(`has more than ${most}`)
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(`cannot be read (${codeOf(error)})`, codeOf(error))
  }
}
