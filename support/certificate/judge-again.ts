import { type Report, reportJson } from '../report/report.ts'
import type { Recording } from './recording.ts'
import { brief, fileCalled, Refused } from './refused.ts'
import { replayRun } from './replay.ts'
import { type CertificateFiles, RECORDING, REPORT } from './statement.ts'

/**
 * Replays the recording, and judges every rule. The report has to be the recomputed one, to the last byte.
 * @throws {Refused} with the first place at which the recording is not that of a run
 */
export async function judgeAgain(files: CertificateFiles, recording: Recording): Promise<Report> {
  const report = await replayRun(recording).catch(error => {
    if (error instanceof Refused) throw error
    throw new Refused(RECORDING, `cannot be replayed: ${error instanceof Error ? error.message : error}`)
  })
  const given = Buffer.from(fileCalled(files, REPORT)).toString('utf8').split('\n')
  const lines = reportJson(report).split('\n')
  const at = Array.from({ length: Math.max(given.length, lines.length) }).findIndex(
    (_each, nth) => given[nth] !== lines[nth],
  )
  if (at < 0) return report
  throw new Refused(
    `${REPORT}: line ${at + 1}`,
    `is ${brief(given[at]?.trim())}, and ${brief(lines[at]?.trim())} when it is recomputed`,
  )
}
