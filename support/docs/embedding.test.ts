import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bench } from '../cli/testing/bench.ts'
import { rules } from '../embed/check.ts'
import { emptyAnswer, type Override } from '../reference/index.ts'
import { blockCalled, blocksOf } from './testing/blocks.ts'
import { type Installation, install } from './testing/installation.ts'

const { plain, reference } = bench()
let place: Installation
beforeAll(async () => {
  place = await install()
})
afterAll(() => place.remove())

const cancelAnswers200: Override = base => ({
  answerCancel: (met, ctx) => (met === 'pending' ? emptyAnswer(200) : base.answerCancel(met, ctx)),
})

/** The module that the snippets import as `./states.js`. */
const statesModule = `
const post = async body =>
  (await fetch(process.env.STATES_URL, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json()
export const setup = (state, params) => post({ state, params, action: 'setup' })
export const teardown = (state, params) => post({ state, params, action: 'teardown' })
`

/** The arguments of Node that start each runner, with a filter by name. */
const runners = {
  vitest: (only = '.') => ['node_modules/vitest/vitest.mjs', 'run', '--root', 'vitest', '-t', only],
  node: (only = '.') => [
    '--test',
    '--test-reporter=spec',
    `--test-name-pattern=${only}`,
    'node/conformance.test.js',
  ],
} as const

describe.concurrent.each(Object.entries(runners))('one test for each rule, in %s', (name, argsFor) => {
  const file = `${name}/conformance.test.js`
  beforeAll(() =>
    place.write({ [file]: blockCalled('embedding.md', file), [`${name}/states.js`]: statesModule }),
  )
  const judged = async (overrides: readonly Override[], only?: string) => {
    const { baseUrl, statesUrl, apiKey } = await reference({ overrides })
    return place.run(process.execPath, argsFor(only), {
      STORE_BASE_URL: baseUrl,
      STORE_API_KEY: apiKey,
      STATES_URL: statesUrl,
    })
  }

  it('is green for a conformant store, with all rules, and skips those that are inapplicable', async () => {
    const { code, stdout, stderr } = await judged([])
    expect(code, stdout + stderr).toBe(0)
    const skipped = rules.filter(({ id }) => /^(unannounced|auth-revoked-key)-/.test(id)).length
    const passed = rules.length - skipped
    expect(stdout + stderr).toMatch(new RegExp(`\\b${passed} passed\\b|\\bpass ${passed}\\b`))
    expect(stdout + stderr).toMatch(new RegExp(`\\b${skipped} skipped\\b|\\bskipped ${skipped}\\b`))
  })

  it('is red for a store that violates a rule, and gives the reason, also if only that rule is judged', async () => {
    const { code, stdout, stderr } = await judged([cancelAnswers200], 'cancel-pending-204:')
    expect(code).not.toBe(0)
    expect(stdout + stderr).toMatch(/\b1 failed\b|\bfail 1\b/)
    expect(stdout + stderr).not.toMatch(/[1-9][0-9]* passed\b|\bpass [1-9]/)
    expect(stdout + stderr).toContain('cancel-pending-204')
    expect(stdout + stderr).toContain('expected  204')
  })
})

describe.concurrent('programs', () => {
  const run = async (file: string) => {
    const store = await plain()
    place.write({ [file]: blockCalled('embedding.md', file) })
    const before = store.dump()
    const ended = await place.run(process.execPath, [file], {
      STORE_BASE_URL: store.baseUrl,
      STORE_API_KEY: store.key,
    })
    return { ...ended, isUnchanged: store.dump() === before, requests: store.requests }
  }

  it('judge.mjs judges', async () => {
    const { code, stdout, stderr } = await run('judge.mjs')
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^conformant \{/)
    expect(code).toBe(0)
  })

  it('each.mjs judges rule by rule', async () => {
    const { code, stderr, isUnchanged, requests } = await run('each.mjs')
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(requests.some(({ method }) => method === 'PATCH')).toBe(true)
    expect(isUnchanged).toBe(true)
  })

  it('abort.mjs is incomplete, and leaves the store unchanged', async () => {
    const { code, stdout, stderr, isUnchanged } = await run('abort.mjs')
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^incomplete The run was stopped/)
    expect(code).toBe(0)
    expect(isUnchanged).toBe(true)
  })

  it.each(['hono.mjs', 'node.mjs'])('%s is judged without a port', async file => {
    const { code, stdout, stderr, requests } = await run(file)
    expect(stderr).toBe('')
    expect(stdout).toBe('incomplete\n')
    expect(code).toBe(0)
    expect(requests).toEqual([])
  })

  it('all have a test', () => {
    const files = blocksOf('embedding.md').flatMap(({ file = [] }) => file)
    const tried = ['judge.mjs', 'each.mjs', 'abort.mjs', 'hono.mjs', 'node.mjs']
    expect(files.sort()).toEqual(
      [...tried, ...Object.keys(runners).map(name => `${name}/conformance.test.js`)].sort(),
    )
  })
})
