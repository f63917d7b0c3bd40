import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { bench } from './testing/bench.ts'

const { run, closing } = bench()

describe.concurrent('help', () => {
  it.each(
    [['--help'], ['run', '--help'], ['serve', '--help'], ['restore', '--help'], ['help', 'run']].map(args => [
      args,
    ]),
  )('%j: one screen, with an example', async args => {
    const ended = await run(args, { ownProcess: true })
    expect(ended.code).toBe(0)
    expect(ended.stderr).toBe('')
    expect(ended.stdout).toMatch(/^Usage: store-conformance/)
    expect(ended.stdout).toMatch(/Example:\n {2}.*store-conformance/)
    const lines = ended.stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(56)
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(120)
  })

  it('--version is that of the package', async () => {
    const ended = await run(['--version'], { ownProcess: true })
    expect(ended.stdout).toBe(`${packageJson.version}\n`)
    expect(ended.code).toBe(0)
  })
})

describe.concurrent('serve', () => {
  const firstOutput = (child: { stdout: { once(event: 'data', then: (chunk: unknown) => void): unknown } }) =>
    new Promise<string>(resolve => child.stdout.once('data', chunk => resolve(String(chunk))))

  it('prints its base URL and its key; Ctrl-C ends it', async () => {
    let answered: Promise<[number, number]> | undefined
    const ended = await run(['serve'], {
      meanwhile(child) {
        answered = firstOutput(child).then(async text => {
          const [, baseUrl = ''] = /base URL +(\S+)/.exec(text) ?? []
          const [, key = ''] = /API key +(\S+)/.exec(text) ?? []
          const good = await fetch(`${baseUrl}/inventory`, { headers: { authorization: `Bearer ${key}` } })
          const bad = await fetch(`${baseUrl}/inventory`)
          child.kill('SIGINT')
          return [good.status, bad.status]
        })
      },
    })
    expect(await answered).toEqual([200, 401])
    expect(ended.code).toBe(0)
    expect(ended.stderr).toBe('')
  })

  it('the user’s own key is not printed', async () => {
    const ended = await run(['serve'], {
      env: { STORE_API_KEY: 'my-own-key-1' },
      meanwhile: child => void firstOutput(child).then(() => child.kill('SIGTERM')),
    })
    expect(ended.stdout).toContain('the value of STORE_API_KEY')
    expect(ended.stdout).not.toContain('my-own-key-1')
    expect(ended.code).toBe(0)
  })

  it('a port in use: exit 2, with advice', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    closing(() => server.close())
    const { port } = server.address() as AddressInfo
    const ended = await run(['serve', '--port', String(port)])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(`Cannot listen on 127.0.0.1:${port} (EADDRINUSE). Choose another --port`)
  })
})
