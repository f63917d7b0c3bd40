import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { bench, project, spawned } from '../cli/testing/bench.ts'
import { newFolder } from '../http/testing/folder.ts'
import type * as JudgeRule from '../judge/judge-rule.ts'
import { randomness } from '../judge/randomness.ts'
import type { Rule } from '../judge/rule.ts'
import { openSession } from '../judge/session.ts'
import { answer } from '../judge/testing/parts.ts'
import { openStore } from '../store/target.ts'
import { blocksOf } from './testing/blocks.ts'

const { reference } = bench()
const blocks = blocksOf('writing-rules.md')

/** A copy of the project in a temporary folder, with the examples of the document added. */
const folder = newFolder()
beforeAll(() => {
  const parts = [
    'suites',
    'support',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'vitest.config.ts',
  ]
  for (const name of parts) cpSync(join(project, name), join(folder, name), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  for (const { file, into, text } of blocks) {
    if (file) writeFileSync(join(folder, file), text)
    if (into) writeFileSync(join(folder, into), withEntry(readFileSync(join(folder, into), 'utf8'), text))
  }
})

/** The file with one more entry in its exported list. */
const withEntry = (source: string, entry: string): string =>
  source.replace(/^export const (?:rules|faults|freedoms)\b.*\[\n/m, start => `${start}${entry}`)

const imported = async <Exported>(file: string): Promise<Exported> =>
  import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href)

/** Expects the command to succeed. @returns what it printed */
async function printed(command: string): Promise<string> {
  const PATH = `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`
  const env = { PATH, NO_COLOR: '1', CI: '1' }
  const { code, stdout, stderr } = await spawned('bash', ['-c', command], { folder, env })
  expect(code, stdout + stderr).toBe(0)
  return stdout + stderr
}

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

describe('a new rule, fault and freedom', { timeout: LONG }, () => {
  it('the rule is judged by its name', async () => {
    const output = await printed(judgeRule)
    // Both rules whose name matches, and the verdict.
    expect(output).toMatch(/Tests +3 passed/)
    expect(output).toMatch(/^2 rules, /m)
  })

  it('the fault is judged alone, and turns exactly the rule red', async () => {
    expect(await printed(judgeFault)).toContain(printedForFault)
  })

  it('the tests of rules, faults and profiles pass', async () => {
    const paths = ['support/selfcheck/gaps', 'support/interface/clauses', 'support/interface/profiles']
    await printed(`vitest run --project unit ${paths.join(' ')}`)
  })

  it('the rule is shown, and does not gate in an older profile', async () => {
    const output = await printed(
      'npm run build && node dist/support/cli/main.js run --target reference --seed 1 --out reports --only "cancel-2*,cancel-pending-204"',
    )
    expect(output).toMatch(/^1 rule is new since profile 1\.0\.0 and does not count yet; none failed\.$/m)
    const { rules } = JSON.parse(readFileSync(join(folder, 'reports/conformance.json'), 'utf8'))
    expect(rules.find(({ id }: Rule) => id === 'cancel-204-no-content-type')).toMatchObject({
      outcome: 'passed',
      newSince: '1.0.0',
    })
  })

  it('no gating rule fails with the freedom', async () => {
    expect(await printed(judgeFreedom)).toContain(printedForFreedom)
  })

  it('the next profile contains it', async () => {
    await printed('npm run publish-profile -- 1.1.0')
    const profile = (name: string) =>
      JSON.parse(readFileSync(join(folder, `support/interface/profiles/${name}.json`), 'utf8'))
    expect(profile('1.1.0').revision).toBe(profile('1.0.0').revision + 1)
    expect(profile('1.1.0').rules.cancelOrder).toMatchObject({ 'cancel-204-no-content-type': 'advisory' })
  })
})

describe('the examples of the document', () => {
  it('contain a rule with its own scenario, which passes', async () => {
    const { rules } = await imported<{ rules: readonly Rule[] }>('suites/cancel-order/example.ts')
    const [rule] = rules as [Rule]
    const { baseUrl, apiKey, states } = await reference()
    const limits = { timeoutMs: 5_000, statesTimeoutMs: 5_000, concurrency: 2 }
    const options = { baseUrl, apiKey, states, readOnly: false, ...limits }
    const target = await openStore(options, [rule.given])
    await target.check()
    const judgement = await openSession(target, { rules, randomness: randomness(1), runs: 1 }).judge(rule)
    await target.close()
    expect(judgement.outcome).toBe('passed')
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
})
