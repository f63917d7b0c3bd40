import { join } from 'node:path'
import type { Level } from '../interface/description.ts'
import { isGating } from '../interface/verdict.ts'
import { shellWord } from '../wire/curl.ts'
import { groupBy, type Rules, readingOf, type Standing, standings } from './reading.ts'
import type { ReportedRule, ReportFile } from './report.ts'

/** The wording that all formats share. */
export const levelMeanings: Readonly<Record<Level, string>> = {
  required: 'the document states it; it always gates',
  implied: 'the document shows it, or it follows from what is stated; it gates unless --gate required',
  advisory:
    'the document is silent, and a standard or plain sense asks for it; it gates only with --gate advisory',
}

/** For everybody whose store fails a rule that the document does not state. */
export const whyImpliedGates =
  'Clients rely on what the document shows as on what it states, so implied rules gate by default. --gate required takes out all of them, and a file of expected failures takes out one.'

/** Each verdict in words, and the standing whose mark and colour it has. */
export const verdicts = {
  conformant: { words: 'Conformant', standing: 'passed' },
  nonconformant: { words: 'Not conformant', standing: 'failed' },
  incomplete: { words: 'Incomplete', standing: 'cantTell' },
  partial: { words: 'Partial', standing: 'passed' },
  unreachable: { words: 'Unreachable', standing: 'untested' },
} as const

/** Every report names it with its address, so that nobody takes it for their own store. */
export const REFERENCE = 'the bundled reference store'

/** First and last line of a run that judges the reference store because no store is named. Empty for other runs. */
export const notYours = ({ isFallback }: { readonly isFallback?: true }): string =>
  isFallback
    ? 'No store is named: this run judges the bundled reference store, not yours. Name yours with --base-url (STORE_BASE_URL).'
    : ''

export const count = (number: number): string => number.toLocaleString('en')

