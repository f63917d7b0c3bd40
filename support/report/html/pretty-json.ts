import { parseJson } from '../../http/json.ts'

const WIDTH = 124
/** A longer body is not formatted. */
const LIMIT = 300_000

/**
 * JSON with line breaks and indentation. Every token stays as it was sent: spelling of numbers, escapes, repeated names.
 * `undefined` for a text that is not a JSON array or object.
 */
export function prettyJson(text: string): string | undefined {
  if (text.length > LIMIT || !/^\s*[[{]/.test(text)) return undefined
  try {
    parseJson(text)
  } catch {
    return undefined
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? []
  return format(tokens[Symbol.iterator](), '')
}

/** Reads one value from its first token. A value that fits in one line stays in one line. */
function format(tokens: IterableIterator<string>, indent: string, first = next(tokens)): string {
  if (first !== '[' && first !== '{') return first
  const inner = `${indent}  `
  const close = first === '[' ? ']' : '}'
  const items: string[] = []
  let token = next(tokens)
  while (token !== close) {
    if (token === ',') token = next(tokens)
    if (first === '{') {
      next(tokens)
      items.push(`${token}: ${format(tokens, inner)}`)
    } else items.push(format(tokens, inner, token))
    token = next(tokens)
  }
  if (items.length === 0) return first + close
  const line = first === '[' ? `[${items.join(', ')}]` : `{ ${items.join(', ')} }`
  if (indent.length + line.length <= WIDTH && !line.includes('\n')) return line
  return `${first}\n${items.map(item => inner + item).join(',\n')}\n${indent}${close}`
}

const next = (tokens: IterableIterator<string>): string => tokens.next().value as string
