import { stripVTControlCharacters, styleText } from 'node:util'
import {
  factsOf,
  type Item,
  nonEmpty,
  type Part,
  printable,
  responseLines,
  type ShownExchange,
  type Text,
} from './document.ts'
import { type Standing, standings } from './reading.ts'

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
  { colour = false, whole = false, width = Number.POSITIVE_INFINITY }: TerminalOptions = {},
): string {
  const text = nonEmpty(parts)
    .map(part => linesOf(part, whole, width).join('\n'))
    .join('\n\n')
  return colour ? text : stripVTControlCharacters(text)
}

const paint = (format: Parameters<typeof styleText>[0], lines: readonly string[]): string[] =>
  lines.map(each => styleText(format, each, { validateStream: false }))

const markOf = (standing: Standing | undefined): string =>
  standing ? `${paint(standings[standing].colour, [standings[standing].mark])} ` : ''

/**
 * Lines that break at spaces only, so that every id can be copied.
 * @param first before the first line @param hang before the others; by default they are aligned with the first
 */
function wrapped(
  text: Text,
  width: number,
  first = '',
  hang = ' '.repeat(stripVTControlCharacters(first).length),
): string[] {
  if (typeof text === 'object') return [first + printable(text.command)]
  const lines: string[] = []
  let line = ''
  for (const word of printable(text).split(' ')) {
    if (line !== '' && hang.length + line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((each, at) => (at === 0 ? first : hang) + each)
}

function linesOf(part: Part, whole: boolean, width: number): string[] {
  const { title, standing, note, closed } = part
  if (title === undefined) return contentOf(part, whole, width)
  const mark = markOf(standing)
  const about = note ? ` (${note})` : ''
  if (standing && closed && !whole) return wrapped(title + about, width, mark)
  const heading = standing ? title : `${title}${about}${/[.?]$/.test(title) ? '' : ':'}`
  const names = standing && note ? wrapped(note, width, '  ') : []
  const content = contentOf(part, whole, width - 2).map(each => (each === '' ? '' : `  ${each}`))
  return [...paint('bold', wrapped(heading, width, mark)), ...names, ...content]
}

/** Facts of short labels are in line with each other, from failure to failure. */
const LABEL = 8

function contentOf(part: Part, whole: boolean, width: number): string[] {
  const { verdict = '', standing = 'passed', warnings = [], items = [], text = '' } = part
  const facts = factsOf(part)
  const label = Math.max(LABEL, ...facts.map(([name]) => name.length)) + 2
  return [
    ...(verdict ? paint(['bold', standings[standing].colour], wrapped(verdict, width)) : []),
    ...warnings.flatMap(each => paint('yellow', wrapped(each, width, '! '))),
    ...facts.flatMap(([name, text]) => wrapped(text, width, name.padEnd(label))),
    ...items.flatMap(each => itemLines(each, whole, width)),
    ...(text ? wrapped(text, width) : []),
    ...(part.exchanges ?? []).flatMap(each => ['', ...exchangeLines(each)]),
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
  return [...wrapped(heading, width, markOf(standing), '  '), ...paint('dim', below)]
}

/** Requests of one command. If there are more, only the last one is shown. */
const CHAIN = 3

/** A request as `curl`, with its response or its problem. */
function exchangeLines(shown: ShownExchange): string[] {
  const { request, response, step } = shown.exchange
  const chain = request.curl.split(' --next ')
  const isLong = chain.length > CHAIN
  const before = `# after ${chain.length - 1} requests on the same connection, which conformance.html has`
  return [
    ...(step ? [`${step}:`] : []),
    ...(isLong ? [before] : []),
    `$ ${isLong ? `curl ${chain.at(-1)}` : request.curl}`,
    ...responseLines(shown).map(each => `${response ? '<' : '!'} ${each}`),
  ].map(each => printable(each))
}
