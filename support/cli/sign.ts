import type { KeyObject } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { unzip, zip } from '../certificate/archive.ts'
import { certificateOf, verifyCertificate } from '../certificate/certificate.ts'
import { Refused } from '../certificate/refused.ts'
import { fingerprint } from '../certificate/statement.ts'
import { printable } from '../report/printable.ts'
import type { Report } from '../report/report.ts'
import { writeWhole } from '../report/write.ts'
import type { OpenRun } from '../run/run.ts'
import { shellWord } from '../wire/curl.ts'

const CERTIFICATE = 'certificate.zip'

/** That of an earlier run could be taken for the one of this run. */
export const removeCertificate = (folder: string): void => rmSync(join(folder, CERTIFICATE), { force: true })

/** Writes the certificate of a run, and prints where it is, or why there is none. @returns whether it was written */
export function writeCertificate(
  report: Report,
  { log, configuration }: OpenRun,
  key: KeyObject,
  folder: string,
): boolean {
  let archive: Uint8Array
  try {
    archive = zip(certificateOf(report, log, configuration, key))
    // Nobody else could verify what this version does not.
    verifyCertificate(unzip(archive), key)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    process.stdout.write(`No certificate, because nobody could verify it: ${printable(error.message)}.\n`)
    return false
  }
  const path = writeWhole(folder, CERTIFICATE, archive)
  process.stdout.write(
    `Certificate: ${path}, signed with the key ${fingerprint(key)}. It contains the lists of orders and pets in full. To check it:\n  npx --no-install store-conformance verify ${shellWord(path)} --key PUBLIC.pem\n`,
  )
  return true
}
