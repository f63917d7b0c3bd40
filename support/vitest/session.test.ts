import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bench } from '../cli/testing/bench.ts'
import type { Ended } from '../cli/testing/command.ts'
import { standingOf } from '../report/reading.ts'
import { faults } from '../run/faults.ts'
import { storeServiceUnderTest } from '../run/store-service.ts'

const { run, vitest, plain, reference } = bench()

/** What the JSON reporter of Vitest says about each test, by the id of its rule. */
function testsOf({ stdout }: Ended) {
  const { testResults } = JSON.parse(stdout) as {
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
  }
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return new Map(tests.map(each => [each.title.split(':')[0] as string, each]))
}

const ids = (status: string, ended: Ended) =>
  [...testsOf(ended)].flatMap(([id, test]) => (test.status === status ? [id] : []))

/** The settings of runs that end with each verdict. */
const targets = {
  conformant: async () => ({}),
  nonconformant: async () => {
    const { apiKey, baseUrl, statesUrl } = await reference({
      overrides: faults.filter(({ id }) => id === 'shipped-cancelled').map(({ override }) => override),
    })
    return { STORE_BASE_URL: baseUrl, STORE_API_KEY: apiKey, STORE_STATES_URL: statesUrl }
  },
  incomplete: async () => {
    const { baseUrl, key } = await plain()
    return { STORE_BASE_URL: baseUrl, STORE_API_KEY: key }
  },
  unreachable: async () => {
    const { baseUrl } = await plain()
    return { STORE_BASE_URL: baseUrl, STORE_API_KEY: 'another-Key-4711' }
  },
}
const repeatable = { STORE_SEED: '7', STORE_RUNS: '5' }

const violating = (async () => {
  const env = { ...repeatable, ...(await targets.nonconformant()) }
  return vitest(['suites/cancel-order', 'suites/model', '-t', 'cancel', '--reporter=verbose'], { env })
})()

describe.concurrent('npx vitest run --project conformance', { timeout: 180_000 }, () => {
  it.each([
    ['conformant', 0],
    ['nonconformant', 1],
    ['incomplete', 3],
    ['unreachable', 4],
  ] as const)('has the verdict and the exit code of the command: %s, %i', async (verdict, code) => {
    const env = { ...repeatable, ...(await targets[verdict]()) }
    const ended = await vitest(['--reporter=json'], { env })
    const report = ended.report()
    expect([report.verdict, ended.code]).toEqual([verdict, code])
    const outcomes = ({ rules }: typeof report) => rules.map(({ id, outcome }) => [id, outcome])
    const same = { ...env, ...(await targets[verdict]()) }
    expect(outcomes(report)).toEqual(outcomes((await run([], { env: same })).report()))
    expect(testsOf(ended).get('verdict')?.status).toBe(code === 0 ? 'passed' : 'failed')
    const { gate, rules } = report
    const violated = rules.filter(rule => standingOf(rule, gate) === 'failed').map(({ id }) => id)
    expect(ids('failed', ended).filter(id => id !== 'verdict')).toEqual(violated)
    expect(ids('passed', ended)).toEqual(expect.arrayContaining(ended.rules('passed')))
    expect(ended.stderr).toMatch(/\n(Conformant|Not conformant|Incomplete|Unreachable): .*\n\d+ rules/)
    expect(ended.has('reports/junit.xml')).toBe(true)
    expect(ended.has('reports/running.pid')).toBe(false)
  })

  it('has a test for each rule and each observation of the suites, and the verdict', async () => {
    const { stdout } = await vitest(['--reporter=json', '-t', 'list-orders-200'])
    const items = storeServiceUnderTest.suites.flatMap(({ rules, observations }) => [
      ...rules,
      ...observations,
    ])
    const tests = testsOf({ stdout } as Ended)
    expect([...tests.keys()].sort()).toEqual([...items.map(({ id }) => id), 'verdict'].sort())
  })

  it('judges the selected rules alone, and states their verdict', async () => {
    const env = { ...repeatable, ...(await targets.nonconformant()) }
    const partial = await vitest(['suites/cancel-order', '-t', 'unknown'], { env })
    expect([partial.report().verdict, partial.code]).toEqual(['partial', 0])
    expect(partial.report().rules.map(({ id }) => id)).toEqual(['cancel-unknown-404'])
    const failed = await vitest(['suites/cancel-order', '--sequence.concurrent', '-t', 'shipped'], { env })
    expect([failed.report().verdict, failed.code]).toEqual(['nonconformant', 1])
    expect(failed.report().rules.map(({ id }) => id)).toEqual([
      'cancel-shipped-409',
      'list-orders-shipped-listed',
    ])
  })

  it('shows a failure without code of the suite, and skips the rules that wait for it', async () => {
    const { stdout, stderr } = await violating
    expect(stderr).toContain('Not met: cancelOrder: Cancelling a shipped order answers 409')
    expect(stderr).toContain('AssertionError: Not conformant: ')
    expect(stderr).not.toMatch(/❯ support\/|throw new/)
    expect(stdout).toMatch(
      /↓ .*cancel-shipped-409-after-anything: .* \[could not be determined: cancel-shipped-409 must hold first, and failed\]/,
    )
  })

  it.each<[string, readonly string[], Record<string, string>, RegExp]>([
    [
      'invalid settings',
      [],
      { STORE_GATE: 'x', STORE_RUNS: '-' },
      /2 settings are wrong; nothing was sent\.\n +STORE_GATE.*\n +STORE_RUNS/,
    ],
    ['a pattern that matches no rule', ['-t', 'nothing-like-it'], {}, /no test of a rule .* is selected/],
    ['states that do not work', [], { STORE_STATES_MODULE: './missing.mjs' }, /missing\.mjs/],
  ])('fails for %s, and sends nothing', async (_title, args, env, message) => {
    const store = await plain()
    const ended = await vitest(['suites/model', 'suites/list-orders', ...args], {
      env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.key, ...env },
    })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(message)
    expect(ended.stderr).not.toMatch(/❯ support\/|Internal error|Unhandled/)
    expect(store.requests).toEqual([])
  })

  it('ends with 2 if the states module ends the process', async () => {
    const { baseUrl, apiKey } = await reference()
    const ended = await vitest([], {
      env: { STORE_BASE_URL: baseUrl, STORE_API_KEY: apiKey, STORE_STATES_MODULE: './states.mjs' },
      files: { 'states.mjs': 'export const setup = () => process.exit(0)' },
    })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('There is no verdict')
  })
})

