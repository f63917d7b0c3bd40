import type { KeyObject } from 'node:crypto'
import { assertedRules, basisOf } from '../certificate/judge-again.ts'
import { profileNowText, reportUnder } from '../certificate/profile-now.ts'
import { orRefused, Refused } from '../certificate/refused.ts'
import { type CertificateFiles, EVIDENCE } from '../certificate/statement.ts'
import { assuranceText, evidenceHead, evidenceText, ruleText, signatureText } from '../certificate/text.ts'
import { type Verified, verifyEvidence } from '../certificate/verify.ts'
import { allRules } from '../judge/interface.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { exitCodes } from '../judge/verdict.ts'
import { printable } from '../report/printable.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'

interface Judging {
  /** Id of the rule to print. */
  readonly wanted: string | undefined
  readonly keys: readonly KeyObject[]
  readonly challenge: string | undefined
}

/** Evidence is never as good as a certificate, so only a rule that was asked for gives exit code 0. @returns the exit code */
export async function judgeEvidence(
  path: string,
  files: CertificateFiles,
  { wanted, keys, challenge }: Judging,
): Promise<number> {
  if (keys.length > 0)
    throw new Refused(EVIDENCE, 'is evidence, which nobody has signed; --key needs a certificate')
  const evidence = await verifyEvidence(files, challenge)
  const text =
    wanted === undefined
      ? evidenceText(evidence)
      : `\n${await textOf(wanted, evidence, evidence.file.challenge)}`
  process.stdout.write(`${evidenceHead(path)}${text}`)
  return wanted === undefined ? 1 : 0
}

/** Prints a rule of a sound certificate. @returns the exit code */
export async function showRule(path: string, verified: Verified, wanted: string): Promise<number> {
  const { predicate } = verified.statement
  const head = [`${path}: ${predicate.title}`, signatureText(verified)]
    .map(line => printable(line))
    .join('\n')
  process.stdout.write(`${head}\n\n${await textOf(wanted, verified, predicate.challenge)}`)
  return 0
}

async function textOf(
  wanted: string,
  { report, recording }: Pick<Verified, 'report' | 'recording'>,
  usedChallenge: string | undefined,
): Promise<string> {
  const reported = report.rules.find(({ id }) => id === wanted)
  if (!reported)
    throw new Misconfigured(
      `The recorded run did not judge ${wanted}: profile ${report.profile} leaves it out.`,
    )
  const rule = allRules(storeServiceUnderTest).find(({ id }) => id === wanted)
  const asserted = await orRefused(assertedRules(recording, report, usedChallenge))
  // The replay without the key sends other requests than the recorded ones, so it gives no basis.
  const basis = rule && !(asserted instanceof Refused) ? basisOf(rule, asserted) : undefined
  return ruleText(reported, report, recording, basis)
}

/** Prints the verdict under a profile, from the judgements of a sound certificate. @returns the exit code */
export function showProfile(verified: Verified, profile: string): number {
  const now = reportUnder(profile, verified.report, storeServiceUnderTest)
  process.stdout.write(`${profileNowText(now, storeServiceUnderTest)}${assuranceText(verified)}`)
  return exitCodes[now.verdict]
}
