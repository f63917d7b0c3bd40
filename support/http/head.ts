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

  /** The next bytes begin a response. */
  begin(): void {
    this.#held = Buffer.alloc(0)
    this.#isPast = false
  }

  /** @returns what the parser gets. Empty while a head is incomplete */
  read(chunk: Buffer): Buffer {
    if (this.#isPast) return chunk
    let rest = Buffer.concat([this.#held, chunk])
    const shown: Buffer[] = []
    while (!this.#isPast) {
      const [head, status] = headIn(rest)
      if (head === undefined) break
      rest = rest.subarray(head.length)
      this.#isPast = !status.startsWith('1') || status === '101'
      if (status !== '100') shown.push(Buffer.from(framedOnce(head, status), 'latin1'))
    }
    this.#isPast ||= !mayBeHead(rest)
    this.#held = this.#isPast ? Buffer.alloc(0) : rest
    return Buffer.concat(this.#isPast ? [...shown, rest] : shown)
  }
}

function headIn(bytes: Buffer): [head: string | undefined, status: string] {
  const text = bytes.toString('latin1', 0, LONGEST)
  const [head, status = ''] = /^[\r\n]*HTTP\/1\.[01] ([0-9]{3}).*?\r?\n\r?\n/s.exec(text) ?? []
  return [head, status]
}

/** Anything else is given to the parser at once, which refuses it. */
const mayBeHead = (bytes: Buffer): boolean =>
  bytes.length < LONGEST &&
  'HTTP/1.'.startsWith(/[^\r\n].{0,6}|$/s.exec(bytes.toString('latin1', 0, 64))?.[0] ?? '')

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
