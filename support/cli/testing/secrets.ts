import type { RequestListener } from 'node:http'
import { encodings, insideBase64 } from '../../wire/testing/encodings.ts'
import { type CommandResult, everythingIn } from './bench.ts'

const all = Object.values(encodings)
const { url } = encodings

/** How a store could echo a secret that it knows. */
export const echoes = (secret: string): string[] => [
  ...all.map(encode => encode(secret)),
  `x${secret}x`,
  `https://store.example/login?token=${url(secret)}&next=1`,
  JSON.stringify({ secret }),
  ...[`user:${secret}`, `{"k":"${secret}"}`, `${secret}:${secret}`].map(encodings.base64),
]

/** A store that violates many rules, and in each response echoes every secret and the credential that it received. */
export function indiscreet(secrets: readonly string[]): RequestListener {
  const known = secrets.flatMap(echoes)
  return async (request, response) => {
    await request.toArray()
    const { authorization = '', 'x-api-key': other = '' } = request.headers
    const received = [authorization, String(other), request.url ?? '']
    // Some of the credentials are too long for a header.
    const said = [
      ...known,
      ...received.flatMap(each => (each.length > 300 ? [] : all.map(encode => encode(each)))),
    ]
    const header = said.join(' ').replaceAll(/[^\x20-\x7e]/g, '')
    const send = (status: number, type: string, body: string | Buffer) => {
      response.writeHead(status, { 'content-type': type, 'x-echo': header, location: said[0] ?? '' })
      response.end(body)
    }
    const path = request.url ?? ''
    const allowed = request.headers.authorization === `Bearer ${secrets[0]}`
    if (!allowed && path.includes('inventory')) return send(401, 'text/html', `<p>${said.join('<br>')}</p>`)
    if (!allowed) {
      // Invalid UTF-8, so the suite keeps it as bytes.
      return send(401, 'application/json', Buffer.from(`\xff\xfe\x80${header}`, 'latin1'))
    }
    if (request.method === 'DELETE') return send(500, 'application/problem+json', JSON.stringify({ said }))
    if (request.method === 'PATCH')
      return send(404, 'application/json', JSON.stringify({ code: said, status: 404 }))
    const entries = said.map((id, at) => ({ id: at, petId: id, quantity: id, shipDate: id, status: [id] }))
    return send(200, 'application/json', JSON.stringify(entries))
  }
}

/** What no output may contain: the key, and the altered ones that an answer may echo, in each encoding. */
const searched = (key: string): string[] =>
  [key, key.slice(0, -1), key.slice(1)].flatMap(each => [
    ...all.map(encode => encode(each)),
    ...insideBase64(each),
  ])

/** Finds keys in the streams of a command and in the files that it left. The modules in its folder are of the test itself. */
export function leaksOf(
  ended: Pick<CommandResult, 'stdout' | 'stderr' | 'folder'>,
  keys: readonly string[],
): string[] {
  const outputs = [
    { path: 'stdout', text: ended.stdout },
    { path: 'stderr', text: ended.stderr },
    ...everythingIn(ended.folder).filter(({ path }) => !path.endsWith('.mjs')),
  ]
  const forms = [...new Set(keys.flatMap(searched))]
  return outputs.flatMap(({ path, text }) => {
    // A page may break its lines within a key.
    const shown = text.replaceAll('<wbr>', '')
    return forms.filter(form => shown.includes(form)).map(form => `${path}: ${form}`)
  })
}
