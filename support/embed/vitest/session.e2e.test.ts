import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { suites } from '../../../suites/index.ts'
import { bench, type CommandResult } from '../../cli/testing/bench.ts'
import { cellKey } from '../../interface/description.ts'

const { run, vitest, plain, reference } = bench()
const RESULTS = 'reports/allure-results'

/** The keys of the rules and observations whose tests have a status, as the JSON reporter of Vitest says. */
function shownAs(status: string, { stdout }: CommandResult): string[] {
  const { testResults } = JSON.parse(stdout) as {
    testResults: { assertionResults: { title: string; status: string }[] }[]
  }
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return tests.filter(each => each.status === status).map(({ title }) => title.split(':')[0] ?? '')
}

const repeatable = { STORE_SEED: '7' }

describe.concurrent('npx vitest run --project conformance', () => {
  it('judges as the command does, with a test for each rule and each observation, and the verdict', async () => {
    const ended = await vitest(['--reporter=json'], { env: repeatable })
    const { verdict, rules } = ended.report()
    expect([verdict, ended.code, ended.has('reports/running.pid')]).toEqual(['conformant', 0, false])
    const byCommand = (await run(['run', '--or-reference'], { env: repeatable })).report()
    expect(rules.map(({ outcome }) => outcome)).toEqual(byCommand.rules.map(({ outcome }) => outcome))
    const passed = shownAs('passed', ended)
    const items = suites.flatMap(suite => [...suite.rules, ...suite.observations])
    expect([...passed, ...shownAs('skipped', ended)].sort()).toEqual(
      [...items.map(cellKey), 'verdict'].sort(),
    )
    const own = rules.filter(({ outcome }) => outcome === 'passed')
    expect(passed).toEqual(expect.arrayContaining(own.map(cellKey)))
    expect(ended.stderr).toMatch(
      /^No store is named: this run judges the bundled reference store(.|\n)*\nThis run changed only the bundled reference store.*\nConformant: .*\n\d+ rules.*\nNo store is named: .*\n$/,
    )
  })

  it('judges what STORE_ONLY selects, and is then partial', async () => {
    const env = { ...repeatable, ...(await plain()).env, STORE_ONLY: 'order-quantity-integer' }
    const ended = await vitest(['suites/list-orders', 'suites/verdict', '--reporter=json'], { env })
    expect([ended.report().verdict, ended.code, shownAs('failed', ended)]).toEqual(['partial', 0, []])
    expect(shownAs('passed', ended).sort()).toEqual(['order-quantity-integer listOrders', 'verdict'])
  })

  // biome-ignore format: a table
  it.each([
    ['invalid settings', { STORE_GATE: 'x', STORE_SEED: '-' }, /2 settings are wrong; nothing was sent\.\n +STORE_G.*\n +STORE_S/],
    ['a states module that ends the process', { STORE_STATES_MODULE: './states.mjs' }, /There is no verdict/],
  ])('ends with 2 for %s', async (_what, own, said) => {
    const files = { 'states.mjs': 'export const setup = () => process.exit(0)' }
    const ended = await vitest(['suites/cancel-order'], { env: { ...(await plain()).env, ...own }, files })
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(said)])
    expect(ended.stderr).not.toMatch(/❯ support\/|Internal error/)
  })

  it('shows a failure with its requests and without code of the suite, and skips what waits for it, also in Allure', async () => {
    const { env } = await reference({ faults: ['cancel-200'] })
    const ended = await vitest(['suites/cancel-order', 'suites/verdict'], { env: { ...repeatable, ...env } })
    expect([ended.code, ended.stderr]).toEqual([
      1,
      expect.stringContaining('AssertionError: Not conformant: '),
    ])
    expect(ended.stderr).not.toMatch(/❯ support\/|throw new/)
    const waiting = 'its requests violate cancel-pending-204 of cancelOrder, which has to be fixed first'
    expect(ended.stdout).toMatch(`[could not be determined: ${waiting}]`)

    const read = (name: string) => ended.read(join(RESULTS, name))
    const names = readdirSync(join(ended.folder, RESULTS)).filter(name => name.endsWith('-result.json'))
    const results = new Map(names.map(name => JSON.parse(read(name))).map(each => [each.historyId, each]))
    const failed = results.get('cancel-pending-204 cancelOrder')
    const labels = {
      epic: 'Store Service Interface',
      feature: 'cancelOrder',
      story: '§4.2/204',
      severity: 'critical',
    }
    expect(failed).toMatchObject({
      statusDetails: { message: expect.stringContaining('expected  204') },
      labels: expect.arrayContaining(Object.entries(labels).map(([name, value]) => ({ name, value }))),
    })
    const [text] = failed.steps.flatMap(({ attachments }: { attachments: object[] }) => attachments)
    expect(read(text.source)).toContain('$ curl -i -X DELETE')
    for (const [key, status, description] of [
      ['cancel-204-no-body cancelOrder', 'skipped', 'which has to be fixed first'],
      ['second-cancel-status cancelOrder', 'passed', 'saw: '],
      ['verdict', 'failed', 'Not conformant'],
    ] as const)
      expect(results.get(key)).toMatchObject({ status, description: expect.stringContaining(description) })
  })
})
