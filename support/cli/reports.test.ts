import { beforeAll, describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'
import type { Ended } from './testing/command.ts'

const { run, reference } = bench()

describe('the reports of the command without flags', () => {
  let ended: Ended
  beforeAll(async () => {
    ended = await run([])
  })

  it('are conformant, with every rule judged except those about ordinary clients', () => {
    expect(ended.stderr).toBe('')
    expect(ended.stdout).toMatch(/^Conformant: \d+ gating rules passed, 4 are not applicable\./m)
    expect(ended.rules('inapplicable')).toEqual([
      'unannounced-list-orders',
      'unannounced-list-inventory',
      'unannounced-cancel-order',
      'unannounced-update-inventory',
    ])
    expect(ended.code).toBe(0)
    expect(ended.report().counts).toMatchObject({ failed: 0, cantTell: 0, untested: 0 })
    expect(ended.report().rules.length).toBeGreaterThan(150)
  })

  it('conformance.json has every member of the contract', () => {
    const file = JSON.parse(ended.read('reports/conformance.json'))
    expect(file).toMatchObject({
      format: 'store-conformance/1',
      verdict: 'conformant',
      profile: '1.0.0',
      gate: 'implied',
      seed: expect.any(Number),
      suite: { name: 'store-conformance', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      target: { baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/), reference: true },
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      durationMs: expect.any(Number),
      requests: expect.any(Number),
    })
    expect(Object.keys(file.counts).sort()).toEqual([
      'cantTell',
      'failed',
      'inapplicable',
      'passed',
      'untested',
    ])
    for (const rule of file.rules) {
      expect(rule).toMatchObject({
        id: expect.any(String),
        operation: expect.any(String),
        level: expect.any(String),
        clause: expect.any(String),
        title: expect.any(String),
        outcome: expect.any(String),
        exchanges: expect.any(Array),
      })
    }
    expect(file.observations.length).toBeGreaterThan(3)
    for (const each of file.observations) {
      expect(each).toMatchObject({
        id: expect.any(String),
        operation: expect.any(String),
        saw: expect.any(String),
      })
    }
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

describe.concurrent('the reports of an earlier run', () => {
  const names = ['conformance.json', 'conformance.html', 'conformance.md', 'junit.xml', 'exchanges.har']
  const earlier = Object.fromEntries([...names, 'matrix.md'].map(name => [name, 'of an earlier run']))
  const states = { 'states.mjs': 'export const setup = () => ({ nonsense: 1 })' }
  const judged = async (...flags: string[]) => {
    const { baseUrl, apiKey } = await reference()
    return run(['--out', '.', '--states-module', './states.mjs', ...flags], {
      env: { STORE_BASE_URL: baseUrl, STORE_API_KEY: apiKey },
      files: { ...earlier, ...states },
    })
  }

  it('are removed although the next run fails; other files stay', async () => {
    const ended = await judged()
    expect(ended.code).toBe(2)
    expect(names.filter(ended.has)).toEqual([])
    expect(ended.read('matrix.md')).toBe('of an earlier run')
  })

  it('stay if the configuration is invalid', async () => {
    for (const flags of [
      ['--only', 'nothing-like-it'],
      ['--gate', 'x'],
    ]) {
      const ended = await judged(...flags)
      expect(ended.code).toBe(2)
      expect(names.filter(ended.has)).toEqual(names)
    }
  })
})
