import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults.ts'
import { bench } from '../cli/testing/bench.ts'
import { whyImpliedGates } from '../report/words.ts'
import { settings } from '../settings/settings.ts'
import { blocksOf, docs, textOf } from './testing/blocks.ts'
import { type Installation, install } from './testing/installation.ts'

const root = new URL('../../', import.meta.url)
const readme = readFileSync(new URL('README.md', root), 'utf8')
const blocks = blocksOf('../../README.md')

/** The sample outputs of runs. */
const shown = blocks.filter(({ language, text }) => language === 'text' && !text.startsWith('suites/'))

/** Ports, ids and lengths differ from run to run, and numbers of rules from version to version. */
const withoutNumbers = (text = 'no sample output') => text.replaceAll(/[0-9]+/g, '0')

/** Expects every line of the sample. The run may print further lines, for example about rules that are newer than the profile. */
function expectLines(printed: string, text: string | undefined): void {
  const lines = withoutNumbers(printed).split('\n')
  expect(lines).toEqual(expect.arrayContaining(withoutNumbers(text).split('\n')))
}

/** The anchors that GitHub gives to headings. */
const headingsIn = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )

/** The sample outputs of runs in outcomes.md. */
const outcomes = blocksOf('outcomes.md').filter(({ language }) => language === 'text')

const { run, reference } = bench()

/** A run on the reference store with this fault. */
const runBroken = async (fault: string) => {
  const overrides = faults.filter(({ id }) => id === fault).map(({ override }) => override)
  const { apiKey, baseUrl, statesUrl } = await reference({ overrides })
  const args = ['run', '--seed', '42', '--base-url', baseUrl, '--states-url', statesUrl]
  return run(args, { env: { STORE_API_KEY: apiKey } })
}

let place: Installation
beforeAll(async () => {
  place = await install()
})
afterAll(() => place.remove())

