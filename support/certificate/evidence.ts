import { z } from 'zod'
import type { Report } from '../report/report.ts'
import { type CertificateFiles, recordedFiles } from './certificate.ts'
import { checkDigests, fileCalled, judgeAgain, readRecording, readReport } from './judge-again.ts'
import type { RecordedRun } from './record-run.ts'
import type { Recording } from './recording.ts'
import { expectMembers, Refused } from './refused.ts'
import {
  challengeText,
  ENVELOPE,
  profileOfReport,
  profileRef,
  RECORDING,
  subject,
  subjectOf,
  suiteRef,
} from './statement.ts'
import { strictJson } from './strict-json.ts'
import { suiteDigest } from './suite-digest.ts'

/** In the place of the envelope of a certificate, so that no checker takes evidence for a certificate. */
export const EVIDENCE = 'evidence.json'

const NOTICE =
  'Evidence of a run, and no certificate: nobody states that the store is conformant, and nothing is signed.'

const evidenceFile = z.strictObject({
  format: z.literal('store-conformance-evidence/1'),
  notice: z.literal(NOTICE),
  subject,
  profile: profileRef,
  suite: suiteRef,
  challenge: z.string().regex(challengeText).optional(),
})

type EvidenceFile = z.infer<typeof evidenceFile>

/** Evidence that is consistent, and whose judgements were made again. */
export interface Evidence {
  readonly file: EvidenceFile
  readonly recording: Recording
  readonly report: Report
}

/** Whether the files claim to be evidence, and not a certificate. */
export const isEvidence = (files: CertificateFiles): boolean => files.has(EVIDENCE) && !files.has(ENVELOPE)

/** The recorded run, whatever its outcomes are. */
export function evidenceOf(run: RecordedRun, challenge: string | undefined): CertificateFiles {
  const { replayed } = run
  const { files, bodies } = recordedFiles(run)
  const file: EvidenceFile = {
    format: 'store-conformance-evidence/1',
    notice: NOTICE,
    subject: subjectOf(files),
    profile: profileOfReport(replayed),
    suite: { ...replayed.suite, digest: suiteDigest() },
    ...(challenge === undefined ? {} : { challenge }),
  }
  return new Map<string, Uint8Array>([
    [EVIDENCE, Buffer.from(`${JSON.stringify(file, undefined, 2)}\n`)],
    ...files,
    ...bodies,
  ])
}

/**
 * Checks every digest, and judges every rule again.
 * @param challenge the one that the customer sent
 * @throws {Refused} with the place where the evidence is not what it says
 * @throws {NotCheckable} if another version of the suite judged it
 */
export async function verifyEvidence(
  files: CertificateFiles,
  challenge?: string | undefined,
): Promise<Evidence> {
  const file = strictJson(fileCalled(files, EVIDENCE), EVIDENCE, evidenceFile)
  checkDigests(files, file.subject, EVIDENCE)
  const recording = readRecording(files, EVIDENCE)
  if (file.challenge !== undefined && recording.settings.seed !== 0)
    throw new Refused(`${RECORDING}: settings.seed`, 'is not 0, although the values follow from a challenge')
  if (challenge !== undefined && file.challenge !== challenge)
    throw new Refused(`${EVIDENCE}: challenge`, 'is not the challenge that was given')
  const given = readReport(files, recording)
  expectMembers(`${EVIDENCE}: `, file, {
    profile: profileOfReport(given),
    suite: { ...given.suite, digest: file.suite.digest },
  })
  return { file, recording, report: await judgeAgain(files, recording, file) }
}
