import type { KeyObject } from 'node:crypto'
import { unzip, zip } from '../certificate/archive.ts'
import { certificateOf, verifyCertificate } from '../certificate/certificate.ts'
import { Refused } from '../certificate/refused.ts'
import { fingerprint } from '../certificate/statement.ts'
import { printable } from '../report/printable.ts'
import type { Report } from '../report/report.ts'
import { writeWhole } from '../report/write.ts'
import type { OpenRun } from '../run/run.ts'
import { shellWord } from '../wire/curl.ts'

export const CERTIFICATE = 'certificate.zip'

/** Writes the certificate of a run, and prints where it is, or why there is none. @returns whether it was written */
export function writeCertificate(report: Report, run: OpenRun, key: KeyObject, folder: string): boolean {
  try {
    const archive = zip(certificateOf(report, run.log, run.configuration, key))
    // Nobody else could verify what this version does not.
    verifyCertificate(unzip(archive), key)
    const path = writeWhole(folder, CERTIFICATE, archive)
    process.stdout.write(
      `Certificate: ${path}, signed with the key ${fingerprint(key)}. It contains the lists of orders and pets in full. To check it:\n  npx --no-install store-conformance verify ${shellWord(path)} --key PUBLIC.pem\n`,
    )
    return true
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    process.stdout.write(`No certificate, because nobody could verify it: ${printable(error.message)}.\n`)
    return false
  }
}
