import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTarget } from '../access/target.ts'
import { randomness } from '../judge/randomness.ts'
import type { Rule } from '../judge/rule.ts'
import { openSession } from '../judge/session.ts'
import { type Fault, type Freedom, type Override, referenceStore, serve } from '../reference/index.ts'
import { storeProof } from '../selfcheck/store-proof.ts'
import { blocksOf } from './testing/blocks.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const blocks = blocksOf('writing-rules.md').filter(({ language }) => language === 'ts')

/** A checkout with what the document adds to it. */
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-conformance-writing-'))
  for (const name of ['support', 'node_modules', 'package.json'])
    symlinkSync(join(project, name), join(folder, name))
  for (const { file = '', text } of blocks) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const settings = {
    extends: join(project, 'tsconfig.json'),
    compilerOptions: { rootDir: '/' },
    include: ['suites'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const imported = async <Exported>(file: string): Promise<Exported> =>
  import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href)

const failed = async (change: Fault | Freedom) =>
  (await storeProof.judge([change], { mode: 'states', seed: 1, runs: 1 })).rules
    .filter(({ level, outcome }) => outcome === 'failed' && level !== 'advisory')
    .map(({ id }) => id)

describe('what the document shows', () => {
  it('has the types that it must have', () => {
    const compiler = join(project, 'node_modules/typescript/bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
    const own = stdout.split('\n').filter(line => line.includes('store-conformance-writing-'))
    expect(own, `${status}`).toEqual([])
  })

  it('is a rule that holds, and can fail', async () => {
    const { rules } = await imported<{ rules: readonly Rule[] }>('suites/cancel-order/example.ts')
    const [rule] = rules as [Rule]
    const { faults } = await imported<{ faults: readonly Fault[] }>('suites/cancel-order/faults/example.ts')
    const judged = async (overrides: readonly Override[]) => {
      const store = referenceStore({ overrides })
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
        return await openSession(target, { rules, randomness: randomness(1), runs: 1 }).judge(rule)
      } finally {
        await target.close()
        await close()
      }
    }
    expect((await judged([])).outcome).toBe('passed')
    expect((await judged(faults.map(({ override }) => override))).outcome).toBe('failed')
  })

  it('is a fault that turns red what it says, and nothing else', async () => {
    const { faults } = await imported<{ faults: readonly Fault[] }>('suites/cancel-order/faults/example.ts')
    for (const fault of faults) expect(await failed(fault)).toEqual(fault.breaks)
  })

  it('is a freedom that turns nothing red', async () => {
    const { freedoms } = await imported<{ freedoms: readonly Freedom[] }>(
      'suites/cancel-order/freedoms-example.ts',
    )
    for (const freedom of freedoms) expect(await failed(freedom)).toEqual([])
  })
})
