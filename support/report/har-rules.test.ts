import { expect, test } from 'vitest'
import { suites } from '../../suites/index.ts'
import { judge } from '../embed/judge.ts'
import { harJson } from './har.ts'
import { reportWith } from './html/testing/reports.ts'

interface Entry {
  readonly _scenario: string
  readonly _rules: readonly string[]
  readonly request: { readonly method: string }
}
const entriesOf = (text: string): Entry[] => JSON.parse(text).log.entries

test('titles of scenarios are unique, because an entry names its scenario by title', () => {
  const givens = new Set(
    suites.flatMap(suite => [...suite.rules, ...suite.observations].map(({ given }) => given)),
  )
  const titles = [...givens].map(({ title }) => title)
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
})

test('each entry names the rules that judged it, also those that passed', async () => {
  const report = await judge({
    runs: 1,
    seed: 1,
    only: ['cancel-pending-204', 'cancel-204-no-body', 'list-orders-200'],
  })
  const entries = entriesOf(harJson(report))
  const [rule] = report.rules
  expect(rule?.outcome).toBe('passed')
  const judged = entries.filter(({ _rules }) => _rules.includes(rule?.id ?? ''))
  expect(judged.length).toBeGreaterThan(0)
  for (const { _scenario } of judged) expect(_scenario).toBe(rule?.scenario)
  // The rule cites only some of them: the requests that restore stock are not evidence.
  expect(rule?.exchanges.length).toBeGreaterThan(0)
  expect(judged).toEqual(expect.arrayContaining(rule?.exchanges.map(index => entries[index]) ?? []))
  expect(entries.find(({ _scenario }) => _scenario === 'preflight')?._rules).toEqual([])
})

test('a rule that waits for another one, or was not tested, is not named', () => {
  const report = reportWith({ failed: 1 })
  const [exchange] = report.exchanges
  const facts = report.rules.slice(0, 5)
  const with_ = (outcome: 'passed' | 'failed' | 'cantTell' | 'untested', at: number, behind?: string) => {
    const { behind: _behind, ...rule } = facts[at] as (typeof facts)[number]
    return {
      ...rule,
      outcome,
      exchanges: [],
      scenario: exchange?.scenario ?? '',
      ...(behind ? { behind } : {}),
    }
  }
  const rules = [
    with_('passed', 0),
    with_('failed', 1),
    with_('cantTell', 2),
    with_('cantTell', 3, 'another'),
    with_('untested', 4),
  ]
  const [entry] = entriesOf(harJson({ ...report, rules }))
  expect(entry?._rules).toEqual(rules.slice(0, 3).map(({ id }) => id))
})

test('a URL that is invalid after redaction is written unchanged', () => {
  const report = reportWith({ failed: 1 })
  const [exchange] = report.exchanges
  const url = 'http://127.$STORE_API_KEY.0.1/v1?a=1'
  const exchanges = exchange ? [{ ...exchange, request: { ...exchange.request, url } }] : []
  const [entry] = entriesOf(harJson({ ...report, exchanges }))
  expect(entry?.request).toMatchObject({ url, queryString: [] })
})
