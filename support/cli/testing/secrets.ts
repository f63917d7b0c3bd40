import type { RequestListener } from 'node:http'
import { encodings, formsOf, partsOf, thirdOf } from '../../http/testing/encodings.ts'
import { type CommandResult, everythingIn } from './bench.ts'

const { url, html, hexadecimal, hexInCapitals } = encodings

/** How a store could echo a secret that it received: whole, in part, or encoded. */
export function echoes(secret: string): string[] {
  const third = thirdOf(secret)
  return [
    ...[secret, secret.toUpperCase(), `x${secret}x`, secret.slice(0, -1), secret.slice(1)],
    ...[secret.slice(0, third), secret.slice(third, 2 * third), secret.slice(-third)],
    `${secret.slice(0, third)}*****`,
    ...[secret, secret.slice(0, secret.length / 2)].flatMap(each => [
      ...Object.values(encodings).map(encode => encode(each)),
      `https://store.example/login?token=${url(each)}&next=1`,
      Buffer.from(`user:${each}`).toString('base64'),
      Buffer.from(`{"k":"${each}"}`).toString('base64url'),
      JSON.stringify({ each }),
      url(url(each)),
      html(JSON.stringify(each)),
      hexInCapitals(Buffer.from(each).toString('base64')),
      Buffer.from(hexadecimal(each)).toString('base64'),
    ]),
  ]
}

/** A store that violates many rules, and in each response echoes every secret and the credential that it received. */
export function indiscreet(secrets: readonly string[]): RequestListener {
  const known = secrets.flatMap(echoes)
  return async (request, response) => {
    await request.toArray()
    const received = request.headers.authorization ?? request.url ?? ''
    const said = [...known, ...Object.values(encodings).map(encode => encode(received.slice(0, 200)))]
    const header = said.join(' ').replaceAll(/[^\x20-\x7e]/g, '')
    const send = (status: number, type: string, body: string | Buffer) => {
      response.writeHead(status, {
        'content-type': type,
        'x-echo': header.slice(0, 12_000),
        location: said[0] ?? '',
      })
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
}

const all = Object.values(encodings)

/** What no output may contain of a key: any part of a third of it, and the key or half of it in one encoding inside another. */
function searched(key: string): string[] {
  const parts = partsOf(key, thirdOf(key))
  // Base64 of the first bits of a character is also that of other characters.
  const longer = partsOf(key, thirdOf(key) + 1)
  const forms = [
    ...[key.toUpperCase(), key.toLowerCase()],
    ...longer.flatMap(part => all.flatMap(encode => formsOf(encode, part))),
    ...[key, key.slice(0, key.length / 2)].flatMap(text =>
      all.flatMap(outer => all.flatMap(inner => formsOf(each => outer(inner(each)), text))),
    ),
  ]
  // Shorter forms are in many texts by chance.
  return [...parts, ...new Set(forms.filter(form => form.length >= 5))]
}

/** Finds keys in the streams of a command and in the files that it left. The modules in its folder are of the test itself. */
export function leaksOf(ended: CommandResult, keys: readonly string[]): string[] {
  const outputs = [
    { path: 'stdout', text: ended.stdout },
    { path: 'stderr', text: ended.stderr },
    ...everythingIn(ended.folder).filter(({ path }) => !path.endsWith('.mjs')),
  ]
  const forms = keys.flatMap(searched)
  return outputs.flatMap(({ path, text }) =>
    forms.filter(form => text.includes(form)).map(form => `${path}: ${form}`),
  )
}
