import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { settingsOf } from '../settings/settings.ts'
import { bench } from './testing/bench.ts'

const { run, listening, reference } = bench()

const flags = settingsOf('run').filter(({ flag }) => flag !== undefined).length

describe.concurrent('help', () => {
  it.each([
    [['--help'], 28],
    [['run', '--help'], 30],
    [['doctor', '--help'], 32],
    [['restore', '--help'], 32],
    [['help', 'run'], 30],
    // A line for each flag, and some for its frame and for what does not fit into one.
    [['run', '--help', '--all'], flags + 33],
  ])('%j has an example and at most %i lines', async (args, most) => {
    const ended = await run(args)
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    expect(ended.stdout).toMatch(/^Usage: store-conformance/m)
    expect(ended.stdout).toMatch(/Example:\n {2}.*store-conformance/)
    const lines = ended.stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(most)
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(120)
  })

  it.each(['run', 'doctor'])(
    '%s --help begins with an example and a dozen flags; --all has every flag',
    async name => {
      const [short, all] = await Promise.all([run([name, '--help']), run([name, '--help', '--all'])])
      const flagsIn = (text: string) =>
        text.match(/^ {2}(?:-\w, )?--[a-z-]+/gm)?.map(each => each.trim()) ?? []
      expect(short.stdout).toMatch(/^Example:/)
      expect(flagsIn(short.stdout)).toHaveLength(13)
      for (const { flag } of settingsOf('run'))
        if (flag !== undefined) expect(flagsIn(all.stdout)).toContain(flag.split(' ')[0])
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
