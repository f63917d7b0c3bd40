import { allRules } from '../judge/interface.ts'
import { printable } from '../report/printable.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'
import { assertedRules, type Basis, basisOf } from './basis.ts'
import type { Confirmation } from './confirm.ts'
import type { Verified } from './verify.ts'

/** How many rules have each basis. */
async function countBases({ statement, recording, report }: Verified) {
  const asserted = await assertedRules(statement.predicate, recording, report)
  const counts: Record<Basis, number> = { recomputed: 0, told: 0, asserted: 0 }
  const judged = new Set(report.rules.map(({ id }) => id))
  for (const rule of allRules(storeServiceUnderTest))
    if (judged.has(rule.id)) counts[basisOf(rule, asserted)] += 1
  return counts
}

/** The assurance that the verifier determined. A certificate cannot declare it itself. */
function assuranceOf({ signers, fresh }: Verified, confirmation: Confirmation | undefined): string[] {
  const confirmed = confirmation?.outcome === 'confirmed'
  return [signedText(signers), ...(fresh ? ['fresh'] : []), ...(confirmed ? ['confirmed'] : [])]
}

export const signedText = (signers: readonly string[]): string =>
  ['no trusted signature', 'self-signed', 'witnessed'][Math.min(new Set(signers).size, 2)] ?? ''

/** The beginning of a digest, as people compare it. */
export const keyText = (digest: string): string => `${digest.slice(0, 16)}…`

/** What a certificate proves, in the words of `verify` and of the page. */
export const claims = (baseUrl: string, signers: number, fresh: boolean) => ({
  proved: `the recorded exchanges lead to these outcomes${fresh ? ', and were made after you chose the challenge' : ''}.`,
  notProved: `that the exchanges took place with ${baseUrl}. ${signers === 0 ? 'Nobody vouches for that.' : 'Only the signers vouch for that.'}`,
})

export function signatureText({ signers, signatures }: Pick<Verified, 'signers' | 'signatures'>): string {
  if (signatures === 0) return 'UNSIGNED: anybody could have made this certificate.'
  return signers.length === 0
    ? `SIGNATURES NOT CHECKED: give the key that you trust with --key. The certificate has ${signatures}.`
    : `Signed with ${signers.map(keyText).join(' and ')}, as you asked.`
}

/** What `verify` prints first for a certificate that holds. */
export async function verifiedText(path: string, verified: Verified): Promise<string> {
  const { statement, report } = verified
  const {
    title,
    store,
    baseUrl,
    profile,
    gate,
    startedAt,
    validUntil,
    challenge,
    seed,
    waivers,
    errata,
    suite,
  } = statement.predicate
  const bases = await countBases(verified)
  const lines = [
    `${path}: ${title}`,
    signatureText(verified),
    '',
    `  store        ${[store?.name, store?.version, baseUrl].filter(Boolean).join(' ')}${statement.predicate.reference ? ' (the bundled reference store)' : ''}`,
    `  profile      ${profile.name}, revision ${profile.revision}, gate ${gate}`,
    `  run          ${startedAt}, ${report.requests} requests, ${challenge ? `challenge ${keyText(challenge)}` : `seed ${seed}`}`,
    `  suite        store-conformance ${suite.version}${verified.isSameSuite ? '' : ', with other code than this one'}`,
    `  valid until  ${validUntil}`,
    ...waivers.map(
      ({ rule, reason, owner, expires }) => `  waiver       ${rule}: ${reason} (${owner}, until ${expires})`,
    ),
    ...errata.map(
      ({ rule, change, reason, date }) => `  erratum      ${rule} ${change}: ${reason} (${date})`,
    ),
    '',
    `Judged again: ${report.rules.length} rules, each with the same outcome.`,
    `  ${bases.recomputed} recomputed: they follow from the recorded exchanges`,
    `  ${bases.told} told: they also depend on which orders the vendor called pending or shipped`,
    `  ${bases.asserted} asserted: they depend on the API key, which is not in the certificate`,
  ]
  return `${lines.map(line => printable(line)).join('\n')}\n`
}

/** The last lines of `verify`: what is proved, and what is not. */
export function assuranceText(verified: Verified, confirmation?: Confirmation): string {
  const { statement, signers, fresh } = verified
  const { proved, notProved } = claims(statement.predicate.baseUrl, signers.length, fresh)
  const lines = [
    '',
    `Assurance: ${assuranceOf(verified, confirmation).join(', ')}`,
    `Proved: ${proved}`,
    ...(confirmation?.outcome === 'confirmed'
      ? [
          `Confirmed: ${confirmation.report.target.baseUrl} has the same outcome for ${confirmation.same} of ${confirmation.judged} rules, with your key.`,
        ]
      : []),
    `Not proved: ${notProved}`,
  ]
  return `${lines.map(line => printable(line)).join('\n')}\n`
}
