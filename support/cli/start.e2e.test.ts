import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { selfSigned } from '../wire/testing/certificate.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { bench } from './testing/bench.ts'

const { run, plain, listening } = bench()

const env = { STORE_API_KEY: 'key-of-the-started-store' }
const ONLY = ['--only', 'list-orders-200']
const starting = (port: number, start: string, ...more: readonly string[]) => [
  ...['run', `http://127.0.0.1:${port}/v1`, '--start', start],
  ...more,
]

/** A store with empty lists, in which no id exists. Its second argument is the number of requests after which it ends. */
const files = {
  'store.mjs': `
import { createServer } from 'node:http'
let left = Number(process.argv[3] ?? Infinity)
createServer((request, response) => {
  if (left-- <= 0) process.exit(9)
  response.setHeader('content-type', 'application/json')
  if (request.method === 'GET') return response.end('[]')
  response.writeHead(404).end('{"code":"unknown","message":"Nothing has this id.","status":404}')
}).listen(process.argv[2], '127.0.0.1')
console.log('listening with', process.env.STORE_API_KEY)
`,
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

const isOpen = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.unref()
  })

// biome-ignore format: a table
it.each<[string, start: (port: number) => string, more: string[], exit: number, says: RegExp]>([
  ['is judged, and ends with its child processes', port => `node store.mjs ${port} & wait`, ONLY, 0, /^Partial: 1 gating rule passed/m],
  ['ends at once', () => 'echo "$STORE_API_KEY: no database" >&2; exit 7', ONLY, 4, /^! --start .* ended \(exit code 7\) before http[\s\S]*^ {2}\| .*no database$/m],
  ['does not answer in time', () => 'echo "no database"; sleep 60', [...ONLY, '--wait', '200ms'], 4, /^! --start .* did not make http[\s\S]*^Unreachable: [\s\S]*^ {2}\| no database$/m],
  ['ends during the run', port => `node store.mjs ${port} 6`, ['--only', 'auth-*', '--max-duration', '2s'], 3, /^! --start .* ended \(exit code 9\) during the run\.$[\s\S]*\| listening with \$STORE_API_KEY$/m],
])('a store that %s, without secrets in the output', async (_what, start, more, exit, says) => {
  const port = await freePort()
  const { code, stdout, stderr } = await run(starting(port, start(port), ...more), { env, files })
  expect([code, stdout + stderr]).toEqual([exit, expect.stringMatching(says)])
  expect(stdout + stderr).not.toContain(env.STORE_API_KEY)
  expect(await isOpen(port)).toBe(false)
})

it('does not judge another store that answers at the address', async () => {
  const store = await plain()
  const ended = await run(['run', '--base-url', store.baseUrl, '--start', 'sleep 60', ...ONLY], { env })
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain(`Something answers at ${store.baseUrl} already`)
})

it('--wait alone waits for a store that something else starts', async () => {
  const port = await freePort()
  const late = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('[]')
  })
  setTimeout(() => late.listen(port, '127.0.0.1'), 300)
  const ended = await run(['run', '--base-url', `http://127.0.0.1:${port}/v1`, '--wait', '10s', ...ONLY], {
    env,
  })
  late.close()
  expect(ended.code, ended.stdout).toBe(0)
})

it('Ctrl-C ends the store as well', async () => {
  const port = await freePort()
  const ended = await run(starting(port, `node store.mjs ${port}`, '--rate', '4/s'), {
    env,
    files,
    meanwhile: child => child.stdout.once('data', () => child.kill('SIGINT')),
  })
  expect(ended.code).toBe(3)
  expect(await isOpen(port)).toBe(false)
})

it.each([
  ['its own key', 'SIGINT', {}],
  ['the key of the user, which it does not print', 'SIGTERM', { STORE_API_KEY: 'my-own-key-1' }],
] as const)('serve with %s: prints its base URL, and ends on %s', async (_title, signal, env) => {
  const statuses: number[] = []
  const ended = await run(['serve'], {
    env,
    meanwhile: child =>
      child.stdout.once('data', async chunk => {
        const [, baseUrl, shown] = /base URL +(\S+)\n +API key +(\S+)/.exec(String(chunk)) ?? []
        const { STORE_API_KEY: key = shown } = env as { STORE_API_KEY?: string }
        for (const authorization of [`Bearer ${key}`, ''])
          statuses.push((await fetch(`${baseUrl}/inventory`, { headers: { authorization } })).status)
        child.kill(signal)
      }),
  })
  expect(statuses).toEqual([200, 401])
  expect([ended.code, ended.stderr]).toEqual([0, ''])
  expect(ended.stdout).not.toContain('my-own-key-1')
})

it('a store with a certificate of its own that asks for one is judged if both are named', async () => {
  const [own, client] = [selfSigned(), selfSigned()]
  const options = { ...own, ca: [client.cert], requestCert: true, rejectUnauthorized: true }
  const server = createTlsServer(options, (_request, response) => {
    response.setHeader('content-type', 'application/json').end('[]')
  })
  const baseUrl = `${(await listening(server)).replace('http:', 'https:')}/v1`
  const folder = newFolder({ 'ca.pem': own.cert, 'client.pem': client.cert, 'client-key.pem': client.key })
  const trusted = { ...env, STORE_BASE_URL: baseUrl, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }
  const identity = ['--client-cert', 'client.pem', '--client-key', 'client-key.pem']
  const judged = await run(['run', ...ONLY, '--read-only', ...identity], { env: trusted, folder })
  expect(judged.rule('list-orders-200').outcome, judged.stdout).toBe('passed')
  expect(judged.stdout + judged.read('reports/conformance.json')).not.toContain('PRIVATE KEY')
})

it('a states module that throws outside of every request: doctor exits with 2, and the message', async () => {
  const module = "export const setup = async () => void Promise.reject(new Error('no pool'))"
  const { code, stderr } = await run(['doctor', '--states-module', './states.mjs'], {
    env: (await plain()).env,
    files: { 'states.mjs': module },
    ownProcess: true,
  })
  const message = /Error: no pool was thrown outside .* states module \.\/states\.mjs /
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
})
