import type { KeyObject } from 'node:crypto'
import { reportJson } from '../report/report.ts'
import { limitOf } from './archive.ts'
import { signed } from './dsse.ts'
import { notReproducible, type Recorded, type RecordedRun } from './record.ts'
import { orRefused, Refused } from './refused.ts'
import { type CertificateFiles, ENVELOPE, predicateOf, RECORDING, REPORT, statementOf } from './statement.ts'
import { jsonFile } from './strict-json.ts'
import { verifyCertificate } from './verify.ts'

/** The signed certificate of a recorded run, whatever its verdict is. */
export function certificateOf({ recording, replayed }: RecordedRun, key: KeyObject): CertificateFiles {
  const { bodies, ...file } = recording
  const files: CertificateFiles = new Map([
    [REPORT, Buffer.from(reportJson(replayed))],
    [RECORDING, Buffer.from(`${JSON.stringify(file)}\n`)],
    ...[...bodies].sort().map(([digest, bytes]) => [`bodies/${digest}`, bytes] as const),
  ])
  const statement = statementOf(predicateOf(replayed, recording), files)
  return new Map([[ENVELOPE, signed(jsonFile(statement), key)], ...files])
}

/** The certificate, which has been verified, or why nobody could verify it. */
export async function certify(
  recorded: Recorded,
  key: KeyObject,
): Promise<{ readonly files: CertificateFiles } | { readonly problem: string }> {
  if ('problem' in recorded) return recorded
  const files = certificateOf(recorded, key)
  const beyond = limitOf([...files].map(([name, { length }]) => ({ name, size: length })))
  if (beyond !== undefined) return { problem: `nobody could verify it: it ${beyond}` }
  const verified = await orRefused<object>(verifyCertificate(files))
  return verified instanceof Refused ? { problem: notReproducible(verified) } : { files }
}