interface AllureResult {
  readonly historyId: string
  readonly status: string
  readonly statusDetails: { readonly message?: string; readonly trace?: string }
  readonly description: string
  readonly labels: readonly { readonly name: string; readonly value: string }[]
  readonly links: readonly { readonly url: string }[]
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
  readonly steps: readonly {
    readonly attachments: readonly { readonly source: string; readonly type: string }[]
  }[]
}

it('allure-results has labels, links and parameters of each rule, and the exchanges of a failure', {
  timeout: 180_000,
}, async () => {
  const ended = await violating
  const folder = 'reports/allure-results'
  const results = readdirSync(join(ended.folder, folder))
    .filter(name => name.endsWith('-result.json'))
    .map(name => JSON.parse(ended.read(join(folder, name))) as AllureResult)
  const resultOf = (id: string) => results.find(({ historyId }) => historyId === id) ?? expect.fail(id)

  const failed = resultOf('cancel-shipped-409')
  expect(failed.status).toBe('failed')
  expect(failed.statusDetails.message).toContain('expected  409')
  expect(Object.fromEntries(failed.labels.map(({ name, value }) => [name, value]))).toMatchObject({
    epic: 'Store Service Interface',
    feature: 'cancelOrder',
    story: '§4.2/409',
    severity: 'critical',
  })
  expect(failed.parameters.map(({ name, value }) => [name, value])).toEqual([
    ['seed', '7'],
    ['profile', '1.0.0'],
  ])
  expect(failed.links[0]?.url).toBe('../conformance.html#clause-4.2/409')
  const attachments = failed.steps.flatMap(each => each.attachments)
  expect(attachments.map(({ type }) => type)).toEqual(['text/plain', 'application/json'])
  const [text = '', exchange = ''] = attachments.map(({ source }) => ended.read(join(folder, source)))
  expect(text).toContain('$ curl -i -X DELETE')
  expect(JSON.parse(exchange)).toMatchObject({ request: { method: 'DELETE' }, response: { status: 204 } })

  const waiting = resultOf('cancel-shipped-409-after-anything')
  expect(waiting.status).toBe('skipped')
  expect(waiting.description).toContain('must hold first, and failed')
  expect(resultOf('cancel-pending-204').status).toBe('passed')
  expect(resultOf('second-cancel-status')).toMatchObject({ status: 'passed' })
  expect(resultOf('second-cancel-status').description).toContain('saw: ')
  expect(resultOf('verdict')).toMatchObject({ status: 'failed' })
  expect(ended.read(join(folder, 'environment.properties'))).toContain('Verdict=nonconformant')
})
