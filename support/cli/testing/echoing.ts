import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { characterEncodings, packedEncodings } from '../../http/testing/encodings.ts'

const { gson, unicode, hexEscapes, decimalReferences, mustache, percentAll, percentTwice } =
  characterEncodings
const { base64InLines, hexWithSpaces, hexWithColons } = packedEncodings
const OTHER_WRITERS = [
  ...[gson, unicode, hexEscapes, decimalReferences, mustache, percentAll, percentTwice],
  ...[base64InLines, hexWithSpaces, hexWithColons],
]

/** The forms in which a store could echo a secret that it received. */
export const echoes = (secret: string): string[] => [
  secret,
  secret.toUpperCase(),
  `x${secret}x`,
  secret.slice(0, -1),
  secret.slice(1),
  encodeURIComponent(secret),
  `https://store.example/login?token=${encodeURIComponent(secret)}&next=1`,
  Buffer.from(secret).toString('base64'),
  Buffer.from(`user:${secret}`).toString('base64'),
  Buffer.from(`{"k":"${secret}"}`).toString('base64url'),
  JSON.stringify({ secret }),
  ...OTHER_WRITERS.map(encode => encode(secret)),
]

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a server that answers each request by this function. */
export async function talking(answer: Answer): Promise<{ origin: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(request, response))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A store that violates many rules, and echoes every secret in each response. */
export const indiscreet =
  (secrets: readonly string[]): Answer =>
  (request, response) => {
    const said = secrets.flatMap(echoes)
    const header = said.join(' ').replaceAll(/[^\x20-\x7e]/g, '')
    const send = (status: number, type: string, body: string | Buffer) => {
      response.writeHead(status, { 'content-type': type, 'x-echo': header, location: said[6] ?? '' })
      response.end(body)
    }
    const path = request.url ?? ''
    const allowed = request.headers.authorization === `Bearer ${secrets[0]}`
    if (!allowed && path.includes('inventory')) return send(401, 'text/html', `<p>${said.join('<br>')}</p>`)
    if (!allowed) {
      // Invalid UTF-8, so the suite keeps it as bytes.
      return send(
        401,
        'application/json',
        Buffer.concat([Buffer.from([0xff, 0xfe, 0x80]), Buffer.from(header)]),
      )
    }
    if (request.method === 'DELETE') return send(500, 'application/problem+json', JSON.stringify({ said }))
    if (request.method === 'PATCH')
      return send(404, 'application/json', JSON.stringify({ code: said, status: 404 }))
    const entries = said.map((each, at) => ({
      id: at,
      petId: each,
      quantity: each,
      shipDate: each,
      status: [each],
    }))
    return send(200, 'application/json', JSON.stringify(entries))
  }
