import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'

const { run } = bench()
const hasFish = spawnSync('fish', ['--version']).status === 0

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
    [['do'], ['doctor']],
    [['expl'], ['explain']],
    [['run', '--base'], ['--base-url']],
    [
      ['list', '--cl'],
      ['--clause', '--clauses'],
    ],
    [['--base'], ['--base-url']],
    [['explain', 'order-quantity-i'], ['order-quantity-integer']],
    [['run', '--only', 'order-quantity-i'], ['order-quantity-integer']],
    // No flag contains a secret.
    [['run', '--api-key'], ['--api-key-file']],
  ])('completes %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected)
  })
})

it('prints scripts for zsh and fish, too', async () => {
  const [zsh, fish] = await Promise.all([run(['completion', 'zsh']), run(['completion', 'fish'])])
  expect(zsh.stdout).toMatch(/^autoload -U \+X bashcompinit/)
  expect(fish.stdout).toContain('-a doctor')
  if (hasFish) expect(spawnSync('fish', ['--no-execute'], { input: fish.stdout }).status).toBe(0)
})

it('refuses other shells, and names those it has', async () => {
  const { code, stderr } = await run(['completion', 'tcsh'])
  expect(code).toBe(2)
  expect(stderr).toContain('bash, zsh, fish')
})
