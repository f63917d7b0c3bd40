import net, { connect, createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type ConnectionOptions, isUsable, proxyFor, proxySecrets } from './dial.ts'
import { problemOf } from './problems.ts'
import { selfSigned } from './testing/certificate.ts'
import { connectionsTo, get, listen, originOf, outcome, rawServer } from './testing/servers.ts'

const OPEN = 'HTTP/1.1 200 OK\r\n\r\n'
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
const own = selfSigned()
const ca = { ca: own.cert }
const ENDED = 'the connection was closed before the response was complete'

/** A proxy that counts its connections, and answers the head of a CONNECT. */
async function proxied(answer: (socket: Socket, head: string) => unknown, secure?: TlsOptions) {
  const proxy = { connections: 0, url: '' }
  const serve = (socket: Socket) => {
    proxy.connections += 1
    socket.once('data', head => answer(socket, String(head)))
  }
  const server = await listen(secure ? createTlsServer(secure, serve) : createServer(serve))
  proxy.url = originOf(server, secure ? 'https' : 'http')
  return proxy
}

const through = (proxy: string, origin = 'http://store.test', options: Partial<ConnectionOptions> = {}) =>
  connectionsTo(origin, { env: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }, ...options })

/** Tunnels as a proxy should. */
function tunnel(socket: Socket, head: string): void {
  const [, host = '', port] = /^CONNECT (\S+):(\d+) /.exec(head) ?? []
  const store = connect(Number(port), host, () => {
    socket.write(OPEN)
    socket.pipe(store).pipe(socket)
  })
  store.on('error', () => socket.destroy())
  socket.on('close', () => store.destroy())
}

/** The origin of a store that speaks TLS, and what it is told of each client: server name, protocol and certificate. */
async function tlsStore(options: TlsOptions) {
  const clients: unknown[] = []
  const server = createTlsServer({ ALPNProtocols: ['h2', 'http/1.1'], ...options }, socket => {
    const { O } = socket.getPeerCertificate().subject ?? {}
    clients.push([socket.servername, socket.alpnProtocol, O])
    socket.on('data', () => socket.write(OK)).on('error', () => undefined)
  })
  return { origin: originOf(await listen(server), 'https'), clients }
}

it('a proxy that opens a tunnel gets the address, and the store exactly what was sent', async () => {
  const heads: string[] = []
  const { url } = await proxied((socket, head) => {
    heads.push(head)
    socket.write(OPEN)
    socket.once('data', request => socket.end(`${OPEN}${request}`))
  })
  const request = get('/v1/inventory/12.50', { headers: [['X-Odd', '1']] })
  const result = await through(url.replace('//', '//me:p%40ss@')).send(request)
  const head = 'GET /v1/inventory/12.50 HTTP/1.1\r\nHost: store.test\r\nX-Odd: 1\r\n\r\n'
  expect(outcome(result)).toBe(`200 ${head}`)
  const credentials = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
  expect(heads).toEqual([
    `CONNECT store.test:80 HTTP/1.1\r\nHost: store.test:80\r\nProxy-Authorization: ${credentials}\r\n\r\n`,
  ])
})

it.each(['no', 'http', 'https'])(
  'with TLS, a client certificate and %s proxy, an address is reached, and speaks HTTP/1.1',
  async scheme => {
    const { origin, clients } = await tlsStore({ ...own, ...ca, requestCert: true })
    const proxy = await proxied(tunnel, scheme === 'https' ? own : undefined)
    // There is no other way to trust a proxy than NODE_EXTRA_CA_CERTS, which Node reads when it starts.
    if (scheme === 'https') vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => void vi.unstubAllEnvs())
    const transport = through(scheme === 'no' ? '' : proxy.url, origin, {
      identity: { ...own, ...ca } as never,
    })
    for (let time = 0; time < 2; time += 1) expect(outcome(await transport.send(get()))).toBe('200 {}')
    expect(clients).toEqual([[false, 'http/1.1', 'Test Authority']])
    expect(proxy.connections).toBe(scheme === 'no' ? 0 : 1)
  },
)

// biome-ignore format: a table
it.each<[string, (socket: Socket) => unknown, message: string, kind?: string]>([
  ['closes the connection', socket => socket.end(), ENDED],
  ['asks for a password', socket => socket.write('HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="corp"\r\n\r\n'), 'it answered 407'],
  ['cannot reach the store', socket => socket.end('HTTP/1.0 502\r\n\r\n'), 'it answered 502'],
  ['speaks another protocol', socket => socket.write('SSH-2.0-OpenSSH_9.6\r\n'), 'the response is not well-formed HTTP: its first line "SSH-2.0-OpenSSH_9.6" is malformed'],
  ['hangs', () => undefined, 'no answer within 300 ms', 'timeout'],
])('a proxy that %s is named, with what it did, after one attempt', async (_title, answer, message, kind = 'refused') => {
  const proxy = await proxied(answer)
  const result = await through(proxy.url, undefined, { timeoutMs: kind === 'timeout' ? 300 : 60_000 }).send(get())
  expect(outcome(result)).toBe(`${kind}: the proxy ${proxy.url} (HTTP_PROXY) opens no tunnel to store.test:80: ${message}`)
  expect(proxy.connections).toBe(1)
})

