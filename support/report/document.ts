import { HIDDEN } from '../wire/curl.ts'
import { header, type ReportedExchange } from '../wire/exchange.ts'
import type { Standing } from './reading.ts'

/** A command stays on one line of a terminal, so that it can be pasted. */
export type Text = string | { readonly command: string }

/**
 * One part of what a report, comparison or certificate says, described once for terminals, Markdown and HTML, which show its members in
 * this order. Every text may be one of a store, so every renderer escapes it.
 */
export interface Part {
  /** What the whole document concludes. */
  readonly verdict?: string
  readonly title?: string | undefined
  /** Of the verdict, or of the rule that the part is about. */
  readonly standing?: Standing
  /** How many items it has, or another remark beside the title. */
  readonly note?: string
  /** By what links of a page find it. */
  readonly id?: string
  /** Whether a page shows only the title until the reader opens it. Of a rule, a terminal shows only the title. */
  readonly closed?: boolean
  readonly warnings?: readonly string[]
  /** Those without a text are left out. */
  readonly facts?: readonly (readonly [label: string, text: Text | undefined | false])[] | undefined
  readonly items?: readonly Item[]
  readonly text?: Text
  readonly exchanges?: readonly ShownExchange[] | undefined
  readonly parts?: readonly Part[]
  /** Only pages show it. */
  readonly html?: Fragment | undefined
}

export interface Item {
  /** Its mark comes first. */
  readonly standing?: Standing
  /** Id of a rule, before the text. */
  readonly name?: string
  /** The part of the same page to which the name leads. */
  readonly to?: string | undefined
  readonly text: string
  /** What belongs to it: names of rules, or why it is so. */
  readonly more?: readonly string[]
  /** By what a page filters items. */
  readonly filter?: Readonly<Record<'outcome' | 'operation' | 'level', string>>
}

export interface ShownExchange {
  readonly exchange: ReportedExchange
  /** Whether it is the one that decides, of several. */
  readonly decides: boolean
  /** The id of the order or pet that it is about. Of a long body, the part around it is shown. */
  readonly about?: string | undefined
}

/** HTML. Templates insert it without escaping. */
export class Fragment {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

export const factsOf = ({ facts = [] }: Part) =>
  facts.filter((fact): fact is [label: string, text: Text] => Boolean(fact[1]))

/** Parts that say nothing are left out, with their titles. */
export const nonEmpty = (parts: readonly Part[] = []): Part[] =>
  parts.filter(
    ({ verdict, text, html, warnings = [], facts = [], items = [], parts = [] }) =>
      verdict || text || html || [warnings, facts, items, parts].some(({ length }) => length > 0),
  )

/** Response headers that rules judge or that explain a response. */
const TELLING = [
  ...['content-type', 'content-length', 'content-encoding', 'location', 'retry-after'],
  ...['www-authenticate', 'allow'],
]

/** Characters of a body: of the exchange that decides, and of those before it. */
const BODY = { decides: 600, before: 200 }

/** A response, line by line: its status, the telling headers if it decides, and its body, of which each element has a line. */
export function responseLines({ exchange, decides, about }: ShownExchange): string[] {
  const { response, problem } = exchange
  if (!response) return [`no response: ${problem?.message ?? 'no cause is recorded'}`]
  const { status, body, wholeLength = body.length } = response
  const headers = TELLING.flatMap(name => {
    const value = header(response, name)
    return value === undefined ? [] : [`${name}: ${value}`]
  })
  const limit = decides ? BODY.decides : BODY.before
  const found = about === undefined ? -1 : body.search(new RegExp(`[:"\\s]${about}(?![\\d.])`))
  const from = body.length <= limit || found < limit ? 0 : found - Math.floor(limit / 2)
  const left = wholeLength - from - limit
  const shown = `${from > 0 ? '… ' : ''}${body.slice(from, from + limit)}${left > 0 ? `… (${left} more characters)` : ''}`
  const elements = body === '' ? [] : shown.replace(/(?<=[}\]]),(?=[{[])/g, ',\n').split('\n')
  return [String(status), ...(decides ? headers : []), ...elements]
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Text of a store as every report shows it: it cannot control a terminal, hide a word or start a new line.
 * @param lines whether line breaks and tabs stay, as in a block of code
 */
export const printable = (text: string, lines = false): string =>
  text.replace(HIDDEN, character => {
    if (lines && /[\n\t]/.test(character)) return character
    const code = character.codePointAt(0) ?? 0
    const hex = code.toString(16)
    return SHORT[character] ?? (code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`)
  })

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text within HTML or XML. XML 1.0 §2.2 forbids hidden characters even as references. */
export const escaped = (text: string): string =>
  printable(text, true).replace(/[&<>"']/g, each => ENTITIES[each] ?? each)
