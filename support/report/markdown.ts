import type { Block, Text } from './document.ts'
import { printable } from './printable.ts'
import { standings } from './reading.ts'
import { plainLine, terminal } from './terminal.ts'

/** Text of a store within Markdown, escaped so that none of it is markup, HTML or a mention. */
export const plain = (text: string): string =>
  printable(text)
    .replace(/[\\`*_{}[\]()#+!|<>~@&-]/g, '\\$&')
    // GitHub turns plain addresses into links.
    .replace(/:(?=\/\/)|(?<=\bwww)\./gi, '\\$&')

/** A document for a pull request or a wiki. Of the details it shows what a terminal does. */
export const markdown = (blocks: readonly Block[]): string =>
  `${blocks.map(part).filter(Boolean).join('\n\n')}\n`

function line(text: Text): string {
  if (typeof text === 'string') return plain(text)
  if (!('as' in text)) return text.map(line).join('')
  return text.as === 'mark' ? standings[text.standing].emoji : line(text.text)
}

/** Columns of a block of code, which does not wrap lines. */
const WIDTH = 100

function part(block: Block): string {
  switch (block.as) {
    case 'title':
      return `## ${standings[block.standing].emoji} ${line(block.text)}`
    case 'paragraph':
      return `${block.isWarning ? '> ⚠️ ' : ''}${line(block.text)}`
    case 'facts':
      return block.facts.map(([label, text]) => `- ${plain(label)}: ${line(text)}`).join('\n')
    case 'list':
      return block.items
        .map(
          ({ text, more = [] }) =>
            `- ${line(text)}${more.length > 0 ? `: ${more.map(line).join(', ')}` : ''}`,
        )
        .join('\n')
    case 'section': {
      const { title, note, closed, finding, blocks } = block
      const about = note === undefined ? '' : ` (${note})`
      // Failures can be opened one by one, so that the summary fits a screen.
      return closed || finding
        ? `<details><summary>${entities(plainLine(title) + printable(about))}</summary>\n\n${fenced(blocks)}\n\n</details>`
        : `### ${line(title)}${plain(about)}\n\n${blocks.map(part).join('\n\n')}`
    }
    default:
      return block.as === 'html' ? '' : fenced([block])
  }
}

/** With more backticks than the text has in a row, so that none of it ends the code. */
function fenced(blocks: readonly Block[]): string {
  const text = terminal(blocks, { whole: true, width: WIDTH })
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}\n${text.trim()}\n${fence}`
}

/** The text of an element, in which Markdown has no escapes. */
const entities = (text: string): string =>
  text.replace(/[&<>@`![\]]|:(?=\/\/)|(?<=\bwww)\./gi, each => `&#${each.charCodeAt(0)};`)
