import { stripVTControlCharacters, styleText } from 'node:util'
import { type Exchange, header } from '../http/exchange.ts'
import { type Block, commaSeparated, type Section, type Text } from './document.ts'
import { printable } from './printable.ts'
import { standings } from './reading.ts'

type Format = Parameters<typeof styleText>[0]

const paint = (format: Format, text: string): string => styleText(format, text, { validateStream: false })

interface Options {
  readonly colour?: boolean
  /** Whether closed findings are shown whole, and not as a line each. */
  readonly whole?: boolean
}

/** A document for a terminal. Text of a store has no control characters, so only our own colours are removed. */
export function terminal(blocks: readonly Block[], { colour = false, whole = false }: Options = {}): string {
  const isLine = (block: Block | undefined) => block?.as === 'section' && isClosedFinding(block) && !whole
  const lines = blocks.flatMap((block, at) => [
    ...(at === 0 || (isLine(block) && isLine(blocks[at - 1])) ? [] : ['']),
    ...linesOf(block, whole),
  ])
  return colour ? lines.join('\n') : stripVTControlCharacters(lines.join('\n'))
}

const isClosedFinding = ({ finding, closed }: Section): boolean => finding !== undefined && closed === true

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

const indented = (lines: readonly string[]): string[] => lines.map(each => (each === '' ? '' : `  ${each}`))

/** Facts of short labels are in line with each other, from failure to failure. */
const LABEL = 8

const widthOf = (text: string): number => stripVTControlCharacters(text).length

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

function linesOf(block: Block, whole: boolean): string[] {
  switch (block.as) {
    case 'title':
      return [paint(['bold', standings[block.standing ?? 'passed'].colour], line(block.text))]
    case 'paragraph':
      return [block.isWarning ? paint('yellow', `! ${line(block.text)}`) : line(block.text)]
    case 'facts': {
      const width = Math.max(LABEL, ...block.facts.map(([label]) => widthOf(line(label))))
      return block.facts.map(([label, text]) => `${padded(line(label), width)}  ${line(text)}`)
    }
    case 'list':
      return block.items.flatMap(({ text, more = [] }) => [
        line(text),
        ...(more.length === 0 ? [] : [paint('dim', `    ${line(commaSeparated(more))}`)]),
      ])
    case 'table':
      return tableLines([block.head, ...block.rows].map(row => row.map(line)))
    case 'exchange':
      return exchangeLines(block.exchange)
    case 'section': {
      const { title, note, finding, blocks } = block
      const heading = line(title) + (note === undefined ? '' : ` (${printable(note)})`)
      if (isClosedFinding(block) && !whole) return [heading]
      return [
        finding ? line(title) : paint('bold', heading.endsWith('.') ? heading : `${heading}:`),
        ...indented(blocks.flatMap(each => linesOf(each, whole))),
      ]
    }
  }
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

/** Response headers that rules judge or that explain a response. */
const TELLING = [
  'content-type',
  'content-length',
  'content-encoding',
  'location',
  'retry-after',
  'www-authenticate',
  'allow',
]

const BODY_SHOWN = 600

/** A request as `curl`, with its response or its problem. */
function exchangeLines({ request, response, problem, step }: Exchange): string[] {
  const lines = ['', ...(step ? [`${printable(step)}:`] : []), `$ ${printable(request.curl)}`]
  if (!response) return [...lines, `! ${printable(problem?.message ?? 'no response')}`]
  const headers = TELLING.flatMap(name => {
    const value = header(response, name)
    return value === undefined ? [] : [`< ${name}: ${printable(value)}`]
  })
  const { body, wholeLength = body.length } = response
  const more = body.length > BODY_SHOWN ? `… (${wholeLength - BODY_SHOWN} more characters)` : ''
  const shown = body === '' ? [] : [`< ${printable(body.slice(0, BODY_SHOWN))}${more}`]
  return [...lines, `< ${response.status}`, ...headers, ...shown]
}