describe('README', () => {
  it('names commands, flags and scripts that exist', async () => {
    const { stdout: help } = await run(['--help'])
    const { stdout: flags } = await run(['run', '--help'])
    for (const [, command] of readme.matchAll(/npx store-conformance ([a-z]+)/g)) {
      expect(help).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'))
    }
    for (const [, flag = ''] of readme.matchAll(/`(--[a-z-]+)/g)) expect(flags).toContain(flag)
    for (const [, command = '', rest = ''] of readme.matchAll(
      /`(?:npx store-conformance )?([a-z]+) ([^`\n]+)`/g,
    )) {
      const own = [...rest.matchAll(/(?<= |^)--[a-z-]+/g)]
      if (own.length === 0 || !new RegExp(`^ {2}${command}\\b`, 'm').test(help)) continue
      const { stdout: helpOf } = await run([command, '--help'])
      for (const [flag] of own)
        expect(helpOf, `${command} ${flag}`).toMatch(new RegExp(`^ {2}${flag}\\b`, 'm'))
    }
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
    for (const [, script = ''] of readme.matchAll(/npm run ([a-z:]+)/g))
      expect(scripts).toHaveProperty(script)
  })

  it('describes every room', () => {
    const rooms = [
      'suites/',
      ...readdirSync(new URL('support/', root)).map(name => `support/${name}/`),
      'reports/',
    ]
    const architecture = textOf('architecture.md')
    for (const room of rooms) {
      expect(readme).toMatch(new RegExp(`^${room} +\\S`, 'm'))
      expect(architecture).toContain(`**\`${room}\`** `)
    }
  })

  it('and every other document link only to files and headings that the package contains', () => {
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
    })
    const packed: string[] = JSON.parse(stdout)[0].files.map(({ path }: { path: string }) => path)
    const pages = packed.filter(path => path.endsWith('.md'))
    expect(pages).toEqual(expect.arrayContaining(['README.md', ...docs.map(doc => `support/docs/${doc}`)]))
    const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
    for (const page of pages) {
      for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
        const [file = '', anchor] = target.split('#')
        const path = file === '' ? page : join(dirname(page), file)
        expect(packed, `${page} links to ${target}`).toContain(path)
        if (anchor !== undefined)
          expect(headingsIn(read(path)), `${page} links to ${target}`).toContain(anchor)
      }
    }
  })

  it('shows what a run prints', async () => {
    const { code, stdout } = await run(['run', '--seed', '42'])
    expect(code, stdout).toBe(0)
    expectLines(stdout, shown[0]?.text)
    expectLines(stdout, outcomes[0]?.text)
  })

  it('outcomes.md shows a failure as it is printed', async () => {
    const { stdout } = await runBroken('quantity-clamped-at-255')
    expectLines(stdout, outcomes[1]?.text)
  })

  it('shows what the self-check prints of a fault', async () => {
    const { stdout } = await run(['selfcheck', '--fault', 'third-cancel-succeeds'])
    expectLines(stdout, shown[3]?.text)
  })

  it('shows what a run prints of a broken store', async () => {
    const { code, stdout } = await runBroken('update-adds')
    expect(code, stdout).toBe(1)
    expectLines(stdout, shown[1]?.text)
  })

  it('shows what a run prints that has only an address and a key', async () => {
    const { apiKey, baseUrl } = await reference()
    const args = ['run', '--seed', '42', '--base-url', baseUrl]
    const { code, stdout } = await run(args, { env: { STORE_API_KEY: apiKey } })
    expect(code, stdout).toBe(3)
    expectLines(stdout, shown[2]?.text)
  })

  it('outcomes.md says why implied rules gate, as the report and explain do', () => {
    expect(textOf('outcomes.md').replaceAll('`', '').replaceAll('\n', ' ')).toContain(whyImpliedGates)
  })

  it('robustness.md has the limits that the program has', async () => {
    const files = ['key', 'conformance.json', 'certificate.zip']
    const { folder } = await run(['--version'])
    for (const [at, size] of [17_000, 65_000_000, 65_000_000].entries()) {
      writeFileSync(join(folder, files[at] as string), '')
      truncateSync(join(folder, files[at] as string), size)
    }
    const commands = [
      ['run', '--base-url', 'http://127.0.0.1:1/v1', '--api-key-file', 'key'],
      ['diff', 'conformance.json', 'conformance.json'],
      ['verify', 'certificate.zip'],
    ]
    const rows = ['--api-key-file', 'reports, ', 'certificate.zip']
    const table = textOf('robustness.md').split('\n')
    for (const [at, args] of commands.entries()) {
      const { stderr } = await run(args, { folder })
      const limit = /has more than (\d+ [kM]B)/.exec(stderr)?.[1] ?? `no limit: ${stderr}`
      expect(table.find(line => /^\| *`?\S/.test(line) && line.includes(rows[at] as string))).toContain(limit)
    }
    for (const [name, time] of [
      ['timeoutMs', '10 s'],
      ['statesTimeoutMs', '30 s'],
      ['maxDurationMs', '10 min'],
    ] as const) {
      const [amount = '', unit = ''] = time.split(' ')
      expect(settings[name].schema.parse(undefined)).toBe(Number(amount) * (unit === 's' ? 1_000 : 60_000))
      const flag = `\`${settings[name].flag.split(' ')[0]}\``
      expect(table.find(line => line.includes(flag))).toContain(time)
    }
  })

  it('shows a program that judges a store', async () => {
    const [block] = blocks.filter(({ language }) => language === 'js')
    const { apiKey, baseUrl } = await reference()
    const text = (block?.text ?? '').replace('http://127.0.0.1:8080/v1', baseUrl)
    expect(text).toContain(baseUrl)
    place.write({ 'readme.mjs': text })
    const { code, stdout, stderr } = await place.run('node', ['readme.mjs'], { STORE_API_KEY: apiKey })
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^incomplete /)
  })

  const shell = blocks.filter(({ language }) => language === 'sh')

  it.each(shell.filter(({ run }) => run).map(block => [block.line, block] as const))(
    'shows commands with their exit code, line %i',
    async (_line, { text, exit }) => {
      const { apiKey, baseUrl, states, domain } = await reference()
      const { orderIds: pending = [] } = states.setup('pending orders', { count: 3 })
      const { orderIds: shipped = [] } = states.setup('shipped orders', { count: 2 })
      const { petIds: pets = [] } = states.setup('pets', { count: 2, quantity: 5 })
      const command = text
        .replace('…', apiKey)
        .replaceAll('https://staging.store.example/v1', baseUrl)
        .replace('1001,1002,1003', pending.join(','))
        .replace('2001', shipped.join(','))
        .replace('--pets 1,2', `--pets ${pets.join(',')}`)
        .replaceAll('npx ', '')
      // The profile has fewer rules to judge.
      const env = { STORE_API_KEY: apiKey, STORE_PROFILE: '1.0.0-stable' }
      const { code, stdout, stderr } = await place.run('bash', ['-c', command], env)
      expect(code, stdout + stderr).toBe(exit)
      for (const pet of pets) expect(domain.stock.get(`${pet}e0`)?.quantity).toBe(5n)
      if (exit === 0 && command.includes(' run ')) expect(stdout).toContain('Conformant: ')
    },
  )

  it('shows commands for a clone only if .ci/run runs them', () => {
    const ci = readFileSync(new URL('.ci/run', root), 'utf8')
    const lines = shell.filter(({ run }) => !run).flatMap(({ text }) => text.trim().split('\n'))
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines)
      for (const command of line.replace(/ *#.*/, '').split(' && ')) expect(ci).toContain(`'${command}'`)
  })
})
