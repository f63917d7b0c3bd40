import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readJson } from './read-json.ts'
import { connectionsTo, get, rawServer } from './testing/servers.ts'

const LIST = '[{"id":1,"petId":2,"quantity":3,"shipDate":"2026-11-02T09:30:00Z","complete":false}]'
const VALID = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${LIST.length}\r\nConnection: close\r\n\r\n${LIST}`,
)

const piece = fc.constantFrom(
  ...['\r\n', '\r\n\r\n', '0\r\n', '[', '"', '\\u', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ...['Transfer-Encoding: chunked\r\n', 'Content-Encoding: gzip\r\n'],
)
const inserted = fc.oneof(
  fc.uint8Array({ maxLength: 8 }),
  piece.map(text => Buffer.from(text)),
)
const change = fc.tuple(fc.nat({ max: VALID.length - 1 }), fc.nat({ max: 12 }), inserted)
/** A response with some bytes replaced, removed, repeated or inserted. */
const mutated = fc
  .array(change, { minLength: 1, maxLength: 4 })
  .map(changes =>
    changes.reduce(
      (bytes, [at, removed, put]) =>
        Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + removed)]),
      VALID,
    ),
  )
const anyBytes = fc.oneof(
  { weight: 5, arbitrary: mutated },
  fc.uint8Array({ maxLength: 400 }).map(bytes => Buffer.from(bytes)),
)

it('any bytes are a response or a problem, and never an error of the suite', async () => {
  let bytes: Buffer = VALID
  const origin = await rawServer(socket => socket.end(bytes))
  const transport = connectionsTo(origin, { timeoutMs: 300 })
  await fc.assert(
    fc.asyncProperty(anyBytes, async given => {
      bytes = given
      const { response, problem } = await transport.send(get('/v1/store/orders'))
      expect([response, problem].filter(each => each !== undefined)).toHaveLength(1)
      // Whatever was received is read without an exception.
      if (response) expect(readJson(response)).toBeDefined()
    }),
    { numRuns: 150 },
  )
})
