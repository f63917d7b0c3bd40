import type { KeyObject } from 'node:crypto'
import { referenceStore, serve } from '../reference/index.ts'
import type { Report } from '../report/report.ts'
import type { Configuration } from '../settings/configuration.ts'
import { type CertificateFiles, issue, obstacles } from './certificate.ts'
import { evidenceOf, verifyEvidence } from './evidence.ts'
import { limitOf } from './files.ts'
import { NotReproducible, type RecordedRun, type RecordOptions, recordRun } from './record-run.ts'
import { Refused } from './refused.ts'
import type { Statement } from './statement.ts'
import { suiteDigest } from './suite-digest.ts'
import { verifyCertificate } from './verify.ts'

export interface CertifyOptions extends Omit<RecordOptions, 'challenge' | 'inputs' | 'reference'> {
  readonly keys: readonly KeyObject[]
  readonly challenge?: string | undefined
  readonly validDays: number
}

export type Certified =
  | { readonly report: Report; readonly files: CertificateFiles; readonly statement: Statement }
  | {
      readonly report: Report
      readonly obstacles: readonly string[]
      /** The recorded run, if it can be judged again. */
      readonly evidence?: CertificateFiles
    }

/** Judges the store, and certifies it if nothing is missing. The certificate, or the evidence, has been verified before it is returned. */
export async function certifyStore(
  given: Configuration,
  { keys, challenge, validDays, ...options }: CertifyOptions,
): Promise<Certified> {
  const reference = given.target === 'reference' ? await startReference() : undefined
  const configuration = { ...given, ...reference?.settings, ...(challenge === undefined ? {} : { seed: 0 }) }
  try {
    const run = await recordRun(configuration, {
      ...options,
      ...(reference ? { reference: true } : {}),
      ...(challenge === undefined ? {} : { challenge: { challenge, suite: suiteDigest() } }),
    })
    const { report } = run
    const missing = obstacles(report)
    if (!('recording' in run))
      return { report, obstacles: missing.length > 0 ? missing : ['the run was stopped'] }
    if (missing.length > 0) return { report, ...(await withEvidence(missing, run, challenge)) }
    const issuedAt = Date.now()
    const { files, statement } = issue(run, { keys, challenge, validDays, issuedAt })
    const beyond = limitOf(sizesOf(files))
    if (beyond !== undefined) return { report, obstacles: [`nobody could verify it: it ${beyond}`] }
    await verifyCertificate(files, { keys: [], challenge, now: issuedAt })
    return { report, files, statement }
  } catch (error) {
    if (!(error instanceof NotReproducible)) throw error
    return {
      report: error.report,
      obstacles: [...obstacles(error.report), notReproducible(error.message)],
    }
  } finally {
    await reference?.close()
  }
}

const sizesOf = (files: CertificateFiles) => [...files].map(([name, { length }]) => ({ name, size: length }))

const notReproducible = (problem: string) => `it cannot be judged again from its recording: ${problem}`

async function withEvidence(missing: readonly string[], run: RecordedRun, challenge: string | undefined) {
  const evidence = evidenceOf(run, challenge)
  const beyond = limitOf(sizesOf(evidence))
  if (beyond !== undefined)
    return { obstacles: [...missing, `nobody could verify the evidence: it ${beyond}`] }
  try {
    await verifyEvidence(evidence, challenge)
    return { obstacles: missing, evidence }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { obstacles: [...missing, notReproducible(`${error.place}: ${error.message}`)] }
  }
}

async function startReference() {
  const store = referenceStore()
  const { baseUrl, statesUrl, close } = await serve(store)
  const { apiKey, revokedKeys } = store
  return {
    settings: { target: 'base' as const, baseUrl, statesUrl, apiKey, revokedApiKey: revokedKeys[0] },
    close,
  }
}
