import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTarget } from '../access/target.ts'
import type * as JudgeRule from '../judge/judge-rule.ts'
import { randomness } from '../judge/randomness.ts'
import type { Rule } from '../judge/rule.ts'
import { openSession } from '../judge/session.ts'
import { answer } from '../judge/testing/parts.ts'
import { referenceStore, serve } from '../reference/index.ts'
import { blocksOf } from './testing/blocks.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const blocks = blocksOf('writing-rules.md')

/** A copy of the project in a temporary folder, with the examples of the document added. */
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-conformance-writing-'))
  for (const name of [
    'suites',
    'support',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'vitest.config.ts',
  ])
    cpSync(join(project, name), join(folder, name), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, into, text } of blocks) {
    if (file) writeFileSync(join(folder, file), text)
    if (into) writeFileSync(join(folder, into), withEntry(readFileSync(join(folder, into), 'utf8'), text))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The file with one more entry in its exported list. */
const withEntry = (source: string, entry: string): string =>
  source.replace(/^export const (?:rules|faults|freedoms)\b.*\[\n/m, start => `${start}${entry}`)

const imported = async <Exported>(file: string): Promise<Exported> =>
  import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href)

interface Ended {
  readonly code: number | null
  readonly output: string
}

const run = (command: string): Promise<Ended> =>
  new Promise(resolve => {
    const { PATH = '', HOME = '' } = process.env
    const child = spawn('bash', ['-c', command], {
      cwd: folder,
      env: { PATH: `${join(folder, 'node_modules/.bin')}:${PATH}`, HOME, NO_COLOR: '1', CI: '1' },
    })
    let output = ''
    child.stdout.on('data', chunk => (output += chunk))
    child.stderr.on('data', chunk => (output += chunk))
    child.once('close', code => resolve({ code, output }))
  })

const [judgeRule = '', judgeFault = '', , judgeFreedom = ''] = blocks
  .filter(({ notes }) => notes.includes('try'))
  .flatMap(({ text }) =>
    text
      .trimEnd()
      .replaceAll('npx store-conformance', 'node dist/support/cli/main.js')
      .replaceAll('npx ', '')
      .split('\n'),
  )

const [printedForFault = '', printedForFreedom = ''] = blocks
  .filter(({ language }) => language === 'text')
  .map(({ text }) => text)

/** Milliseconds. Each command starts a test runner or a compiler, which a busy machine slows down. */
const LONG = 240_000

describe('a new rule and its fault, added to two files', { timeout: LONG }, () => {
  it('the rule is judged by its name', async () => {
    const { code, output } = await run(judgeRule)
    expect(code, output).toBe(0)
    // Both rules whose name matches, and the verdict.
    expect(output).toMatch(/Tests +3 passed/)
    expect(output).toMatch(/^2 rules, /m)
  })

  it('the fault is judged alone, and turns exactly the rule red', async () => {
    const { code, output } = await run(judgeFault)
    expect(code, output).toBe(0)
    expect(output).toContain(printedForFault)
  })

  it('the tests of rules, faults and profiles pass', async () => {
    const paths = ['selfcheck/gaps', 'interface/clauses', 'interface/profiles', 'docs/structure']
    const { code, output } = await run(
      `vitest run --project unit ${paths.map(each => `support/${each}`).join(' ')}`,
    )
    expect(code, output).toBe(0)
  })

  it('the rule is shown, and does not gate in an older profile', async () => {
    const { code, output } = await run(
      'npm run build && node dist/support/cli/main.js run --seed 1 --out reports --only "cancel-2*,cancel-pending-204"',
    )
    expect(code, output).toBe(0)
    expect(output).toMatch(/^1 rule is new since profile 1\.0\.0 and does not count yet; none failed\.$/m)
    const { rules } = JSON.parse(readFileSync(join(folder, 'reports/conformance.json'), 'utf8'))
    expect(rules.find(({ id }: Rule) => id === 'cancel-204-no-content-type')).toMatchObject({
      outcome: 'passed',
      newSince: '1.0.0',
    })
  })

  it('the next profile contains it', async () => {
    const { code, output } = await run('npm run publish-profile -- 1.1.0')
    expect(code, output).toBe(0)
    const profile = (name: string) =>
      JSON.parse(readFileSync(join(folder, `support/interface/profiles/${name}.json`), 'utf8'))
    expect(profile('1.1.0').revision).toBe(profile('1.0.0').revision + 1)
    for (const name of ['1.1.0', '1.1.0-stable'])
      expect(profile(name).rules).toMatchObject({ 'cancel-204-no-content-type': 'advisory' })
  })
})

describe('the examples of the document', () => {
  it('pass the type check', () => {
    const compiler = join(project, 'node_modules/typescript/bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', folder], {
      encoding: 'utf8',
    })
    expect(status, stdout).toBe(0)
  })

  it('contain a rule with its own scenario, which passes', async () => {
    const { rules } = await imported<{ rules: readonly Rule[] }>('suites/cancel-order/example.ts')
    const [rule] = rules as [Rule]
    const store = referenceStore()
    const { baseUrl, close } = await serve(store)
    const options = {
      baseUrl,
      apiKey: store.apiKey,
      states: store.states,
      readOnly: false,
      timeoutMs: 5_000,
      concurrency: 2,
    }
    const target = await openTarget(options, [rule.given])
    try {
      await target.check()
      const judgement = await openSession(target, { rules, randomness: randomness(1), runs: 1 }).judge(rule)
      expect(judgement.outcome).toBe('passed')
    } finally {
      await target.close()
      await close()
    }
  })

  it('contain rules about a list, which judge a list of any size', async () => {
    const { rules } = await imported<{ rules: readonly Rule[] }>('suites/list-orders/example.ts')
    const { judgeSeen } = await imported<typeof JudgeRule>('support/judge/judge-rule.ts')
    const outcomes = (count: number, last: string) => {
      const orders = Array.from({ length: count }, (_, id) => `{"id":${id},"complete":${id > 10}}`)
      const seen = { order: '3', list: answer(`[${[...orders, last]}]`) }
      return rules.map(rule => judgeSeen(rule, seen)).map(({ outcome, message = '' }) => [outcome, message])
    }
    for (const count of [20, 50_000]) {
      expect(outcomes(count, '{"id":-1,"complete":true}')).toEqual([
        ['passed', ''],
        ['passed', ''],
      ])
      expect(outcomes(count, '{"id":-1}')).toEqual([
        ['failed', `expected complete in every order, got [${count}] has no complete`],
        ['failed', `expected only complete orders, got [${count}] after [11]`],
      ])
    }
  })

  it('contain a freedom with which no gating rule fails', { timeout: LONG }, async () => {
    const { code, output } = await run(judgeFreedom)
    expect(code, output).toBe(0)
    expect(output).toContain(printedForFreedom)
  })
})
