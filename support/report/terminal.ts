import { stripVTControlCharacters, styleText } from 'node:util'
import { type Block, responseLines, type Section, type ShownExchange, type Text } from './document.ts'
import { printable } from './printable.ts'
import { standings } from './reading.ts'

export interface TerminalOptions {
  readonly colour?: boolean
  /** Columns. Without them, lines are not wrapped: the viewer of a log wraps them itself. */
  readonly width?: number | undefined
  /** Whether closed findings are shown whole, and not as a line each. */
  readonly whole?: boolean
}

/** A document for a terminal. Text of a store has no control characters, so only our own colours are removed. */
export function terminal(
  blocks: readonly Block[],
  { colour = false, whole = false, width = Number.POSITIVE_INFINITY }: TerminalOptions = {},
): string {
  const text = blocks.map(block => linesOf(block, whole, width).join('\n')).join('\n\n')
  return colour ? text : stripVTControlCharacters(text)
}

const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
  styleText(format, text, { validateStream: false })

function line(text: Text): string {
  if (typeof text === 'string') return printable(text)
  if (!('as' in text)) return text.map(line).join('')
  if (text.as !== 'mark') return line(text.text)
  const { colour, mark } = standings[text.standing]
  return paint(colour, mark)
}

/** A line without colours. */
export const plainLine = (text: Text): string => stripVTControlCharacters(line(text))

const widthOf = (text: string): number => stripVTControlCharacters(text).length

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

/** After a prefix, with which they are aligned. A command stays on one line, so that it can be pasted. */
const lines = (text: Text, width: number, prefix = ''): string[] =>
  typeof text === 'object' && 'as' in text && text.as === 'command'
    ? [prefix + line(text)]
    : wrapped(prefix + line(text), width, ' '.repeat(prefix.length))

const indented = (lines: readonly string[]): string[] => lines.map(each => (each === '' ? '' : `  ${each}`))

/** Facts of short labels are in line with each other, from failure to failure. */
const LABEL = 8

/** Names of rules that are shown without --verbose. */
const NAMES = 4

function linesOf(block: Block, whole: boolean, width: number): string[] {
  switch (block.as) {
    case 'title':
      return wrapped(line(block.text), width).map(each =>
        paint(['bold', standings[block.standing].colour], each),
      )
    case 'paragraph':
      return block.isWarning
        ? wrapped(`! ${line(block.text)}`, width, '  ').map(each => paint('yellow', each))
        : lines(block.text, width)
    case 'facts': {
      const label = Math.max(LABEL, ...block.facts.map(([name]) => name.length)) + 2
      return block.facts.flatMap(([name, text]) => lines(text, width, printable(name).padEnd(label)))
    }
    case 'list':
      return block.items.flatMap(({ text, more = [] }) => {
        const shown =
          whole || more.length <= NAMES ? more : [...more.slice(0, NAMES), `and ${more.length - NAMES} more`]
        const below = more.length === 0 ? [] : wrapped(shown.map(line).join(', '), width - 4)
        const names = below.map(each => `    ${paint('dim', each)}`)
        return [...wrapped(line(text), width, '  '), ...names]
      })
    case 'html':
      return []
    case 'exchange':
      return exchangeLines(block)
    case 'section':
      return sectionLines(block, whole, width)
  }
}

function sectionLines({ title, note = '', finding, closed, blocks }: Section, whole: boolean, width: number) {
  const heading = line(title)
  const about = note === '' ? '' : ` (${printable(note)})`
  if (finding && closed && !whole) return wrapped(heading + about, width, '  ')
  const content = indented(
    blocks.flatMap(each => [...(each.as === 'exchange' ? [''] : []), ...linesOf(each, whole, width - 2)]),
  )
  const bold = (text: string, hang = '') => wrapped(text, width, hang).map(each => paint('bold', each))
  return finding
    ? [...bold(heading, '  '), ...indented(wrapped(printable(note), width - 2, '  ')), ...content]
    : [...bold(`${heading}${about}${/[.?]$/.test(heading) ? '' : ':'}`), ...content]
}

/** Characters of a body: of the exchange that decides, and of those before it. */
const BODY = { decides: 400, before: 160 }

/** Requests of one command. If there are more, only the last one is shown. */
const CHAIN = 3

/** A request as `curl`, with its response or its problem. */
function exchangeLines(shown: ShownExchange): string[] {
  const { request, response, step } = shown.exchange
  const chain = request.curl.split(' --next ')
  const before = chain.length > CHAIN ? chain.splice(0, chain.length - 1) : []
  const got = responseLines(shown, shown.decides ? BODY.decides : BODY.before)
  return [
    ...(step ? [`${printable(step)}:`] : []),
    ...(before.length > 0
      ? [`# after ${before.length} requests on the same connection, which conformance.html has`]
      : []),
    `$ ${before.length > 0 ? 'curl ' : ''}${printable(chain.join(' --next '))}`,
    ...got.map(each => `${response ? '<' : '!'} ${printable(each)}`),
  ]
}
