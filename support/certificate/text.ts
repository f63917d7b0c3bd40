import { type Block, type Fact, facts, list, paragraph, section } from '../report/document.ts'
import { finding } from '../report/findings.ts'
import { readingOf, standings } from '../report/reading.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { documentOf } from '../report/sections.ts'
import { terminal } from '../report/terminal.ts'
import { causeText, plural } from '../report/words.ts'
import type { Confirmation } from './confirm.ts'
import { type Basis, basesOf, basisMeanings } from './judge-again.ts'
import type { Recording } from './recording.ts'
import { type Predicate, REPORT, type Statement } from './statement.ts'
import type { Evidence, Verified } from './verify.ts'

/** How many rules have each basis. */
async function countBases({ recording, report }: Verified) {
  const counts: Record<Basis, number> = { recomputed: 0, claimed: 0, asserted: 0 }
  for (const basis of (await basesOf(recording, report)).values()) counts[basis] += 1
  return counts
}

export const signedText = (signers: readonly string[]): string =>
  ['no trusted signature', 'self-signed', 'witnessed'][Math.min(new Set(signers).size, 2)] ?? ''

/** The beginning of a digest, as people compare it. */
export const keyText = (digest: string): string => `${digest.slice(0, 16)}…`

/**
 * What a certificate proves, what it does not, and what to do about it, in the words of `verify`, of the page and of the README.
 * @param confirmed what a confirmation showed
 */
export const claims = (
  baseUrl: string,
  signers: number,
  fresh: boolean,
  confirmed: readonly string[] = [],
): Readonly<Record<string, readonly string[]>> => ({
  Proved: [
    'The recorded exchanges lead to these outcomes.',
    ...(fresh
      ? ['The requests were made after you chose the challenge, for this store and these settings.']
      : []),
  ],
  Confirmed: confirmed,
  'Not proved': [
    `That the responses came from ${baseUrl}. ${signers === 0 ? 'Nobody says so.' : 'Only the signers say so.'}`,
    'A vendor has its own key: it could have changed the recording before it signed, or run another program in place of the store. A challenge binds the requests, not the responses.',
    'That this was the only run: a vendor can repeat it until the store passes.',
    'Times, name and version of the store, and waivers are what the signers state.',
    'A store can behave correctly only while it is tested.',
    'Two keys are two parties only if you know that they are.',
  ],
  'What to do': [
    ...(confirmed.length > 0
      ? []
      : [
          'First confirm it on the store that you use, with --confirm, from another address and at another time. Name orders and pets: otherwise, many rules are not confirmed.',
        ]),
    'Ask a third party that you trust to be present at the run, and to sign the certificate afterwards.',
    'Send a new challenge, and ask for a new certificate.',
  ],
})

export const claimSections = (all: ReturnType<typeof claims>): Block[] =>
  Object.entries(all).flatMap(([heading, sentences]) =>
    section(heading, list(sentences.map(text => ({ text })))),
  )

export function signatureText({ signers, signatures }: Pick<Verified, 'signers' | 'signatures'>): string {
  if (signatures === 0) return 'UNSIGNED: anybody could have made this certificate.'
  return signers.length === 0
    ? `SIGNATURES NOT CHECKED: give the key that you trust with --key. The certificate has ${signatures}.`
    : `Signed with ${signers.map(keyText).join(' and ')}, as you asked.`
}

/** For a terminal: nothing of the vendor is a control character. */
export const printed = (blocks: readonly Block[]): string => `${terminal(blocks)}\n`

const runFacts = (
  { store, target, gate, startedAt, requests, seed }: Report,
  { profile, suite, challenge }: Pick<Predicate, 'profile' | 'suite' | 'challenge'>,
  runs: number,
  dateText = (iso: string): string => iso,
): Fact[] => [
  [
    'store',
    `${[store?.name, store?.version, target.baseUrl].filter(Boolean).join(' ')}${target.reference ? ' (the bundled reference store)' : ''}`,
  ],
  ['profile', `${profile.name}, revision ${profile.revision}, gate ${gate}`],
  [
    'run',
    `${dateText(startedAt)}, ${plural(requests, 'request')}, ${plural(runs, 'generated case')} for each property, ${challenge ? `challenge ${keyText(challenge)}` : `seed ${seed}`}`,
  ],
  ['suite', `${suite.name} ${suite.version}, digest ${keyText(suite.digest)}`],
]

