import { stripVTControlCharacters, styleText } from 'node:util'
import {
  type Block,
  commaSeparated,
  excerpt,
  type Section,
  type ShownExchange,
  type Text,
  tellingHeaders,
} from './document.ts'
import { printable } from './printable.ts'
import { standings } from './reading.ts'

type Format = Parameters<typeof styleText>[0]

const paint = (format: Format, text: string): string => styleText(format, text, { validateStream: false })

interface Options {
  readonly colour?: boolean
  /** Columns. Without them, lines are not wrapped. */
  readonly width?: number | undefined
  /** Whether closed findings are shown whole, and not as a line each. */
  readonly whole?: boolean
}

/** A document for a terminal. Text of a store has no control characters, so only our own colours are removed. */
export function terminal(
  blocks: readonly Block[],
  { colour = false, whole = false, width = Number.POSITIVE_INFINITY }: Options = {},
): string {
  const lines = blocks.flatMap((block, at) => [...(at === 0 ? [] : ['']), ...linesOf(block, whole, width)])
  return colour ? lines.join('\n') : stripVTControlCharacters(lines.join('\n'))
}

/** A line without colours. */
export const plainLine = (text: Text): string => stripVTControlCharacters(line(text))

function line(text: Text): string {
  if (typeof text === 'string') return printable(text)
  if (!('as' in text)) return text.map(line).join('')
  switch (text.as) {
    case 'mark':
      return paint(standings[text.standing].colour, standings[text.standing].mark)
    case 'strong':
      return paint('bold', printable(text.text))
    case 'note':
      return paint('dim', printable(text.text))
    default:
      return line(text.text)
  }
}

const widthOf = (text: string): number => stripVTControlCharacters(text).length

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** Breaks at spaces only, so that no id is broken and can be copied. @param hang before each line but the first */
function wrapped(text: string, width: number, hang = ''): string[] {
  if (widthOf(text) <= width) return [text]
  const lines: string[] = []
  let current = ''
  for (const word of text.split(' ')) {
    if (current.trim() !== '' && widthOf(current) + 1 + widthOf(word) > width) {
      lines.push(current)
      current = hang + word
    } else current = current === '' ? word : `${current} ${word}`
  }
  return [...lines, current]
}

/** Behind a prefix, with which all lines are aligned. A command stays on one line, so that it can be pasted. */
function aligned(prefix: string, text: Text, width: number): string[] {
  const hang = ' '.repeat(widthOf(prefix))
  const isCommand = typeof text === 'object' && 'as' in text && text.as === 'command'
  return isCommand ? [prefix + line(text)] : wrapped(prefix + line(text), width, hang)
}

const indented = (lines: readonly string[]): string[] => lines.map(each => (each === '' ? '' : `  ${each}`))

/** Facts of short labels are in line with each other, from failure to failure. */
const LABEL = 8

/** Names of rules that are shown without --verbose. */
const NAMES = 4

function linesOf(block: Block, whole: boolean, width: number): string[] {
  switch (block.as) {
    case 'title':
      return wrapped(line(block.text), width).map(each =>
        paint(['bold', standings[block.standing ?? 'passed'].colour], each),
      )
    case 'paragraph':
      return block.isWarning
        ? wrapped(`! ${line(block.text)}`, width, '  ').map(each => paint('yellow', each))
        : wrapped(line(block.text), width)
    case 'facts': {
      const label = Math.max(LABEL, ...block.facts.map(([each]) => widthOf(line(each))))
      return block.facts.flatMap(([name, text]) => aligned(`${padded(line(name), label)}  `, text, width))
    }
    case 'list':
      return block.items.flatMap(({ text, more = [] }) => {
        const shown =
          whole || more.length <= NAMES ? more : [...more.slice(0, NAMES), `and ${more.length - NAMES} more`]
        const below = wrapped(`    ${line(commaSeparated(shown))}`, width, '    ')
        return [
          ...wrapped(line(text), width, '  '),
          ...(more.length === 0 ? [] : below.map(each => paint('dim', each))),
        ]
      })
    case 'table':
      return tableLines([block.head, ...block.rows].map(row => row.map(line)))
    case 'picture':
      return []
    case 'exchange':
      return ['', ...exchangeLines(block)]
    case 'section':
      return sectionLines(block, whole, width)
  }
}

function sectionLines(
  { title, note, finding, closed, blocks }: Section,
  whole: boolean,
  width: number,
): string[] {
  const about = note === undefined ? '' : ` (${printable(note)})`
  const heading = line(title) + (finding && !closed ? '' : about)
  if (finding && closed && !whole) return wrapped(heading, width, '  ')
  return [
    ...wrapped(finding || /[.?]$/.test(heading) ? heading : `${heading}:`, width, finding ? '  ' : '').map(
      each => (finding ? each : paint('bold', each)),
    ),
    ...indented([
      ...(finding && !closed && note !== undefined ? wrapped(printable(note), width - 2, '  ') : []),
      ...blocks.flatMap(each => linesOf(each, whole, width - 2)),
    ]),
  ]
}

function tableLines(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows
  const widths = head.map((_cell, at) => Math.max(...rows.map(row => widthOf(row[at] ?? ''))))
  return rows.map(row =>
    row
      .map((cell, at) => padded(cell, widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Characters of a body: of the exchange that decides, and of those before it. */
const BODY = { decides: 400, before: 160 }

/** Requests of one command. If there are more, only the last one is shown. */
const CHAIN = 3

/** A request as `curl`, with its response or its problem. */
export function exchangeLines({ exchange, decides, about }: ShownExchange): string[] {
  const { request, response, problem, step } = exchange
  const chain = request.curl.split(' --next ')
  const before = chain.length > CHAIN ? chain.splice(0, chain.length - 1) : []
  const lines = [
    ...(step ? [`${printable(step)}:`] : []),
    ...(before.length > 0
      ? [`# after ${before.length} requests on the same connection, which conformance.html has`]
      : []),
    `$ ${before.length > 0 ? 'curl ' : ''}${printable(chain.join(' --next '))}`,
  ]
  if (!response) return [...lines, `! ${printable(problem?.message ?? 'no response')}`]
  const headers = tellingHeaders(response).map(([name, value]) => `< ${name}: ${printable(value)}`)
  const body = excerpt(response, decides ? BODY.decides : BODY.before, about)
  return [
    ...lines,
    `< ${response.status}`,
    ...(decides ? headers : []),
    ...(body === '' ? [] : [`< ${printable(body)}`]),
  ]
}