// biome-ignore format: a table
it.each<[problem: string, TlsOptions, identity?: object, host?: string]>([
  ['tls: the TLS connection could not be made (DEPTH_ZERO_SELF_SIGNED_CERT: ', own],
  ['tls: the TLS connection could not be made (ERR_TLS_CERT_ALTNAME_INVALID: ', own, ca, 'localhost'],
  ['tls: the TLS connection could not be made (ERR_SSL_TLSV1', { ...own, maxVersion: 'TLSv1.1' }, ca],
  ['tls: the TLS connection could not be made (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)', { ...own, ...ca, requestCert: true, rejectUnauthorized: true }, ca],
])('%s', async (problem, options, identity, host = '127.0.0.1') => {
  const { origin } = await tlsStore(options)
  const transport = connectionsTo(origin.replace('127.0.0.1', host), { identity: identity as never })
  expect(outcome(await transport.send(get()))).toContain(problem)
})

it('a store without TLS is not reached by https', async () => {
  const origin = await rawServer(socket => socket.end('HTTP/1.1 400 Bad\r\n\r\n'))
  expect(outcome(await connectionsTo(origin.replace('http', 'https')).send(get()))).toBe(
    'no-tls: the port speaks plain HTTP, or another protocol without TLS (ERR_SSL_WRONG_VERSION_NUMBER)',
  )
})

const local = Object.values(networkInterfaces()).flat()
it.runIf(local.some(each => each?.address === '::1'))('a store is reached by IPv6', async () => {
  const origin = await rawServer(socket => socket.write(OK), '::1')
  expect(outcome(await connectionsTo(origin).send(get()))).toBe('200 {}')
})

it('each address of a host has half a second; the host has one', async () => {
  const dialled = vi.spyOn(net, 'connect')
  onTestFinished(() => dialled.mockRestore())
  const result = await connectionsTo('http://store.invalid').send(get())
  expect(outcome(result)).toMatch(/^dns: the host name has no address \(getaddrinfo E/)
  expect(dialled).toHaveBeenCalledWith(expect.objectContaining({ autoSelectFamilyAttemptTimeout: 500 }))
})

const coded = (code: string) => Object.assign(new Error('it went wrong'), { code })

it.each([
  ['refused', new TypeError('fetch failed', { cause: coded('ECONNREFUSED') })],
  ['refused', new AggregateError([coded('ETIMEDOUT'), coded('ENETUNREACH')], '')],
  ['timeout', new AggregateError([coded('ETIMEDOUT'), coded('ETIMEDOUT')], '')],
  ['no-tls', coded('ERR_SSL_PACKET_LENGTH_TOO_LONG')],
  ['tls', coded('EPROTO')],
  ['dropped', 'not even an error'],
  ['dropped', Object.assign(new Error('a body is invalid'), { errors: { quantity: 'is missing' } })],
])('%s: %s', (kind, error) => {
  expect(problemOf(error)).toEqual({ kind, message: expect.stringMatching(/./) })
})

const P = 'http://proxy.example:3128'

it.each<[scheme: string, Record<string, string>, string | undefined]>([
  ['https', { HTTPS_PROXY: P, HTTP_PROXY: 'http://other' }, 'HTTPS_PROXY'],
  ['https', { https_proxy: P, HTTPS_PROXY: 'http://other' }, 'https_proxy'],
  ['https', { https_proxy: '', HTTPS_PROXY: P }, undefined],
  ['http', { HTTP_PROXY: P, HTTPS_PROXY: 'http://other' }, 'HTTP_PROXY'],
  ['https', { HTTPS_PROXY: P, no_proxy: '*', NO_PROXY: '' }, undefined],
])('the proxy for %s with %j: %s', (scheme, env, variable) => {
  expect(proxyFor(`${scheme}://store.example/v1`, env)?.variable).toBe(variable)
})

it.each<[noProxy: string, bypassed: string, others: string]>([
  ['store.example', 'store.example store.example. eu.store.example', 'store.example.org xstore.example'],
  ['store.example.', 'store.example store.example.', 'store.example.org.'],
  ['.example.', 'store.example store.example.', 'example.org'],
  ['*', 'store.example 10.0.0.1', ''],
  ['store.example:80', 'store.example store.example.', 'store.example:81'],
  ['localhost, 127.0.0.1,::1', '127.0.0.1 [::1]:8080', '127.0.0.2'],
  ['[::1]:8080', '[::1]:8080', '[::1]'],
])('NO_PROXY %j bypasses it for %s, not for %s', (noProxy, bypassed, others) => {
  const hosts = (list: string) => list.split(' ').filter(Boolean)
  const isBypassed = (host: string) =>
    proxyFor(`http://${host}/v1`, { HTTP_PROXY: P, NO_PROXY: noProxy }) === undefined
  expect([...hosts(bypassed), ...hosts(others)].filter(isBypassed)).toEqual(hosts(bypassed))
})

it.each<[url: string, usable: boolean, secrets: string[]]>([
  [P, true, []],
  ['https://me:p%40ss-word@proxy.example/', true, ['p%40ss-word', 'p@ss-word']],
  ['http://token-4711@proxy.example', true, ['token-4711']],
  ['http://me:50%off@proxy.example', true, ['50%off']],
  ['http://me:12#3@proxy.example', false, []],
  ['socks5://proxy.example:1080', false, []],
  ['http://proxy example', false, []],
  ['http://proxy.example/path', false, []],
])('the proxy %s can be used: %s; its secrets are %j', (url, usable, secrets) => {
  expect(isUsable({ url, variable: 'HTTPS_PROXY' })).toBe(usable)
  const found = proxySecrets({ HTTPS_PROXY: url }).filter(({ shown }) => shown === '$HTTPS_PROXY')
  expect(found.map(({ value }) => value).filter(Boolean)).toEqual(secrets)
})
