import { beforeAll, describe, expect, it } from 'vitest'
import { bench, type Ended } from './testing/bench.ts'

const { run, reference } = bench()

describe('the reports of the command without flags', () => {
  let ended: Ended
  beforeAll(async () => {
    ended = await run([])
  })

  it('are conformant, with every rule judged except those about ordinary clients', () => {
    expect(ended.stderr).toBe('')
    expect(ended.stdout).toMatch(/^Conformant: \d+ gating rules passed, 4 are not applicable\./m)
    expect(ended.code).toBe(0)
    const open = ended
      .report()
      .rules.filter(({ outcome, level }) => outcome !== 'passed' && level !== 'advisory')
    const message = 'only certify and verify --confirm send requests that do not announce the suite'
    expect(open.map(rule => [rule.id, rule.outcome, rule.message])).toEqual(
      ['list-orders', 'cancel-order', 'list-inventory', 'update-inventory'].map(slug => [
        `unannounced-${slug}`,
        'inapplicable',
        message,
      ]),
    )
    expect(ended.report()).toMatchObject({ profile: '1.0.0', gate: 'implied', verdict: 'conformant' })
    expect(ended.report().observations.length).toBeGreaterThan(3)
  })

  it('exchanges.har numbers the exchanges as conformance.json does, and each rule cites some', () => {
    const { log } = JSON.parse(ended.read('reports/exchanges.har'))
    const { requests, rules } = ended.report()
    expect(log.version).toBe('1.2')
    expect(log.entries).toHaveLength(requests)
    for (const { id, scenario, exchanges, outcome } of rules) {
      if (outcome === 'inapplicable') continue
      expect(exchanges, id).not.toEqual([])
      for (const index of exchanges) {
        const { _scenario } = log.entries[index]
        expect(_scenario).toBe(scenario)
      }
    }
  })

  it('junit.xml has a case for each rule, conformance.md the verdict', () => {
    const { rules } = ended.report()
    expect(ended.read('reports/junit.xml').match(/<testcase /g)).toHaveLength(rules.length)
    expect(ended.read('reports/conformance.md')).toContain('Conformant: ')
  })
})

it.each([
  [[], false],
  [['--only', 'nothing-like-it'], true],
])('with %j, the reports of an earlier run stay: %s; other files always stay', async (flags, stay) => {
  const names = ['conformance.json', 'conformance.html', 'conformance.md', 'junit.xml', 'exchanges.har']
  const earlier = Object.fromEntries([...names, 'matrix.md'].map(name => [name, 'of an earlier run']))
  const { baseUrl, apiKey } = await reference()
  const ended = await run(['--out', '.', '--states-module', './states.mjs', ...flags], {
    env: { STORE_BASE_URL: baseUrl, STORE_API_KEY: apiKey },
    files: { ...earlier, 'states.mjs': 'export const setup = () => ({ nonsense: 1 })' },
  })
  expect(ended.code).toBe(2)
  expect(names.filter(ended.has)).toEqual(stay ? names : [])
  expect(ended.read('matrix.md')).toBe('of an earlier run')
})
