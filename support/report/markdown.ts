import { type Block, commaSeparated, type Text } from './document.ts'
import { printable } from './printable.ts'
import { standings } from './reading.ts'
import { exchangeLines, plainLine } from './terminal.ts'

/** Text of a store within Markdown, escaped so that none of it is markup, HTML or a mention. */
export const plain = (text: string): string =>
  printable(text)
    .replace(/[\\`*_{}[\]()#+!|<>~@&-]/g, '\\$&')
    // GitHub turns plain addresses into links.
    .replace(/:(?=\/\/)|(?<=\bwww)\./gi, '\\$&')

/** A code span that holds any text: fenced by more backticks than it contains. */
function codeSpan(text: string): string {
  // Two backticks without text would be the opening fence of another span.
  const shown = text.trim() === '' ? '(nothing)' : printable(text)
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${shown} ${fence}` : `${fence}${shown}${fence}`
}

/** A document for a pull request or a wiki. */
export const markdown = (blocks: readonly Block[]): string => `${parts(blocks, 3)}\n`

const parts = (blocks: readonly Block[], level: number): string =>
  blocks.map(block => part(block, level)).join('\n\n')

function line(text: Text): string {
  if (typeof text === 'string') return plain(text)
  if (!('as' in text)) return text.map(line).join('')
  switch (text.as) {
    case 'mark':
      return standings[text.standing].emoji
    case 'code':
    case 'command':
      return codeSpan(text.text)
    case 'strong':
      return `**${plain(text.text)}**`
    default:
      return line(text.text)
  }
}

function part(block: Block, level: number): string {
  switch (block.as) {
    case 'title':
      return `## ${block.standing ? `${standings[block.standing].emoji} ` : ''}${line(block.text)}`
    case 'paragraph':
      return `${block.isWarning ? '> ⚠️ ' : ''}${line(block.text)}`
    case 'facts':
      return block.facts.map(([label, text]) => `- **${line(label)}** ${line(text)}`).join('\n')
    case 'list':
      return block.items
        .map(
          ({ text, more = [] }) =>
            `- ${line(text)}${more.length > 0 ? `: ${line(commaSeparated(more))}` : ''}`,
        )
        .join('\n')
    case 'table':
    case 'picture':
      return ''
    case 'exchange':
      return fenced(exchangeLines(block))
    case 'section': {
      const { title, note, closed, finding, blocks } = block
      const about = note === undefined ? '' : ` (${note})`
      const inside = parts(blocks, level + 1)
      // Failures can be opened one by one, so that the summary fits a screen.
      return closed || finding
        ? `<details><summary>${entities(plainLine(title) + printable(about))}</summary>\n\n${inside}\n\n</details>`
        : `${'#'.repeat(level)} ${line(title)}${plain(about)}\n\n${inside}`
    }
  }
}

/** A block of code. Its lines are printable, and each begins with a mark of ours, so that none can end it. */
const fenced = (lines: readonly string[]): string => `\`\`\`sh\n${lines.join('\n')}\n\`\`\``

/** The text of an element, in which Markdown has no escapes. */
const entities = (text: string): string =>
  text.replace(/[&<>@`![\]]|:(?=\/\/)|(?<=\bwww)\./gi, each => `&#${each.charCodeAt(0)};`)
