import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
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

/** The signed log of a run, whatever its verdict is. */
export function certificateOf(report: Report, log: Log, how: archive.How, key: KeyObject): CertificateFiles {
  const files = { [REPORT]: Buffer.from(reportJson(report)), [LOG]: Buffer.from(archive.logFile(log, how)) }
  return { ...files, [STATEMENT]: signed(Buffer.from(ownJson(statementOf(files, report, key))), key) }
}

export type Verified = ReturnType<typeof verifyCertificate>

/**
 * Checks everything that can be checked without the store, and judges the log again.
 * @param expected the public key that must have signed
 * @throws {Refused} with the first place where the certificate is not what it says
 * @throws {NotCheckable} if another version of the suite judged it
 */
export function verifyCertificate(files: CertificateFiles, expected?: KeyObject) {
  const { statement, payload, key } = readSigned(files[STATEMENT])
  const signer = fingerprint(key)
  if (expected && fingerprint(expected) !== signer)
    throw new Refused(`${STATEMENT} is signed by the key ${signer}, not by ${fingerprint(expected)}`)
  for (const [at, name] of ([REPORT, LOG] as const).entries())
    if (statement.subject?.[at]?.digest?.sha256 !== sha256(files[name]))
      throw new Refused(`${name} was changed after it was signed: it has another SHA-256`)
  const { version } = statement.predicate.suite ?? {}
  if (version !== SUITE_VERSION)
    throw new archive.NotCheckable(
      `Version ${version} of the suite judged it, and this is ${SUITE_VERSION}. Verify it with that version`,
    )
  const { data: report, error } = reportSchema.safeParse(archive.readOwnJson(files[REPORT], REPORT))
  if (!report) throw new Refused(`${REPORT}: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`)
  if (!payload.equals(Buffer.from(ownJson(statementOf(files, report, key)))))
    throw new Refused(`${STATEMENT} does not say what ${REPORT} says`)
  return { report, log: judgedAgain(report, files[LOG]), signer, isExpected: expected !== undefined }
}

/** Address, name, times and effects of the run are only stated. @throws {Refused} if another report follows from the log */
function judgedAgain(report: ReportFile, bytes: Uint8Array): Log {
  const { profile, startedAt, ...stated } = report
  try {
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
    const [said, judged] = [report, JSON.parse(reportJson(again))].map(membersOf)
    for (const place of new Set([...(judged?.keys() ?? []), ...(said?.keys() ?? [])])) {
      const [one, other] = [said?.get(place), judged?.get(place)]
      if (isDeepStrictEqual(one, other)) continue
      const [shown, instead] = [one, other].map(each => (JSON.stringify(each) ?? 'absent').slice(0, 200))
      throw new Refused(`${REPORT}: ${place} is ${shown}, but ${instead} when the log is judged again`)
    }
    return log
  } catch (error) {
    if (error instanceof Refused) throw error
    throw new Refused(`${LOG} cannot be judged: ${(error as Error).message}`)
  }
}

/** What follows from the log, by its place in the report. */
function membersOf({ rules, latency: _times, ...rest }: ReportFile): ReadonlyMap<string, unknown> {
  const ofRules = rules.flatMap(rule =>
    Object.entries(rule).map(([name, value]) => [`${name} of ${cellKey(rule)}`, value] as const),
  )
  return new Map<string, unknown>([
    ...ofRules,
    ...Object.entries({ ...rest, 'number of rules': rules.length }),
  ])
}
