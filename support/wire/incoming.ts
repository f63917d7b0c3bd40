import type { Socket } from 'node:net'
import { NoResponse } from './problems.ts'

/** Bytes of one line, and of a head. */
export const MAX_HEAD = 64 * 1024

/** Reads of the socket that may wait to be taken. Nobody takes what comes after a response. */
const MAX_WAITING = 1_000

export type Incoming = ReturnType<typeof incomingOn>

/** What a socket receives, to be taken in parts. */
export function incomingOn(socket: Socket) {
  const waiting: Buffer[] = []
  /** Why no more will come. */
  let end: Error | undefined
  let wake = () => {}
  const receive = (chunk: Buffer): void => {
    if (waiting.push(chunk) > MAX_WAITING) socket.destroy()
    wake()
  }
  const finish = (error?: unknown): void => {
    end ??= error instanceof Error ? error : new NoResponse('dropped')
    wake()
  }
  socket.on('error', finish).on('end', finish).on('close', finish).on('data', receive).resume()

  /** @returns at most so many bytes, or undefined once the connection has ended */
  const take = async (most: (first: Buffer) => number): Promise<Buffer | undefined> => {
    while (waiting.length === 0 && !end)
      await new Promise<void>(resolve => {
        wake = resolve
      })
    const first = waiting.shift()
    const taken = first?.subarray(0, most(first))
    if (first && taken && taken.length < first.length) waiting.unshift(first.subarray(taken.length))
    return taken
  }
  /** What was received and not taken. */
  const left = (): Buffer => Buffer.concat(waiting)

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
        const part = await take(bytes => bytes.indexOf('\n') + 1 || bytes.length)
        if (!part) throw end
        text += part.toString('latin1')
      }
      return text
    },
    /** So many bytes as they arrive, or with Infinity all until the connection ends. @throws if it ends before */
    async *bytes(count: number): AsyncGenerator<Buffer> {
      for (let missing = count; missing > 0; ) {
        const part = await take(() => missing)
        if (!part && count === Infinity && end instanceof NoResponse) return
        if (!part) throw end
        missing -= part.length
        yield part
      }
    },
  }
}
