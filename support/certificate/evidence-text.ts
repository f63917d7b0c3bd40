import { printable } from '../report/printable.ts'
import { plural, verdictWords } from '../report/words.ts'
import type { Evidence } from './evidence.ts'

/** What `verify` prints first for evidence, so that nobody takes it for a certificate. */
export const evidenceHead = (path: string): string =>
  [
    `${printable(path)}: EVIDENCE, NOT A CERTIFICATE`,
    'Nobody states that the store is conformant. Nothing is signed, so anybody could have made this file.',
    '',
  ].join('\n')

const LISTED = 40

/** What `verify` prints of evidence that holds. */
export function evidenceText({ file, recording, report }: Evidence): string {
  const { baseUrl, reference, seed, gate } = recording.settings
  const { profile, suite, challenge } = file
  const { verdict, counts, rules, store } = report
  const failed = rules.filter(({ outcome }) => outcome === 'failed')
  const lines = [
    '',
    `  store        ${[store?.name, store?.version, baseUrl].filter(Boolean).join(' ')}${reference ? ' (the bundled reference store)' : ''}`,
    `  profile      ${profile.name}, revision ${profile.revision}, gate ${gate}`,
    `  run          ${report.startedAt}, ${plural(report.requests, 'request')}, ${challenge ? `challenge ${challenge.slice(0, 16)}…` : `seed ${seed}`}`,
    `  suite        store-conformance ${suite.version}`,
    `  verdict      ${verdictWords[verdict].toLowerCase()}: ${counts.passed} passed, ${counts.failed} failed, ${counts.cantTell + counts.untested} without a result`,
    '',
    `Judged again: ${plural(rules.length, 'rule')}, each with the same outcome.`,
    ...failed.slice(0, LISTED).map(({ id, message }) => `  failed ${id}: ${message}`),
    ...(failed.length > LISTED ? [`  failed ${plural(failed.length - LISTED, 'other rule')}`] : []),
    '',
    'Proved: the recorded exchanges lead to these outcomes.',
    `Not proved: that the exchanges took place with ${baseUrl}. Nobody vouches for that.`,
    'Exit 1: it has no statement, so it is evidence, not a certificate. --rule prints one rule with its exchanges.',
  ]
  return `${lines.map(line => printable(line)).join('\n')}\n`
}