/** Everything that a certificate states. Reasons, owners and names are the words of the vendor. */
export function certificateFacts(
  { predicate }: Statement,
  report: Report,
  dateText = (iso: string): string => iso,
): Fact[] {
  const { issuedAt, validUntil, counts, waivers, errata } = predicate
  const waiting = waivers.reduce((sum, each) => sum + each.waiting.length, 0)
  const outcomes = [
    `${counts.passed} passed`,
    ...(waivers.length > 0 ? [`${waivers.length} failed with a waiver`] : []),
    ...(waiting > 0 ? [`${waiting} not judged because of a waiver`] : []),
    `${counts.inapplicable} not applicable`,
  ]
  const causes = readingOf(report).inapplicable.map(
    group => `${group.rules.length} × ${causeText(group).replace(/\.$/, '')}`,
  )
  return [
    ...runFacts(report, predicate, predicate.runs, dateText),
    ['gating rules', [outcomes.join(', '), ...causes].join('; ')],
    ['issued', dateText(issuedAt)],
    ['valid until', dateText(validUntil)],
    ...waivers.map(({ rule, reason, owner, expires }): Fact => {
      return [
        'waiver',
        `${rule} failed. The vendor says: "${reason}", accepted by "${owner}" until ${expires}`,
      ]
    }),
    ...waivers
      .filter(({ waiting }) => waiting.length > 0)
      .map(({ rule, waiting }): Fact => ['not judged', `because of ${rule}: ${waiting.join(', ')}`]),
    ...errata.map((each): Fact => ['erratum', erratumText(each)]),
  ]
}

export const erratumText = ({
  rule,
  change,
  reason,
  date,
}: Omit<Predicate['errata'][number], 'level'>): string => `${rule} ${change}: ${reason} (${date})`

/** What `verify` prints first for a certificate that holds. */
export async function verifiedText(path: string, verified: Verified): Promise<string> {
  const { statement, report } = verified
  const bases = Object.entries(await countBases(verified)) as [Basis, number][]
  return printed([
    ...paragraph(`${path}: ${statement.predicate.title}`),
    ...paragraph(signatureText(verified)),
    ...facts(certificateFacts(statement, report)),
    ...section(
      `Judged again: ${report.rules.length} rules, each with the same outcome`,
      list(bases.map(([basis, number]) => ({ text: `${number} ${basis}: each ${basisMeanings[basis]}` }))),
    ),
  ])
}

/** The last lines of `verify`: what is proved, what is not, and what to do. */
export function assuranceText({ statement, signers, fresh }: Verified, other?: Confirmation): string {
  const confirmed =
    other?.outcome === 'confirmed'
      ? [
          `${other.report.target.baseUrl} has the same outcome for ${other.same} of ${other.judged} rules, with your key. ${other.inapplicable.length} more were not applicable.`,
        ]
      : []
  const assurance = [signedText(signers), fresh && 'fresh', confirmed.length > 0 && 'confirmed']
  return `\n${printed([
    // The verifier determines it. A certificate cannot declare it itself.
    ...paragraph(`Assurance: ${assurance.filter(Boolean).join(', ')}`),
    ...claimSections(claims(statement.predicate.baseUrl, signers.length, fresh, confirmed)),
  ])}`
}

/** What `verify` prints first for evidence, so that nobody takes it for a certificate. */
export const evidenceHead = (path: string): string =>
  printed([
    ...paragraph(`${path}: EVIDENCE, NOT A CERTIFICATE`),
    ...paragraph(
      'Nobody states that the store is conformant. Nothing is signed, so anybody could have made this file.',
    ),
  ])

/** What `verify` prints of evidence that holds. */
export function evidenceText({ file, recording, report }: Evidence): string {
  const { warnings, findings, judged, verdict } = documentOf(report, 'short')
  return `\n${printed([
    ...facts(runFacts(report, file, recording.settings.runs)),
    ...warnings,
    ...findings,
    ...judged,
    verdict,
    ...paragraph(`Judged again: ${plural(report.rules.length, 'rule')}, each with the same outcome.`),
    ...paragraph('Proved: the recorded exchanges lead to these outcomes.'),
    ...paragraph(
      `Not proved: that the exchanges took place with ${report.target.baseUrl}. Nobody vouches for that.`,
    ),
    ...paragraph(
      'Exit 1: it has no statement, so it is evidence, not a certificate. --rule prints one rule with its exchanges.',
    ),
  ])}`
}

/** A rule that was judged again, with everything that its outcome follows from. */
export function ruleText(
  rule: ReportedRule,
  report: Report,
  recording: Pick<Recording, 'events'>,
  basis: Basis | undefined,
): string {
  const places = recording.events.flatMap((event, at) =>
    event.kind === 'exchange'
      ? [`events[${at}]${event.response?.body === undefined ? '' : `, bodies/${event.response.body}`}`]
      : [],
  )
  return printed([
    ...finding(rule, { ...readingOf(report), report, detail: 'evidence' }, false),
    ...facts([
      ['outcome', `${standings[rule.outcome].words}, judged again; ${REPORT} says the same`],
      ['basis', basis && `${basis}: it ${basisMeanings[basis]}`],
    ]),
    ...section(
      'The exchanges in recording.json',
      list(rule.exchanges.map(index => ({ text: places[index] ?? '' }))),
    ),
  ])
}
