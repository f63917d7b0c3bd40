import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WireRequest } from './message.ts'

/** Milliseconds between the parts of a request that is not written at once. */
const PAUSE_MS = { 'split head': 10, split: 10, late: 150, chunked: 0 }

/** Request line and headers exactly as they are given (RFC 9112 §3, §5), and the body. */
export async function write(socket: Socket, request: WireRequest): Promise<void> {
  const { method, target, headers, body = '', version = '1.1', writing } = request
  const lines = [`${method} ${target} HTTP/${version}`, ...headers.map(each => each.join(': ').trimEnd())]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const content = typeof body === 'string' ? Buffer.from(body) : body
  const isChunked = writing === 'chunked' && request.body !== undefined
  const whole = Buffer.concat([head, ...(isChunked ? chunked(content) : [content])])
  const first = {
    'split head': head.length >> 1,
    split: head.length + Math.ceil(content.length / 2),
    late: head.length,
    chunked: whole.length,
  }[writing ?? 'chunked']
  socket.write(whole.subarray(0, first))
  if (writing === undefined || first === whole.length) return
  await sleep(PAUSE_MS[writing])
  // The store may have answered, and closed the connection.
  if (socket.writable) socket.write(whole.subarray(first))
}

/** RFC 9112 §7.1. */
const chunked = (content: Uint8Array): Uint8Array[] => {
  const size = Buffer.from(`${content.length.toString(16)}\r\n`)
  return [...(content.length > 0 ? [size, content, Buffer.from('\r\n')] : []), Buffer.from('0\r\n\r\n')]
}
