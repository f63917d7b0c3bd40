import type { Header } from './exchange.ts'

/** Bytes of a head that are held back until it is complete. Longer heads are left to the HTTP parser, which refuses them. */
const LONGEST = 64 * 1024

const HIDDEN = 'x-hidden-'

/**
 * Reads the heads of responses before the HTTP parser, and hides from it the headers that it refuses and RFC 9112 §6.3 says how to
 * read. It also hides each 100, which the HTTP client takes for an error, because it never asks for one.
 */
export class HeadReader {
  #held: Buffer = Buffer.alloc(0)
  #isPast = false
  #head = ''

  /** The next bytes begin a response. */
  begin(): void {
    this.#held = Buffer.alloc(0)
    this.#isPast = false
    this.#head = ''
  }

  /** What in the latest head is no HTTP, in words. Undefined if nothing is, or no head was received. */
  get flaw(): string | undefined {
    return flawIn(this.#head)
  }

  /** @returns what the parser gets. Empty while a head is incomplete */
  read(chunk: Buffer): Buffer {
    if (this.#isPast) return chunk
    let rest = Buffer.concat([this.#held, chunk])
    const parsed: Buffer[] = []
    while (!this.#isPast) {
      const [head, status] = headIn(rest)
      if (head === undefined) break
      this.#head = head
      rest = rest.subarray(head.length)
      this.#isPast = !status.startsWith('1') || status === '101'
      if (status !== '100') parsed.push(Buffer.from(framedOnce(head, status), 'latin1'))
    }
    if (!this.#isPast && !mayBeHead(rest)) {
      this.#isPast = true
      this.#head = rest.toString('latin1', 0, LONGEST)
    }
    this.#held = this.#isPast ? Buffer.alloc(0) : rest
    return Buffer.concat(this.#isPast ? [...parsed, rest] : parsed)
  }
}

function headIn(bytes: Buffer): [head: string | undefined, status: string] {
  const text = bytes.toString('latin1', 0, LONGEST)
  const [head, status = ''] = /^[\r\n]*HTTP\/1\.[01] ([0-9]{3}).*?\r?\n\r?\n/s.exec(text) ?? []
  return [head, status]
}

/** Anything else is given to the parser at once, which refuses it. */
function mayBeHead(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, LONGEST).replace(/^[\r\n]+/, '')
  return text.length < LONGEST && 'HTTP/1.'.startsWith(text.slice(0, 7)) && !/\n\r?\n/.test(text)
}

/** RFC 9112 §4 and §5, RFC 9110 §5.6.2 and §8.6. */
function flawIn(head: string): string | undefined {
  const [text = '', end] = head.trimStart().split(/(\r?\n\r?\n)/)
  const [first = '', ...lines] = text.split('\r\n')
  if (first === '') return undefined
  if (!/^HTTP\/1\.[01] [0-9]{3}( [^\r\n]*)?$/.test(first))
    return `its first line ${shown(first)} is malformed`
  // The last line of a head without an end may be cut.
  if (end === undefined) lines.pop()
  const malformed = lines.find(line => !/^[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*$/.test(line))
  if (malformed !== undefined) return `its header ${shown(malformed)} is malformed`
  const lengths = lines.filter(line => /^content-length:/i.test(line))
  const values = valuesOf(head, 'content-length')
  if (values.some(each => !/^[0-9]+$/.test(each)))
    return `its header ${shown(lengths.join(', '))} is not a length`
  return new Set(values).size > 1 ? `it has more than one length: ${shown(lengths.join(', '))}` : undefined
}

const SHOWN = 100

/** A word that would be cut is left out: it may be a secret, which is found only whole. */
const shown = (line: string): string =>
  JSON.stringify(line.length > SHOWN ? `${line.slice(0, SHOWN).replace(/[^\s:=,;]*$/, '')}…` : line)

/** RFC 9112 §6.3: which headers say where the body ends. */
function framedOnce(head: string, status: string): string {
  const lengths = valuesOf(head, 'content-length')
  const isTransferCoded = valuesOf(head, 'transfer-encoding').length > 0
  if (/^(1..|204|304)$/.test(status)) return hidden(hidden(head, 'content-length'), 'transfer-encoding')
  if (isTransferCoded) return hidden(head, 'content-length')
  const isRepeated = lengths.length > 1 && new Set(lengths).size === 1
  return isRepeated
    ? hidden(head, 'content-length').replace(/(?=\r?\n\r?\n$)/, `\r\nContent-Length: ${lengths[0]}`)
    : head
}

const valuesOf = (head: string, name: string): string[] =>
  [...head.matchAll(new RegExp(`^${name}:(.*)$`, 'gim'))].flatMap(([, value = '']) =>
    value.split(',').map(each => each.trim()),
  )

const hidden = (head: string, name: string): string =>
  head.replaceAll(new RegExp(`^${name}(?=:)`, 'gim'), `${HIDDEN}$&`)

/** The headers as they were received. */
export function withHidden(headers: readonly Header[]): readonly Header[] {
  const isHidden = ([name]: Header) => name.startsWith(HIDDEN)
  if (!headers.some(isHidden)) return headers
  return headers.flatMap((header): Header[] => {
    const [name, value] = header
    if (isHidden(header)) return [[name.slice(HIDDEN.length), value]]
    return /^content-length$/i.test(name) ? [] : [header]
  })
}
