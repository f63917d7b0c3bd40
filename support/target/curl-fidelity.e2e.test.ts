import { execFile } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { cancel, listInventory, listOrders, quantityOf, update, type Written } from '../../suites/acts.ts'
import { lowerCaseScheme } from '../../suites/authentication/credentials.ts'
import { keyRules } from '../../suites/authentication/wrong-keys.ts'
import type { Ask } from '../../suites/oracle/log.ts'
import { printable } from '../report/document.ts'
import { httpServer } from '../wire/testing/servers.ts'
import { type Own, type Sent, senderOf } from './request.ts'

const KEY = 'Key+of/the=Store1'

/** A server that answers everything with 200, and keeps what each connection sent: headers in any order, without the id of the request. */
async function recordingServer() {
  const connections = new Map<object, unknown[]>()
  const origin = await httpServer(async (request, response) => {
    const { method, url = '', httpVersion, rawHeaders } = request
    const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
    // Versions of curl differ in the case of an escape, which means nothing (RFC 3986 §6.2.2.1).
    const target = url.replace(/%[0-9a-f]{2}/gi, each => each.toUpperCase())
    const headers = pairs.filter(header => !header.startsWith('X-Request-Id:')).sort()
    const sent = { line: `${method} ${target} HTTP/${httpVersion}`, headers, body: await text(request) }
    connections.set(request.socket, [...(connections.get(request.socket) ?? []), sent])
    response.setHeader('Content-Type', 'application/json').end('[]')
  })
  const taken = () => {
    const all = [...connections.values()]
    connections.clear()
    return all
  }
  return { origin, taken }
}

type Asked = readonly [Ask, Written?]

/** Sends all with the suite, pastes the recorded commands into one shell, and gives what arrived of each time. */
async function sentAndPasted(asked: readonly Asked[], { key = KEY, isKept = false } = {}) {
  const { origin, taken } = await recordingServer()
  const commands: string[] = []
  const bySuite: unknown[] = []
  const sender = senderOf({ baseUrl: origin, apiKey: key, timeoutMs: 5_000, concurrency: 8 })
  const { signal } = new AbortController()
  const own: Own | undefined = isKept ? sender.open(1) : undefined
  let last: Sent | undefined
  for (const [ask, written = {}] of asked) {
    last = await sender.send(ask, written, own ?? 'fresh', signal)
    // As every report shows it.
    commands.push(`${printable(last?.request.curl ?? '')} --silent --noproxy '*' --max-time 20`)
    if (!isKept) bySuite.push(taken())
  }
  if (isKept) bySuite.push(taken())
  sender.closeAll()
  const env = { PATH: process.env['PATH'], STORE_API_KEY: key, STORE_REVOKED_API_KEY: 'Old-Key' }
  const script = commands.slice(isKept ? -1 : 0).join('\n')
  await promisify(execFile)('bash', ['--norc', '-c', script], { env })
  expect(commands.join().toLowerCase()).not.toContain(KEY.toLowerCase().slice(1, -1))
  // Each command has a connection of its own.
  return { bySuite, byCurl: taken().map(each => [each]), last }
}

const unknown = cancel('unknown order', '4611686018427387901')
const updated = (body: string, own: Written = {}): Asked => [
  update('unknown pet', '1987654321', '7'),
  { body, ...own },
]
const credentials = [lowerCaseScheme, ...keyRules.flatMap(each => each.credentials.slice(0, 1))]
const oddPaths = [
  '/%2F..%2f',
  '/../12',
  "/12'or'1",
  '/$HOME`id`$(id)',
  '?a={1,2}&filter[status]=sold&x=[1-3]',
]
const oddBodies = [
  `{"it's": "$HOME \`id\``,
  `\ufeff \r\n{\t"it's":\n"\\n\u2028"\u00a0} `,
  '$STORE_API_KEY ${HOME} `id` $(id) \\n !! \\',
  '-H',
]

const requests: readonly Asked[] = [
  [listOrders(), { query: 'limit=1&filter[status]=sold' }],
  [unknown],
  updated(quantityOf('7')),
  updated('{}', { headers: [['Content-Type', null]] }),
  [unknown, { method: 'POST' }],
  updated(quantityOf('7'), { method: 'GET' }),
  [listInventory(), { method: 'PROPFIND' }],
  [listOrders(), { spell: name => name.toLowerCase() }],
  updated(quantityOf('7'), { spell: name => name.toUpperCase() }),
  [
    listOrders(),
    { headers: Object.entries({ accept: 'text/html', 'ACCEPT-ENCODING': 'gzip', 'X-Empty': '' }) },
  ],
  ...oddPaths.map((path): Asked => [listOrders(), { path: `/store/orders${path}` }]),
  ...oddBodies.map(body => updated(body)),
  ...credentials.map(
    ({ make }): Asked => [listInventory(), { key: make(KEY, { revokedApiKey: 'Old-Key' }) }],
  ),
  [listOrders()],
]

it.each<[string, readonly Asked[], { key?: string; isKept?: true }?]>([
  ['any request', requests],
  ...['a\'b"c$d`e\\f*g h', '$STORE_API_KEY', '!x;y|z&'].map((key): [string, Asked[], object] => [
    `with the key ${key}`,
    [[listOrders()]],
    { key },
  ]),
  ['on one connection', [[listOrders()], [unknown], updated(quantityOf('7'))], { isKept: true }],
])(
  'a pasted command sends the same bytes as the suite did and recorded, but for the order of headers: %s',
  async (_what, asked, how) => {
    const { bySuite, byCurl, last } = await sentAndPasted(asked, how)
    expect(byCurl).toEqual(bySuite)
    expect([bySuite.flat(2).length, last?.connection]).toEqual([asked.length, how?.isKept ? 'kept' : 'fresh'])
    const recorded = last?.request.headers.filter(([name]) => name !== 'X-Request-Id')
    const sent = bySuite.flat(2).at(-1) as { headers: string[] }
    expect(recorded?.map(([name, value]) => `${name}: ${value}`).sort()).toEqual(
      sent.headers.map(each => each.replace(how?.key ?? KEY, '$STORE_API_KEY')),
    )
  },
)
