import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { suites } from '../../../suites/index.ts'
import { bench, type CommandResult } from '../../cli/testing/bench.ts'
import { cellKey } from '../../interface/description.ts'

const { run, vitest, plain, reference } = bench()

/** What the JSON reporter of Vitest says about each test, by its rule and operation. */
function testsOf({ stdout }: CommandResult) {
  const { testResults } = JSON.parse(stdout) as {
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
  }
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return new Map(tests.map(each => [each.title.split(':')[0] as string, each]))
}

const shownAs = (status: string, ended: CommandResult) =>
  [...testsOf(ended)].flatMap(([key, test]) => (test.status === status ? [key] : []))

const repeatable = { STORE_SEED: '7' }

/** The tests of one folder, for a store that violates a rule of it. */
const violating = (async () => {
  const { env } = await reference({ faults: ['cancel-200'] })
  return vitest(['suites/cancel-order', 'suites/verdict'], { env: { ...repeatable, ...env } })
})()

describe.concurrent('npx vitest run --project conformance', { timeout: 180_000 }, () => {
  it('judges as the command does, with a test for each rule and each observation, and the verdict', async () => {
    const ended = await vitest(['--reporter=json'], { env: repeatable })
    const report = ended.report()
    expect([report.verdict, ended.code]).toEqual(['conformant', 0])
    const outcomes = ({ rules }: typeof report) => rules.map(rule => [cellKey(rule), rule.outcome])
    expect(outcomes(report)).toEqual(
      outcomes((await run(['run', '--or-reference'], { env: repeatable })).report()),
    )
    const items = suites.flatMap(({ rules, observations }) => [...rules, ...observations])
    expect([...testsOf(ended).keys()].sort()).toEqual([...items.map(cellKey), 'verdict'].sort())
    expect(shownAs('failed', ended)).toEqual([])
    const passed = report.rules.filter(({ outcome }) => outcome === 'passed')
    expect(shownAs('passed', ended).sort()).toEqual(expect.arrayContaining(passed.map(cellKey)))
    expect(ended.stderr).toMatch(/^No store is named: this run judges the bundled reference store/)
    expect(ended.stderr).toMatch(
      /\nThis run changed only the bundled reference store.*\nConformant: .*\n\d+ rules.*\nNo store is named: .*\n$/,
    )
    expect(ended.has('reports/junit.xml')).toBe(true)
    expect(ended.has('reports/running.pid')).toBe(false)
  })

  it.each([
    ['partial', 0, { STORE_ONLY: 'order-quantity-integer' }],
    ['unreachable', 4, { STORE_API_KEY: 'another-Key-4711' }],
  ])('has the verdict %s, and exit code %i', async (verdict, code, own) => {
    const env = { ...repeatable, ...(await plain()).env, ...own }
    const ended = await vitest(['suites/list-orders', 'suites/verdict', '--reporter=json'], { env })
    expect([ended.report().verdict, ended.code]).toEqual([verdict, code])
    expect(shownAs('failed', ended)).toEqual(code === 0 ? [] : ['verdict'])
    expect(shownAs('passed', ended).sort()).toEqual(
      code === 0 ? ['order-quantity-integer listOrders', 'verdict'] : [],
    )
  })

  it('shows a failure without code of the suite, and skips the rules that wait for it', async () => {
    const { stdout, stderr, code, report } = await violating
    expect([report().verdict, code]).toEqual(['nonconformant', 1])
    expect(stderr).toContain('Not met: cancelOrder: A pending order is cancelled with 204')
    expect(stderr).toContain('AssertionError: Not conformant: ')
    expect(stderr).not.toMatch(/❯ support\/|throw new/)
    expect(stdout).toMatch(
      /↓ cancel-204-no-body cancelOrder: .* \[could not be determined: its requests violate cancel-pending-204 of cancelOrder, which has to be fixed first\]/,
    )
  })

  it('fails for invalid settings, and sends nothing', async () => {
    const store = await plain()
    const env = { ...store.env, STORE_GATE: 'x', STORE_SEED: '-' }
    const ended = await vitest(['suites/list-orders'], { env })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(/2 settings are wrong; nothing was sent\.\n +STORE_GATE.*\n +STORE_SEED/)
    expect(ended.stderr).not.toMatch(/❯ support\/|Internal error|Unhandled/)
    expect(store.requests).toEqual([])
  })

  it('ends with 2 if the states module ends the process', async () => {
    const { env } = await plain()
    const ended = await vitest(['suites/cancel-order'], {
      env: { ...env, STORE_STATES_MODULE: './states.mjs' },
      files: { 'states.mjs': 'export const setup = () => process.exit(0)' },
    })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('There is no verdict')
  })
})

it('allure-results has labels and links of each rule, and a failure with its requests', {
  timeout: 180_000,
}, async () => {
  const ended = await violating
  const read = (name: string) => ended.read(join('reports/allure-results', name))
  const results = readdirSync(join(ended.folder, 'reports/allure-results'))
    .filter(name => name.endsWith('-result.json'))
    .map(name => JSON.parse(read(name)))
  const resultOf = (key: string) => results.find(({ historyId }) => historyId === key) ?? expect.fail(key)

  const failed = resultOf('cancel-pending-204 cancelOrder')
  expect(failed).toMatchObject({
    status: 'failed',
    statusDetails: { message: expect.stringContaining('expected  204') },
    labels: expect.arrayContaining([
      { name: 'epic', value: 'Store Service Interface' },
      { name: 'feature', value: 'cancelOrder' },
      { name: 'story', value: '§4.2/204' },
      { name: 'severity', value: 'critical' },
    ]),
    links: [{ url: '../conformance.html#clause-4.2/204' }],
  })
  const [text] = failed.steps.flatMap(({ attachments }: { attachments: object[] }) => attachments)
  expect(read(text.source)).toContain('$ curl -i -X DELETE')
  for (const [key, status, description] of [
    ['cancel-204-no-body cancelOrder', 'skipped', 'which has to be fixed first'],
    ['second-cancel-status cancelOrder', 'passed', 'saw: '],
    ['verdict', 'failed', 'Not conformant'],
  ] as const)
    expect(resultOf(key)).toMatchObject({ status, description: expect.stringContaining(description) })
  expect(read('environment.properties')).toMatch(/verdict=nonconformant\nprofile=1\.0\.0\n(.*\n)*seed=7/)
})
