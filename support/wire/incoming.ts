import type { Socket } from 'node:net'
import { NoResponse, within } from './problems.ts'

/** Bytes of one line, and of a head. */
export const MAX_HEAD = 64 * 1024

/** Reads of the socket that may wait to be taken. Nobody takes what comes after a response. */
const MAX_WAITING = 1_000

export type Incoming = ReturnType<typeof incomingOn>

/** What a socket receives, to be taken in parts. @param timeoutMs limit of each wait for more */
export function incomingOn(socket: Socket, timeoutMs: number) {
  let bytes: Buffer = Buffer.alloc(0)
  const later: Buffer[] = []
  /** Why no more will come. */
  let end: Error | undefined
  let wake = () => {}

  const receive = (chunk: Buffer): void => {
    if (later.push(chunk) > MAX_WAITING) socket.destroy()
    wake()
  }
  const finish = (error?: unknown): void => {
    end ??= error instanceof Error ? error : new NoResponse('dropped')
    wake()
  }
  socket.on('error', finish).on('end', finish).on('close', finish).on('data', receive).resume()

  /** Waits until something can be taken. @returns false once the connection has ended */
  const hasMore = async (): Promise<boolean> => {
    while (bytes.length === 0) {
      const arrival = new Promise<void>(resolve => {
        wake = resolve
      })
      const next = later.shift()
      if (next) bytes = next
      else if (end) return false
      else await within(timeoutMs, arrival)
    }
    return true
  }
  const take = (most: number): Buffer => {
    const taken = bytes.subarray(0, most)
    bytes = bytes.subarray(taken.length)
    return taken
  }
  /** What was received and not taken. */
  const left = (): Buffer => Buffer.concat([bytes, ...later])

  return {
    socket,
    left,
    hasEnded: (): boolean => end !== undefined,
    /** Leaves the socket to another reader. */
    release(): Socket {
      socket.off('data', receive).pause().unshift(left())
      return socket
    },
    /** A line with its line feed. Less if it is too long, or as soon as it does not begin as it must. @throws if the connection ends */
    async line(mayBegin: (text: string) => boolean = () => true): Promise<string> {
      let text = ''
      while (!text.endsWith('\n') && text.length <= MAX_HEAD && mayBegin(text)) {
        if (!(await hasMore())) throw end
        const at = bytes.indexOf('\n')
        text += take(at < 0 ? MAX_HEAD : at + 1).toString('latin1')
      }
      return text
    },
    /** So many bytes as they arrive, or with Infinity all until the connection ends. @throws if it ends before */
    async *bytes(count: number): AsyncGenerator<Buffer> {
      for (let missing = count; missing > 0; ) {
        if (!(await hasMore())) {
          if (count === Infinity && end instanceof NoResponse) return
          throw end
        }
        const part = take(missing)
        missing -= part.length
        yield part
      }
    },
  }
}
