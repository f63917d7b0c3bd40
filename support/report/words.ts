import { join } from 'node:path'
import type { Level } from '../interface/description.ts'
import { isGating } from '../interface/verdict.ts'
import { groupBy, type Rules, readingOf, type Standing, standings } from './reading.ts'
import { type ReportedRule, type ReportFile, SUITE_VERSION } from './report.ts'

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

/** `1,161`. The locales of Intl take long to load. */
export const count = (number: number): string => String(number).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** `1 rule`, `2 rules`. */
export const plural = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`

/** Capitalises the start of a sentence, unless its first word is an address, an id or an operation. */
export const capital = (text: string): string =>
  text.replace(/^[a-z](?=[a-z]*(?:['’][a-z]+)?(?:[\s,.;]|:(?!\S)|$))/, first => first.toUpperCase())

export const sentences = (...texts: readonly (string | false | undefined)[]): string =>
  texts.filter(Boolean).join(' ')

/** What a reader has to know beside the results, as an item of a list. */
export const warning = (text: string) => ({ standing: 'warning', text }) as const

/** Headline of a failure of one or more operations. Without the first words, it would read like a true statement about the store. */
export function notMet(rules: Rules, words = 'not met'): string {
  const [{ operation, title }] = rules
  const all = operationsOf(rules)
  return `${capital(words)}: ${title.includes(operation) ? title.replaceAll(operation, all) : `${all}: ${title}`}`
}

const operationsOf = (rules: readonly Pick<ReportedRule, 'operation'>[]): string =>
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
export const headline = (report: Pick<ReportFile, 'target' | 'store' | 'profile' | 'gate' | 'seed'>) =>
  `store-conformance ${SUITE_VERSION} · ${targetText(report)} · profile ${report.profile} · gate ${report.gate} · seed ${report.seed}`

/** What the run did to the store, in the last lines of a run. */
export function effectsText(effects: ReportFile['effects']): string {
  if (!effects) return ''
  const { did, left } = effects
  if (did.length + left.length === 0) return 'This run changed nothing in the store.'
  const done = did.length > 0 && `This run ${did.join('; it ')}.`
  const rest = left.length > 0 ? `Left: ${left.join('; ')}.` : 'Nothing is left to restore.'
  return sentences(done, rest)
}

/** How much was done. */
export const extentText = ({ rules, requests, durationMs }: ReportFile): string =>
  `${plural(rules.length, 'rule')}, ${plural(requests, 'request')}, ${(durationMs / 1000).toFixed(1)} s`

/** Last line of a run: how much was done, and the file to open. */
export const closingLine = (report: ReportFile, folder: string): string =>
  `${extentText(report)}. Reports: ${join(folder, 'conformance.html')}; for programs, conformance.json.`

/** Why a failure is expected, who is responsible for it, and until when. */
export const excuseText = ({ expectedFailure: excuse }: ReportedRule): string | undefined =>
  excuse && `expected failure: ${excuse.reason} (${excuse.owner}, until ${excuse.expires})`

/** Why a rule did not pass and is not a failure, with what to provide. */
export function openText(rule: ReportedRule, standing: Standing): string {
  const { message = '', need } = rule
  const why = `${standings[standing].words}: ${message}${need ? ` (${need})` : ''}`
  return [excuseText(rule), why].filter(Boolean).join('; ')
}

/** The command that judges these rules again, on the same store and with the same generated values. A program has none. */
export const commandFor = ({ command, seed }: ReportFile, rules: Rules): string | undefined =>
  command && `${command} --only ${idsOf(rules).join()} --seed ${seed}`

/** How many causes or needs a sentence names. */
const NAMED = 3

export const firstOf = (texts: readonly string[], separator = ', '): string =>
  texts.length > NAMED
    ? `${texts.slice(0, NAMED).join(separator)} and ${count(texts.length - NAMED)} more`
    : texts.join(separator)

/** What decides the verdict. Of an incomplete run, the shortest way to a verdict. */
export function verdictSentence(report: ReportFile): string {
  const { verdict, reason = '', rules, gate } = report
  const gating = rules.filter(rule => isGating(rule, gate))
  const having = (...wanted: ReportedRule['outcome'][]) =>
    gating.filter(({ outcome }) => wanted.includes(outcome))
  const [passed, failed, open] = [having('passed'), having('failed'), having('untested', 'cantTell')]
  const share = (some: readonly ReportedRule[]) =>
    `${count(some.length)} of ${plural(gating.length, 'gating rule')}`
  const says = (text: string, next?: string) =>
    sentences(`${verdicts[verdict].words}: ${text}.`, capital(reason), next && `For a verdict${next}.`)
  switch (verdict) {
    case 'unreachable':
      return says('nothing could be judged')
    case 'nonconformant': {
      const ids = readingOf(report).causes.flatMap(cause => idsOf(cause.rules))
      const without = open.length > 0 ? `, and ${count(open.length)} have no result` : ''
      return says(
        failed.length > 0 ? `${share(failed)} failed (${firstOf(ids)})${without}` : 'no gating rule failed',
      )
    }
    case 'incomplete': {
      if (passed.length === 0 && open.length === 0)
        return says('no gating rule was judged', ', select rules that gate, or give --gate advisory')
      if (open.length === 0) return says('no gating rule failed')
      const needs = [...new Set(open.flatMap(({ need }) => need ?? []))]
      const lack = `${share(open)} ${open.length === 1 ? 'has' : 'have'} no result (${firstOf(idsOf(open))})`
      return says(`no gating rule failed, but ${lack}`, needs.length > 0 ? `, ${firstOf(needs, '; ')}` : '')
    }
    case 'partial': {
      const next = ' on the whole interface, judge all rules, without expected failures'
      return says(`${plural(passed.length, 'gating rule')} passed`, next)
    }
    case 'conformant': {
      const others = gating.length - passed.length
      const rest = others > 0 ? `, ${count(others)} not applicable` : ''
      const statements = new Set(passed.map(({ clause }) => clause)).size
      const hold = plural(statements, 'statement of the document holds', 'statements of the document hold')
      return says(`${hold} (${plural(passed.length, 'gating rule')} passed${rest})`)
    }
  }
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
