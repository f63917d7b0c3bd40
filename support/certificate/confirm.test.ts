import { describe, expect, it } from 'vitest'
import type { Outcome } from '../judge/outcome.ts'
import { judgement, reportOf } from '../report/testing/fixtures.ts'
import { compareWith, confirmedText } from './confirm.ts'

const READS = ['list-orders-200', 'list-inventory-200']
const report = (outcomes: Readonly<Record<string, Outcome>>) =>
  reportOf({ judgements: Object.entries(outcomes).map(([id, outcome]) => judgement(id, outcome)) })
const reads = (outcome: Outcome) => Object.fromEntries(READS.map(id => [id, outcome]))
const passed = reads('passed')
const compared = (was: Readonly<Record<string, Outcome>>, is: Readonly<Record<string, Outcome>>) =>
  compareWith(report({ ...passed, ...was }), report({ ...passed, ...is }))

describe('a rule of the certificate, judged on the store that the customer uses', () => {
  it.each<[was: Outcome, is: Outcome, outcome: string, group: string]>([
    ['passed', 'passed', 'confirmed', 'same'],
    ['passed', 'failed', 'drift', 'drift'],
    ['passed', 'untested', 'incomplete', 'open'],
    ['passed', 'inapplicable', 'confirmed', 'inapplicable'],
    ['passed', 'cantTell', 'incomplete', 'open'],
    ['failed', 'failed', 'confirmed', 'same'],
    ['failed', 'passed', 'confirmed', 'fixed'],
  ])('%s, then %s: %s', (was, is, outcome, group) => {
    const confirmation = compared({ a: was }, { a: is })
    expect(confirmation.outcome).toBe(outcome)
    const { drift, fixed, open, inapplicable, same } = confirmation
    const groups = { drift, fixed, open, inapplicable }
    const sizes = Object.entries(groups).map(([name, rules]) => [name, rules.length] as const)
    expect({ ...Object.fromEntries(sizes), same: same - 2 }).toEqual({
      ...{ drift: 0, fixed: 0, open: 0, inapplicable: 0, same: 0 },
      [group]: 1,
    })
  })

  it('has no effect if the certificate did not judge it', () => {
    expect(compared({ a: 'inapplicable' }, { a: 'failed' }).outcome).toBe('confirmed')
  })

  it('confirms nothing if a list could not be judged', () => {
    expect(compared({}, reads('untested')).outcome).toBe('incomplete')
  })

  it('confirms nothing if the run was stopped', () => {
    const judgements = READS.map(id => judgement(id, 'passed'))
    const stopped = reportOf({ judgements, stopped: 'The run was stopped before its end.' })
    expect(compareWith(report(passed), stopped).outcome).toBe('incomplete')
  })
})

const textOf = (confirmation: ReturnType<typeof compared>) =>
  confirmedText(confirmation, { statement: { predicate: { baseUrl: 'https://store.test/v1' } } } as never)

it.each<[Readonly<Record<string, Outcome>>, RegExp]>([
  [{ a: 'cantTell' }, /^Not confirmed in full: 1 of 3 rules have no result$/m],
  [{ 'list-orders-200': 'untested', a: 'cantTell' }, /^Not confirmed: no result for list-orders-200$/m],
  [{ a: 'inapplicable' }, /^(?!.*Not confirmed)/s],
])('the text names the rules without which the store is not confirmed: %j', (is, text) => {
  expect(textOf(compared({ a: 'passed' }, is))).toMatch(text)
})

it('the text stays short, however many rules drift, and holds no terminal escape', () => {
  const ids = Array.from({ length: 300 }, (_, at) => `rule-${at}`)
  const was = reportOf({ judgements: ids.map(id => judgement(id, 'passed')) })
  const is = reportOf({ judgements: ids.map(id => judgement(id, 'failed', { message: '\u001b[2Jred' })) })
  const text = textOf(compareWith(was, is))
  expect(text).toContain(' 300 drift')
  expect(text).toContain('and 260 other rules')
  expect(text.split('\n').length).toBeLessThan(120)
  expect(text).not.toContain('\u001b')
})
