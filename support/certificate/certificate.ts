import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { zipSync } from 'fflate'
import type { Log } from '../../suites/oracle/log.ts'
import { cellKey } from '../interface/description.ts'
import { randomIntegers } from '../interface/numbers.ts'
import { composeReport } from '../report/compose.ts'
import { type Report, type ReportFile, reportJson, reportSchema, SUITE_VERSION } from '../report/report.ts'
import { judgedLog, leftChanged } from '../run/judge-log.ts'
import { profileCalled, select } from '../settings/selection.ts'
import { canBeFirstUnknown } from '../target/fixtures.ts'
import * as archive from './archive.ts'
import { type CertificateFiles, LOG, ownJson, REPORT, Refused, STATEMENT, sha256 } from './archive.ts'
import { fingerprint, readSigned, signed, statementOf } from './statement.ts'

/** The signed log of a run, whatever its verdict is, as an archive. */
export function certificateOf(report: Report, log: Log, how: archive.How, key: KeyObject): Uint8Array {
  const files = { [REPORT]: Buffer.from(reportJson(report)), [LOG]: Buffer.from(archive.logFile(log, how)) }
  const statement = signed(Buffer.from(ownJson(statementOf(files, report, key))), key)
  // The same run gives the same bytes.
  return zipSync({ ...files, [STATEMENT]: statement }, { mtime: new Date(1980, 0, 1) })
}

export type Verified = ReturnType<typeof verified>

/**
 * Checks everything that can be checked without the store, and judges the log again. @param expected the public key that must have signed
 * @throws {Refused | NotCheckable} with the first place where the certificate is not what it says
 */
export function verifyCertificate(certificate: Uint8Array, expected?: KeyObject): Verified {
  try {
    return verified(archive.unzip(certificate), expected)
  } catch (error) {
    if (error instanceof Refused || error instanceof NotCheckable) throw error
    throw new Refused(`The certificate cannot be judged: ${(error as Error).message}`)
  }
}

/** This version of the suite cannot judge a certificate, which may be valid. */
export class NotCheckable extends Error {}

function verified(files: CertificateFiles, expected: KeyObject | undefined) {
  const { statement, payload, key } = readSigned(files[STATEMENT])
  const signer = fingerprint(key)
  if (expected && fingerprint(expected) !== signer)
    throw new Refused(`${STATEMENT} is signed by the key ${signer}, not by ${fingerprint(expected)}`)
  for (const [at, name] of ([REPORT, LOG] as const).entries())
    if (statement.subject[at]?.digest.sha256 !== sha256(files[name]))
      throw new Refused(`${name} was changed after it was signed: it has another SHA-256`)
  const given = archive.readJson(files[REPORT])
  const { version } = given.suite
  if (version !== SUITE_VERSION)
    throw new NotCheckable(`Version ${version} of the suite judged it. Verify it with that version`)
  archive.checkWriting(REPORT, files[REPORT], ownJson(given))
  const report = reportSchema.parse(given)
  if (!payload.equals(Buffer.from(ownJson(statementOf(files, report, key)))))
    throw new Refused(`${STATEMENT} does not say what ${REPORT} says`)
  return { report, log: judgedAgain(report, files[LOG]), signer, isExpected: expected !== undefined }
}

/** Address, name, times and effects of the run are only stated. @throws {Refused} if another report follows from the log */
function judgedAgain(report: ReportFile, bytes: Uint8Array): Log {
  const { profile, startedAt, ...stated } = report
  const { log, how } = archive.readLog(bytes)
  const { expectedFailures, ...selectors } = how
  const selection = select(profileCalled(profile), selectors)
  const again = composeReport({
    ...{ ...stated, startedAt, exchanges: [] },
    ...judgedLog(log, selection, startedAt.slice(0, 10), expectedFailures),
    unrestored: [...new Set([...(stated.unrestored ?? []), ...leftChanged(log)])],
  })
  const unknown = log.exchanges.find(({ ask }) => ask.named === 'unknown order')?.ask.id ?? '0'
  if (!canBeFirstUnknown(unknown, randomIntegers(report.seed)('unknown ids')))
    throw new Refused(`${REPORT}: seed is ${report.seed}, but the order id ${unknown} is not of that seed`)
  // In a file, members without a value are absent.
  const [said, judged] = [membersOf(report), membersOf(JSON.parse(reportJson(again)))]
  const places = [...judged.keys(), ...said.keys()]
  const place = places.find(each => !isDeepStrictEqual(said.get(each), judged.get(each)))
  if (place === undefined) return log
  const [shown, instead] = [said, judged].map(
    all => JSON.stringify(all.get(place))?.slice(0, 200) ?? 'absent',
  )
  throw new Refused(`${REPORT}: ${place} is ${shown}, but ${instead} when the log is judged again`)
}

/** What follows from the log, by its place in the report. */
function membersOf({ rules, latency: _times, ...rest }: ReportFile): ReadonlyMap<string, unknown> {
  const places = rules.flatMap(rule =>
    Object.entries(rule).map(([name, value]): [string, unknown] => [`${name} of ${cellKey(rule)}`, value]),
  )
  return new Map([...places, ...Object.entries({ ...rest, 'number of rules': rules.length })])
}
