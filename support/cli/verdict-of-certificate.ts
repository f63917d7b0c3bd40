import { readCertificate } from '../certificate/archive.ts'
import { NotCheckable, Refused } from '../certificate/refused.ts'
import type { CertificateFiles } from '../certificate/statement.ts'
import { Unreadable } from '../http/read-input.ts'
import { printable } from '../report/printable.ts'
import { UsageError } from './usage.ts'

/**
 * Reads and checks a certificate. Prints why it is refused or cannot be checked; text of the certificate is escaped.
 * @param check returns the exit code if the certificate is not refused
 * @returns the exit code
 */
export async function withVerdict(
  path: string,
  check: (files: CertificateFiles) => Promise<number>,
): Promise<number> {
  try {
    return await check(readCertificate(path))
  } catch (error) {
    if (error instanceof Refused) {
      process.stdout.write(
        `${printable(path)}: REFUSED\n  ${printable(error.place)}: ${printable(error.message)}\n`,
      )
      return 1
    }
    if (error instanceof NotCheckable) {
      process.stdout.write(`${printable(path)}: not checked\n  ${printable(error.message)}\n`)
      return 3
    }
    if (error instanceof Unreadable) throw new UsageError(`${path} ${error.message}`)
    const { code } = error as NodeJS.ErrnoException
    if (code !== undefined) throw new UsageError(`${path} cannot be read (${code})`)
    throw error
  }
}
