import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { bench } from './testing/bench.ts'

const { run, listening, reference } = bench()

describe.concurrent('help', () => {
  it.each([['--help'], ['run', '--help'], ['restore', '--help'], ['help', 'run']].map(args => [args]))(
    '%j: one screen, with an example',
    async args => {
      const ended = await run(args)
      expect([ended.code, ended.stderr]).toEqual([0, ''])
      expect(ended.stdout).toMatch(/^Usage: store-conformance/)
      expect(ended.stdout).toMatch(/Example:\n {2}.*store-conformance/)
      const lines = ended.stdout.trimEnd().split('\n')
      expect(lines.length).toBeLessThanOrEqual(56)
      expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(120)
    },
  )

  it('without a command, the help is printed, and the exit code is 2, because nothing was judged', async () => {
    const { env } = await reference()
    const ended = await run([], { env })
    expect(ended.stdout).toBe((await run(['--help'])).stdout)
    expect([ended.code, ended.stderr]).toEqual([2, 'No command is given, so nothing was judged.\n'])
    expect(ended.has('reports')).toBe(false)
  })

  it('--version is that of the package', async () => {
    const ended = await run(['--version'])
    expect(ended.stdout).toBe(`${packageJson.version}\n`)
    expect(ended.code).toBe(0)
  })
})

it('serve, on a port in use: exit 2, with advice', async () => {
  const { port } = new URL(await listening(createServer()))
  const ended = await run(['serve', '--port', port])
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain(`Cannot listen on 127.0.0.1:${port} (EADDRINUSE). Choose another --port`)
})
