import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { deflateSync } from 'node:zlib'
import { type PlainStore, plainStore } from '../cli/testing/store.ts'

const MB = 1024 * 1024

/** Responses that are larger or stranger than those of any real store. Each is sent for both lists. */
export const hostileAnswers: Readonly<Record<string, (nth: number) => Iterable<string>>> = {
  *'one string of 50 MB'() {
    yield '[{"id":"'
    for (let sent = 0; sent < 50; sent += 1) yield 'x'.repeat(MB)
    yield '"}]'
  },
  *'300,000 member names'() {
    yield `[{${Array.from({ length: 300_000 }, (_, at) => `"name${at}":${at}`).join()}}]`
  },
  *'30 MB of spaces'() {
    for (let sent = 0; sent < 30; sent += 1) yield ' '.repeat(MB)
    yield '[]'
  },
  'a list of 20 MB that is new at each read': nth => listOf(20, nth * 1_000_000),
  *'100,000 wrong orders'() {
    yield `[${Array.from({ length: 100_000 }, (_, at) => `{"id":"${at}","quantity":null}`).join()}]`
  },
  'a list of 60 MB': () => listOf(60, 0),
  *'100,000 equal names'() {
    yield `[{${Array.from({ length: 100_000 }, () => '"id":1').join()}}]`
  },
  *'nesting of 1,000,000 levels'() {
    yield '['.repeat(1_000_000)
  },
}

/** A list of orders in parts of about a megabyte. */
function* listOf(parts: number, from: number): Generator<string> {
  const size = 11_000
  for (let part = 0; part < parts; part += 1) {
    const orders = Array.from({ length: size }, (_, at) => orderText(from + part * size + at))
    yield `${part === 0 ? '[' : ','}${orders.join()}`
  }
  yield ']'
}

const orderText = (id: number): string =>
  `{"id":${id},"petId":7,"quantity":2,"shipDate":"2026-11-02T09:30:00Z","complete":false}`

/** This name stands for responses to wrong keys, not to the lists. */
export const BOMB = 'each 401 decompresses to 500 MB'

/** A store that sends this response. */
export function hostileStore(name: string): Promise<PlainStore> {
  const answer = hostileAnswers[name]
  const bomb = name === BOMB ? deflateSync(Buffer.alloc(500 * MB), { level: 9 }) : undefined
  let nth = 0
  return plainStore({
    intercept({ method, headers }, response, { key }) {
      const isAccepted = headers.authorization === `Bearer ${key}`
      if (!isAccepted && bomb) {
        response.writeHead(401, { 'content-type': 'application/json', 'content-encoding': 'deflate' })
        response.end(bomb)
        return true
      }
      if (!isAccepted || method !== 'GET' || !answer) return false
      response.writeHead(200, { 'content-type': 'application/json' })
      nth += 1
      // The client may close the connection before the end of the response.
      void pipeline(Readable.from(answer(nth)), response).catch(() => undefined)
      return true
    },
  })
}
