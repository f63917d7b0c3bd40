import { stripVTControlCharacters, styleText } from 'node:util'
import { HIDDEN } from '../wire/curl.ts'
import type { ReportedExchange } from '../wire/exchange.ts'
import { type Standing, standings } from './reading.ts'

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
  /** By what links of a page find it. */
  readonly id?: string
  /** Whether a page shows only the title until the reader opens it. Of a rule, a terminal shows only the title. */
  readonly closed?: boolean
  /** Those without a text are left out. */
  readonly facts?: readonly (readonly [label: string, text: Text | undefined | false])[] | undefined
  readonly items?: readonly Item[]
  readonly text?: Text
  readonly exchanges?: readonly ShownExchange[]
  readonly parts?: readonly Part[]
  /** Only pages show it. */
  readonly html?: { readonly source: string } | undefined
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
}

export interface ShownExchange extends ReportedExchange {
  /** The id of the order or pet that it is about. Of a long body, the part around it is shown. */
  readonly about?: string | undefined
}

export const factsOf = ({ facts = [] }: Part) =>
  facts.filter((fact): fact is [label: string, text: Text] => Boolean(fact[1]))

/** Parts that say nothing are left out, with their titles. */
export const nonEmpty = (parts: readonly Part[] = []): Part[] =>
  parts.filter(
    ({ verdict, text, html, facts = [], items = [], parts = [] }) =>
      verdict || text || html || facts.length + items.length + parts.length > 0,
  )

/** Response headers that rules judge or that explain a response. */
const TELLING = /^(content-(type|length|encoding)|location|retry-after|www-authenticate|allow)$/i

/** Characters of a body. */
const BODY = 600

/** A response, line by line: its status, the telling headers, and its body, of which each element has a line. */
export function responseLines({ response, problem, about }: ShownExchange): string[] {
  if (!response) return [`no response: ${problem?.message ?? 'no cause is recorded'}`]
  const { status, body, wholeLength = body.length } = response
  const headers = response.headers.filter(([name]) => TELLING.test(name)).map(each => each.join(': '))
  const found = about === undefined ? -1 : body.search(new RegExp(`[:"\\s]${about}(?![\\d.])`))
  const from = body.length <= BODY || found < BODY ? 0 : found - BODY / 2
  const left = wholeLength - from - BODY
  const shown = `${from > 0 ? '… ' : ''}${body.slice(from, from + BODY)}${left > 0 ? `… (${left} more characters)` : ''}`
  const elements = body === '' ? [] : shown.replace(/(?<=[}\]]),(?=[{[])/g, ',\n').split('\n')
  return [`${status}`, ...headers, ...elements]
}

/**
 * Text of a store as every report shows it: it cannot control a terminal, hide a word or start a new line.
 * @param lines whether line breaks and tabs stay, as in a block of code
 */
export const printable = (text: string, lines = false): string =>
  text.replace(HIDDEN, character => {
    if (lines && /[\n\t]/.test(character)) return character
    const json = JSON.stringify(character).slice(1, -1)
    return json === character ? `\\u{${character.codePointAt(0)?.toString(16)}}` : json
  })

/** Text within HTML or XML. XML 1.0 §2.2 forbids hidden characters even as references. */
export const escaped = (text: string): string =>
  printable(text, true).replace(/[&<>"']/g, each => `&#${each.charCodeAt(0)};`)

export interface TerminalOptions {
  readonly colour?: boolean
  /** Columns. Without them, lines are not wrapped: the viewer of a log wraps them itself. */
  readonly width?: number | undefined
  /** Whether closed findings are shown whole, and not as a line each. */
  readonly whole?: boolean
}

/** A document for a terminal. Text of a store has no control characters, so only our own colours are removed. */
export function terminal(
  parts: readonly Part[],
  { colour = false, whole = false, width = Number.MAX_SAFE_INTEGER }: TerminalOptions = {},
): string {
  const texts = nonEmpty(parts).map(part => linesOf(part, whole, width).join('\n'))
  return colour ? texts.join('\n\n') : stripVTControlCharacters(texts.join('\n\n'))
}

const paint = (format: Parameters<typeof styleText>[0], lines: readonly string[]): string[] =>
  lines.map(each => styleText(format, each, { validateStream: false }))

const markOf = (standing?: Standing): string =>
  standing ? `${paint(standings[standing].colour, [standings[standing].mark])} ` : ''

/** Lines that break at spaces only, so that every id can be copied. @param first before the first line, with which all are aligned */
function wrapped(text: Text, width: number, first = ''): string[] {
  if (typeof text === 'object') return [first + printable(text.command)]
  const hang = ' '.repeat(stripVTControlCharacters(first).length)
  const room = Math.max(1, width - hang.length)
  // As many words as fit, or one that does not.
  const line = new RegExp(`(?! )(?:\\S{${room},}|.{0,${room - 1}}\\S)(?= |$)`, 'g')
  return (printable(text).match(line) ?? ['']).map((each, at) => (at === 0 ? first : hang) + each)
}

function linesOf(part: Part, whole: boolean, width: number): string[] {
  const { title, standing, closed } = part
  if (title === undefined) return contentOf(part, whole, width)
  const heading = wrapped(title, width, markOf(standing))
  if (standing && closed && !whole) return heading
  const content = contentOf(part, whole, width - 2).map(each => each && `  ${each}`)
  return [...paint('bold', heading), ...content]
}

function contentOf(part: Part, whole: boolean, width: number): string[] {
  const { verdict = '', standing = 'passed', items = [], text = '', exchanges = [] } = part
  const facts = factsOf(part)
  // The facts of all failures are in line with each other.
  const label = Math.max('expected'.length, ...facts.map(([name]) => name.length)) + 2
  return [
    ...(verdict ? paint(['bold', standings[standing].colour], wrapped(verdict, width)) : []),
    ...facts.flatMap(([name, text]) => wrapped(text, width, name.padEnd(label))),
    ...items.flatMap(each => itemLines(each, whole, width)),
    ...(text ? wrapped(text, width) : []),
    ...exchanges.flatMap(exchangeLines),
    ...nonEmpty(part.parts).flatMap(each => linesOf(each, whole, width)),
  ]
}

/** Names of rules that are shown without --verbose. */
const NAMES = 4

function itemLines({ standing, name, text, more = [] }: Item, whole: boolean, width: number): string[] {
  const isLong = !whole && more.length > NAMES
  const shown = isLong ? [...more.slice(0, NAMES), `and ${more.length - NAMES} more`] : more
  const below = shown.length === 0 ? [] : wrapped(shown.join(', '), width, '    ')
  const heading = name === undefined ? text : `${name} ${text}`
  return [...wrapped(heading, width, markOf(standing)), ...paint('dim', below)]
}

/** Requests of one command. If there are more, only the last one is shown. */
const CHAIN = 3

/** A request as `curl`, with its response or its problem. */
function exchangeLines(shown: ShownExchange): string[] {
  const { request, response, step } = shown
  const chain = request.curl.split(' --next ')
  const isLong = chain.length > CHAIN
  const before = `# after ${chain.length - 1} requests on the same connection, which conformance.html has`
  const lines = [
    `${step}:`,
    ...(isLong ? [before] : []),
    `$ ${isLong ? `curl ${chain.at(-1)}` : request.curl}`,
    ...responseLines(shown).map(each => `${response ? '<' : '!'} ${each}`),
  ]
  return ['', ...lines.map(each => printable(each))]
}
