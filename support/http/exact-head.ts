import type { Socket } from 'node:net'
import type { Header } from './exchange.ts'

/** Request line and headers as they are sent, byte for byte (RFC 9112 §3, §5). */
export const headOf = ({ method, target, headers, version }: Head): string =>
  `${method} ${target} HTTP/${version ?? '1.1'}\r\n${headers.map(([name, value]) => `${`${name}: ${value}`.trimEnd()}\r\n`).join('')}\r\n`

interface Head {
  readonly method: string
  readonly target: string
  readonly headers: readonly Header[]
  readonly version?: '1.0' | undefined
}

const NAME = 'x-exact-head'
const MARK = new RegExp(`\\r\\n${NAME}: ([0-9]+)\\r\\n`)

/**
 * Sends heads exactly as they are given. The HTTP client writes some names in lower case, adds headers and refuses to repeat one; a
 * head that carries a mark is replaced on its way to the socket.
 */
export interface ExactHeads {
  /** @returns the header that marks a request, to be given to the HTTP client instead of its headers */
  mark(head: string): Header
  /** Forgets a head that has been sent. */
  forget(mark: Header): void
  watch(socket: Socket): void
}

export function exactHeads(): ExactHeads {
  const heads = new Map<string, string>()
  let marked = 0
  const exact = (written: string): string => heads.get(MARK.exec(written)?.[1] ?? '') ?? written
  return {
    mark(head) {
      marked += 1
      heads.set(String(marked), head)
      return [NAME, String(marked)]
    },
    forget: ([, mark]) => void heads.delete(mark),
    watch(socket) {
      const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
      socket.write = (chunk: unknown, ...rest: unknown[]) =>
        write(typeof chunk === 'string' ? exact(chunk) : chunk, ...rest)
    },
  }
}
