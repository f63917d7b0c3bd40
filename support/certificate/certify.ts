import type { KeyObject } from 'node:crypto'
import { referenceStore, serve } from '../reference/index.ts'
import type { Report } from '../report/report.ts'
import type { Configuration } from '../settings/configuration.ts'
import { type CertificateFiles, issue, obstacles } from './certificate.ts'
import { evidenceOf, verifyEvidence } from './evidence.ts'
import { limitOf } from './files.ts'
import { NotReproducible, type RecordOptions, recordRun } from './record-run.ts'
import { Refused } from './refused.ts'
import type { Statement } from './statement.ts'
import { verifyCertificate } from './verify.ts'
import { idleWaivers } from './waivers.ts'

export interface CertifyOptions extends Omit<RecordOptions, 'reference'> {
  readonly keys: readonly KeyObject[]
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
      challenge,
    })
    const { report } = run
    const { expectedFailures } = configuration
    const missing = [...obstacles(report), ...(expectedFailures ? idleWaivers(expectedFailures, report) : [])]
    if (!('recording' in run))
      return { report, obstacles: missing.length > 0 ? missing : ['the run was stopped'] }
    if (missing.length > 0) {
      const evidence = evidenceOf(run, challenge)
      const problem = await problemOf(evidence, () => verifyEvidence(evidence, challenge))
      return {
        report,
        ...(problem ? { obstacles: [...missing, problem] } : { obstacles: missing, evidence }),
      }
    }
    const now = Date.now()
    const { files, statement } = issue(run, { keys, challenge, validDays, issuedAt: now })
    const problem = await problemOf(files, () => verifyCertificate(files, { keys: [], challenge, now }))
    return problem ? { report, obstacles: [problem] } : { report, files, statement }
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

const notReproducible = (problem: string) => `it cannot be judged again from its recording: ${problem}`

/** Why nobody could verify these files. */
async function problemOf(
  files: CertificateFiles,
  verify: () => Promise<unknown>,
): Promise<string | undefined> {
  const beyond = limitOf([...files].map(([name, { length }]) => ({ name, size: length })))
  if (beyond !== undefined) return `nobody could verify it: it ${beyond}`
  return verify().then(
    () => undefined,
    error => {
      if (!(error instanceof Refused)) throw error
      return notReproducible(`${error.place}: ${error.message}`)
    },
  )
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
