import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { bench } from './testing/bench.ts'

const { run, listening } = bench()

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

describe('completion bash', () => {
  let script = ''
  beforeAll(async () => {
    script = (await run(['completion', 'bash'])).stdout
  })

  /** The completions that bash offers for the last word. */
  const offered = (...words: string[]): string[] => {
    const typed = words.map(word => `'${word}'`).join(' ')
    const { stdout, stderr } = spawnSync(
      'bash',
      [
        '--norc',
        '-c',
        `${script}\nCOMP_WORDS=(store-conformance ${typed}); COMP_CWORD=${words.length}; _store_conformance; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      { encoding: 'utf8' },
    )
    expect(stderr).toBe('')
    return stdout.split('\n').filter(Boolean)
  }

  it.each([
    [['expl'], ['explain']],
    [['run', '--base'], ['--base-url']],
    [['explain', 'order-quantity-i'], ['order-quantity-integer']],
    [['run', '--only', 'order-quantity-i'], ['order-quantity-integer']],
    // No flag contains a secret.
    [['run', '--api-key'], ['--api-key-file']],
  ])('completes %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected)
  })
})

it('completion prints scripts for zsh and fish, too', async () => {
  const [zsh, fish] = await Promise.all([run(['completion', 'zsh']), run(['completion', 'fish'])])
  expect(zsh.stdout).toMatch(/^autoload -U \+X bashcompinit/)
  expect(fish.stdout).toContain('-a doctor')
  if (spawnSync('fish', ['--version']).status === 0)
    expect(spawnSync('fish', ['--no-execute'], { input: fish.stdout }).status).toBe(0)
})
