import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

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
  let file: number | undefined
  try {
    // Without O_NONBLOCK, opening a FIFO waits for a program that writes to it. Windows has no such flag.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const about = fstatSync(file)
    if (!about.isFile() && !about.isDirectory()) throw new Unreadable('is not a regular file')
    const bytes = about.isFile() && about.size > limit ? undefined : readFileSync(file)
    // A file such as those in /proc has no size.
    if (!bytes || bytes.length > limit) throw new Unreadable(`has more than ${sizeText(limit)}`)
    return bytes
  } catch (error) {
    if (error instanceof Unreadable) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new Unreadable(`cannot be read (${code ?? error})`, code)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

const sizeText = (bytes: number): string =>
  bytes < MEGABYTE ? `${bytes / KILOBYTE} kB` : `${bytes / MEGABYTE} MB`
