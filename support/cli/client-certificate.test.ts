import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { clientIdentity as client, serverIdentity as own } from '../http/testing/certificate.ts'
import { listen, originOf } from '../http/testing/servers.ts'
import { bench } from './testing/bench.ts'

const { run, closing } = bench()
const ONLY = ['--only', 'list-orders-200', '--read-only']

it('a store that asks for a client certificate is judged with one, and is unreachable without', async () => {
  const server = createServer(
    { ...own, ca: [client.cert], requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const isKnown = request.headers.authorization === 'Bearer a-key-of-nine'
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end('[]')
    },
  )
  closing(() => server.close())
  const baseUrl = `${originOf(await listen(server), 'https')}/v1`
  const { folder } = await run(['--version'])
  const files = { 'ca.pem': own.cert, 'client.pem': client.cert, 'client-key.pem': client.key }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const env = { STORE_API_KEY: 'a-key-of-nine', NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }
  const args = ['--base-url', baseUrl, ...ONLY]
  const certified = [...args, '--client-cert', 'client.pem', '--client-key', 'client-key.pem']
  const ended = await run(certified, { env, folder })
  expect(ended.code, ended.stdout + ended.stderr).toBe(0)
  expect(ended.stdout + readFileSync(join(folder, 'reports/conformance.json'), 'utf8')).not.toContain(
    'PRIVATE KEY',
  )
  expect((await run(args, { env, folder })).code).toBe(4)
  const restored = ['restore', '--base-url', baseUrl, ...certified.slice(-4)]
  expect((await run(restored, { env, folder })).stdout).toContain('Nothing to restore')
  const examined = ['doctor', '--base-url', baseUrl, '--read-only', ...certified.slice(-4)]
  expect((await run(examined, { env, folder })).stdout).toMatch(/ok +API key +is accepted/)
  const alone = await run([...args, '--client-cert', 'client.pem'], { env, folder })
  expect([alone.code, alone.stderr]).toEqual([
    2,
    expect.stringContaining('STORE_CLIENT_KEY (--client-key): is missing beside STORE_CLIENT_CERT'),
  ])
})