/** `1 rule`, `2 rules`. */
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`

/** Capitalises the start of a sentence, unless its first word is an address, an id or an operation. */
export const capital = (text: string): string =>
  /^[a-z]+(?:['’][a-z]+)?(?:[\s,.;]|:(?!\S)|$)/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text

/** Headline of a failure of one or more operations. Without the first words, it would read like a true statement about the store. */
export function notMet(rules: Rules, words = 'not met'): string {
  const [{ operation, title }] = rules
  const all = operationsOf(rules)
  return `${capital(words)}: ${title.includes(operation) ? title.replaceAll(operation, all) : `${all}: ${title}`}`
}

export const operationsOf = (rules: readonly Pick<ReportedRule, 'operation'>[]): string =>
  rules.map(({ operation }) => operation).join(', ')

export const idsOf = (rules: readonly Pick<ReportedRule, 'id'>[]): string[] => [
  ...new Set(rules.map(({ id }) => id)),
]

/** The ids of these rules, each once, with the operations. */
export const namesOf = (rules: readonly ReportedRule[]): string[] =>
  [...groupBy(rules, ({ id }) => id)].map(([id, own]) => `${id} (${operationsOf(own)})`)

/** The judged store: its name and version as the user gave them, and its address. */
export function targetText({ target, store }: Pick<ReportFile, 'target' | 'store'>): string {
  const name = target.reference ? REFERENCE : [store?.name, store?.version].filter(Boolean).join(' ')
  return name === '' ? target.baseUrl : `${name} at ${target.baseUrl}`
}

/** First line of a run: what is judged, and what is needed to repeat it. */
export const headline = (
  report: Pick<ReportFile, 'suite' | 'target' | 'store' | 'profile' | 'gate' | 'seed'>,
) =>
  `${report.suite.name} ${report.suite.version} · ${targetText(report)} · profile ${report.profile} · gate ${report.gate} · seed ${report.seed}`

/** What the run did to the store, in the last lines of a run. */
export function effectsText(effects: ReportFile['effects']): string {
  if (!effects) return ''
  const { did, left } = effects
  if (did.length + left.length === 0) return 'This run changed nothing in the store.'
  const done = did.length === 0 ? '' : `This run ${did.join('; it ')}. `
  return `${done}${left.length === 0 ? 'Nothing is left to restore.' : `Left: ${left.join('; ')}.`}`
}

/** Last line of a run: how much was done, and the file to open. */
export const closingLine = ({ rules, requests, durationMs }: ReportFile, folder: string): string =>
  `${plural(rules.length, 'rule')}, ${plural(requests, 'request')}, ${(durationMs / 1000).toFixed(1)} s. Reports: ${join(folder, 'conformance.html')}; for programs, conformance.json.`

/** Why a failure is expected, who is responsible for it, and until when. */
export const excuseText = ({ expectedFailure: excuse }: ReportedRule): string | undefined =>
  excuse && `expected failure: ${excuse.reason} (${excuse.owner}, until ${excuse.expires})`

/** Why a rule did not pass and is not a failure, with what to provide. */
export function openText(rule: ReportedRule, standing: Standing): string {
  const { message = '', need } = rule
  const why = `${standings[standing].words}: ${message}${need ? ` (${need})` : ''}`
  return [excuseText(rule), why].filter(Boolean).join('; ')
}

/**
 * The command that judges these rules again, on the same store and with the same generated values. If a program started the run, it
 * names the store, because a command without one judges nothing.
 */
export function commandFor(
  { command, target, seed }: Pick<ReportFile, 'command' | 'target' | 'seed'>,
  [{ id, operation }, ...others]: Rules,
): string {
  const which = target.reference ? '--target reference' : `--base-url ${shellWord(target.baseUrl)}`
  const rule = others.length > 0 ? idsOf([{ id }, ...others]).join() : `${id}/${operation}`
  return `${command ?? `npx --no-install store-conformance run ${which}`} --only ${rule} --seed ${seed}`
}

/** How many causes or needs a sentence names. */
const NAMED = 3

export const firstOf = (texts: readonly string[], separator = ', '): string =>
  texts.length > NAMED
    ? `${texts.slice(0, NAMED).join(separator)} and ${count(texts.length - NAMED)} more`
    : texts.join(separator)

/** The verdict in a sentence, with what is missing and the shortest way to get it. @param hasNames whether it names what failed */
export function verdictSentence(report: ReportFile, hasNames = true): string {
  const { verdict, reason = '', rules, gate } = report
  const gating = rules.filter(rule => isGating(rule, gate))
  const having = (...wanted: ReportedRule['outcome'][]) =>
    gating.filter(({ outcome }) => wanted.includes(outcome))
  const [passed, failed, open] = [having('passed'), having('failed'), having('untested', 'cantTell')]
  const share = (some: number) => `${count(some)} of ${plural(gating.length, 'gating rule')}`
  const says = (text: string, next = '') =>
    [`${verdicts[verdict].words}: ${text}.`, capital(reason), next && `For a verdict${next}.`]
      .filter(Boolean)
      .join(' ')
  switch (verdict) {
    case 'unreachable':
      return says('nothing could be judged')
    case 'nonconformant': {
      const ids = readingOf(report).causes.flatMap(cause => idsOf(cause.rules))
      const which = hasNames ? ` (${firstOf(ids)})` : ''
      return says(failed.length > 0 ? `${share(failed.length)} failed${which}` : 'no gating rule failed')
    }
    case 'incomplete': {
      const needs = [...new Set(open.flatMap(({ need }) => need ?? []))]
      const ids = idsOf(open)
      const none = passed.length === 0 ? ' or passed' : ''
      const has = open.length === 1 ? 'has' : 'have'
      const lacks = open.length > 0 ? `, but ${share(open.length)} ${has} no result (${firstOf(ids)})` : none
      return says(`no gating rule failed${lacks}`, needs.length > 0 ? `, ${firstOf(needs, '; ')}` : '')
    }
    case 'partial': {
      const expected = rules.filter(rule => rule.outcome === 'failed' && rule.expectedFailure).length
      const also = expected > 0 ? `, and ${plural(expected, 'failure is', 'failures are')} expected` : ''
      const fix = expected > 0 ? 'fix what is expected to fail' : 'run without --only, --skip and --failed'
      const none = 'no selected rule gates, and each that applies passed'
      const what = gating.length === 0 ? none : `${plural(passed.length, 'gating rule')} passed${also}`
      return says(what, ` on the whole interface, ${fix}`)
    }
    case 'conformant': {
      const statements = new Set(passed.map(({ clause }) => clause)).size
      const others = gating.length - passed.length
      const rest = others === 0 ? '' : `, ${count(others)} not applicable`
      const hold = `${statements === 1 ? 'holds' : 'hold'} (${plural(passed.length, 'gating rule')} passed${rest})`
      return says(`${plural(statements, 'statement')} of the document ${hold}`)
    }
  }
}

/** Rules that later versions of the suite added. They begin to gate with the next profile. */
export function newerText({ rules, profile }: Pick<ReportFile, 'rules' | 'profile'>): string {
  const all = rules.filter(({ newSince }) => newSince !== undefined)
  if (all.length === 0) return ''
  const failed = all.filter(({ outcome }) => outcome === 'failed').length
  return `${plural(all.length, 'rule is', 'rules are')} new since profile ${profile} and ${all.length === 1 ? 'does' : 'do'} not count yet; ${failed === 0 ? 'none' : count(failed)} failed.`
}

/** What a verdict does not cover, and how the next run can. Empty where nothing was judged or something failed. */
export function uncoveredText({ verdict, rules, gate }: ReportFile): string {
  if (verdict === 'unreachable' || verdict === 'nonconformant') return ''
  const aside = rules.filter(rule => rule.outcome === 'inapplicable' && isGating(rule, gate))
  const parts = [...groupBy(aside, ({ need, message }) => need ?? message)].map(([need, own]) => {
    // The shortest first: a longer one may have a comma of its own.
    const lacks = [...new Set(own.flatMap(({ lacks }) => lacks ?? []))].sort((a, b) => a.length - b.length)
    const what = lacks.length > 0 ? lacks.join(', ') : plural(own.length, 'rule')
    return need ? `${what} (${need})` : what
  })
  return parts.length === 0 ? '' : `Not covered by this run: ${parts.join('; ')}.`
}
