import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import type { ConnectionOptions } from './connection.ts'
import { selfSigned } from './testing/certificate.ts'
import { connectionsTo, get, httpServer, listen, originOf } from './testing/servers.ts'

const OK = 'HTTP/1.1 200 OK\r\n\r\n'

/** A proxy that counts its connections, and answers the head of a CONNECT. */
async function proxied(answer: (socket: Socket, head: string, connection: number) => void) {
  const proxy = { connections: 0, url: '' }
  const server = createServer(socket => {
    proxy.connections += 1
    const connection = proxy.connections
    socket.once('data', head => answer(socket, String(head), connection))
  })
  proxy.url = originOf(await listen(server))
  return proxy
}

const through = (proxy: string, origin = 'http://store.test', options: Partial<ConnectionOptions> = {}) =>
  connectionsTo(origin, { env: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }, ...options })

/** Tunnels as a proxy should. */
function tunnel(socket: Socket, head: string): void {
  const [, host = '', port] = /^CONNECT (\S+):(\d+) /.exec(head) ?? []
  const store = connect(Number(port), host, () => {
    socket.write(OK)
    socket.pipe(store).pipe(socket)
  })
  store.on('error', () => socket.destroy())
  socket.on('close', () => store.destroy())
}

describe('a proxy that opens a tunnel', () => {
  it('gets the address, and the store exactly what was sent', async () => {
    const heads: string[] = []
    const { url } = await proxied((socket, head) => {
      heads.push(head)
      socket.write(OK)
      socket.once('data', request => socket.end(`${OK}${request}`))
    })
    const request = get('/v1/inventory/12.50', { headers: [['X-Odd', '1']] })
    const { response } = await through(url.replace('//', '//me:p%40ss@')).send(request)
    expect(response?.body).toBe('GET /v1/inventory/12.50 HTTP/1.1\r\nHost: store.test\r\nX-Odd: 1\r\n\r\n')
    const credentials = Buffer.from('me:p@ss').toString('base64')
    expect(heads).toEqual([
      `CONNECT store.test:80 HTTP/1.1\r\nHost: store.test:80\r\nProxy-Connection: Keep-Alive\r\nProxy-Authorization: Basic ${credentials}\r\n\r\n`,
    ])
  })

  it('may pass on TLS', async () => {
    const own = selfSigned()
    const store = createTlsServer(own, socket => void socket.once('data', () => socket.end(`${OK}{}`)))
    const proxy = await proxied(tunnel)
    const identity = { ...own, ca: own.cert }
    const transport = through(proxy.url, originOf(await listen(store), 'https'), { identity })
    expect((await transport.send(get())).response?.body).toBe('{}')
  })

  it('may close some connections while it restarts', async () => {
    const origin = await httpServer((_request, response) => void response.end('{}'))
    const proxy = await proxied((socket, head, connection) =>
      connection > 1 && connection < 4 ? socket.destroy() : tunnel(socket, head),
    )
    const transport = through(proxy.url, origin, { timeoutMs: 2_000 })
    for (let time = 0; time < 2; time += 1)
      expect((await transport.send(get(), undefined, 'fresh')).response?.body).toBe('{}')
    expect(proxy.connections).toBe(4)
  })

  it('may stop for good: some attempts, then one for each request', async () => {
    const origin = await httpServer((_request, response) => void response.end('{}'))
    const proxy = await proxied((socket, head, connection) =>
      connection > 1 ? socket.destroy() : tunnel(socket, head),
    )
    const transport = through(proxy.url, origin, { timeoutMs: 2_000 })
    const kinds = []
    for (let time = 0; time < 3; time += 1)
      kinds.push((await transport.send(get(), undefined, 'fresh')).problem?.kind)
    expect([kinds, proxy.connections]).toEqual([[undefined, 'refused', 'refused'], 1 + 3 + 1])
  })
})

describe('a proxy that opens no tunnel is named, with what it did, after one attempt', () => {
  it.each<[string, (socket: Socket) => void, message: string, kind?: string]>([
    ['closes the connection', socket => socket.end(), 'closed the connection instead of answering CONNECT'],
    ['drops it', socket => socket.destroy(), 'closed the connection instead of answering CONNECT'],
    ['resets it', socket => socket.resetAndDestroy(), 'closed the connection instead of answering CONNECT'],
    [
      'forbids it',
      socket => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'),
      'answered 403 Forbidden to CONNECT',
    ],
    [
      'asks for a password',
      socket => socket.write('HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="corp"\r\n\r\n'),
      'answered 407 No to CONNECT store.test:80 (Proxy-Authenticate: Basic realm="corp")',
    ],
    ['speaks another protocol', socket => socket.write('SSH-2.0-OpenSSH_9.6\r\n'), 'did not answer CONNECT'],
    ['hangs', () => undefined, 'gave no answer to CONNECT store.test:80 within 300 ms', 'timeout'],
  ])('%s', async (_title, answer, message, kind = 'refused') => {
    const proxy = await proxied(answer)
    const timeoutMs = kind === 'timeout' ? 300 : 60_000
    const result = await through(proxy.url, undefined, { timeoutMs }).send(get())
    expect(result.response).toBeUndefined()
    expect(result.problem).toEqual({
      kind,
      message: expect.stringContaining(`the proxy ${proxy.url} (HTTP_PROXY) ${message}`),
    })
    expect(proxy.connections).toBe(1)
  })

  it('a web server', async () => {
    let connections = 0
    const server = createHttpServer().on('connection', () => {
      connections += 1
    })
    const { problem } = await through(originOf(await listen(server))).send(get())
    expect([problem?.message, connections]).toEqual([expect.stringContaining('closed the connection'), 1])
  })

  it('nothing that listens', async () => {
    const { problem } = await through('http://127.0.0.1:1').send(get())
    expect(problem?.message).toBe(
      'the proxy http://127.0.0.1:1 (HTTP_PROXY) cannot be reached (ECONNREFUSED)',
    )
  })
})
