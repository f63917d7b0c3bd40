import type { KeyObject } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { zip } from '../certificate/archive.ts'
import { certify } from '../certificate/certify.ts'
import { keyId } from '../certificate/dsse.ts'
import type { Recorded } from '../certificate/record.ts'
import { keyText } from '../certificate/text.ts'
import { shellWord } from '../http/curl.ts'
import { printable } from '../report/printable.ts'
import { writeWhole } from '../report/write.ts'
import type { Configuration } from '../settings/configuration.ts'
import { ConfigurationError, type Mistake } from '../settings/mistake.ts'

const CERTIFICATE = 'certificate.zip'

/**
 * The settings of a run that is signed.
 * @throws {ConfigurationError} for settings with which a certificate would prove too little, or contain the key
 */
export function withCertificate(configuration: Configuration): Configuration {
  const { gate, apiKey = '', target, notes } = configuration
  const mistakes: Mistake[] = []
  if (gate === 'required')
    mistakes.push({ setting: '--gate', problem: 'a certificate needs the gate implied or advisory' })
  if (target !== 'reference' && apiKey.length < 8)
    mistakes.push({
      setting: 'STORE_API_KEY',
      problem: 'has fewer than 8 characters, so it cannot be told from other text in a certificate',
    })
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)
  const note =
    'The certificate contains the lists of orders and pets in full. Do not publish those of customers.'
  return { ...configuration, notes: target === 'reference' ? notes : [...notes, note] }
}

/** That of an earlier run could be taken for the one of this run. */
export const removeCertificate = (reportsDir: string): void =>
  rmSync(join(reportsDir, CERTIFICATE), { force: true })

/** Writes the certificate of a run, and prints where it is, or why there is none. @returns whether it was written */
export async function writeCertificate(
  recorded: Recorded,
  key: KeyObject,
  reportsDir: string,
): Promise<boolean> {
  const certificate = await certify(recorded, key)
  if ('problem' in certificate) {
    process.stdout.write(`No certificate: ${printable(certificate.problem)}.\n`)
    return false
  }
  const path = writeWhole(reportsDir, CERTIFICATE, zip(certificate.files))
  const command = `npx --no-install store-conformance verify ${shellWord(path)} --key PUBLIC.pem`
  process.stdout.write(
    `Certificate: ${path}, signed with the key ${keyText(keyId(key))}. To check it: ${command}\n`,
  )
  return true
}
