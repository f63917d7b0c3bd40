import { describe, expect, it } from 'vitest'
import { observation, type Suite } from './rule.ts'
import { select } from './selection.ts'
import { ruleOver, seeing } from './testing/parts.ts'

const given = seeing('x', async () => 1)
const rule = (id: string, operation: 'listOrders' | 'updateInventory' = 'listOrders', more = {}) =>
  ruleOver(id, given, () => undefined, { operation, ...more })
const SUITES: readonly Suite[] = [
  {
    name: 'one',
    rules: [
      rule('list-orders-200'),
      rule('list-orders-type'),
      rule('later', 'listOrders', { since: '1.1.0' }),
    ],
    observations: [
      observation({
        id: 'fields',
        clause: '2/order',
        operation: 'listOrders',
        title: '?',
        given,
        saw: String,
      }),
    ],
  },
  {
    name: 'two',
    rules: [rule('update-200', 'updateInventory'), rule('update.400', 'updateInventory')],
    observations: [],
  },
]

const chosen = (only?: string[], skip?: string[], profile: '1.0.0' | '1.0.0-stable' = '1.0.0') => {
  const selection = select(SUITES, { profile, only, skip })
  return 'rules' in selection ? selection.rules.map(({ id }) => id) : selection
}
const ALL = ['list-orders-200', 'list-orders-type', 'update-200', 'update.400']

describe('what is chosen', () => {
  it.each<[string, string[] | undefined, string[] | undefined, string[]]>([
    ['all, without selectors', undefined, undefined, ALL],
    ['one by its id', ['update-200'], undefined, ['update-200']],
    ['some by a glob', ['list-*'], undefined, ['list-orders-200', 'list-orders-type']],
    ['a glob in the middle', ['*-orders-*'], undefined, ['list-orders-200', 'list-orders-type']],
    ['a question mark for one character', ['update-20?'], undefined, ['update-200']],
    ['all by a star', ['*'], undefined, ALL],
    ['those of an operation', ['updateInventory'], undefined, ['update-200', 'update.400']],
    ['several selectors', ['update-200', 'list-orders-200'], undefined, ['list-orders-200', 'update-200']],
    ['all but some', undefined, ['list-*'], ['update-200', 'update.400']],
    ['some but one', ['updateInventory'], ['update-200'], ['update.400']],
    ['a dot is a dot', ['update.400'], undefined, ['update.400']],
  ])('%s', (_title, only, skip, wanted) => expect(chosen(only, skip)).toEqual(wanted))

  it('the profile leaves operations out, and rules that came later', () => {
    expect(chosen(undefined, undefined, '1.0.0-stable')).toEqual(['list-orders-200', 'list-orders-type'])
  })

  it.each([
    [undefined, undefined, false],
    [['*'], undefined, false],
    [['list-*'], undefined, true],
    [undefined, ['update-200'], true],
  ])('only %j, skip %j: partial is %s', (only, skip, partial) => {
    expect(select(SUITES, { profile: '1.0.0', only, skip })).toMatchObject({ partial })
  })

  it('what stands behind is looked up in the whole profile', () => {
    const selection = select(SUITES, { profile: '1.0.0', only: ['update-200'] })
    expect('profile' in selection && selection.profile.map(({ id }) => id)).toEqual(ALL)
  })
})

describe('what matches nothing is told, not passed over', () => {
  it.each<[string, string[] | undefined, string[] | undefined, string[]]>([
    ['a wrong id', ['list-orders-20'], undefined, ['list-orders-20']],
    ['a wrong id beside a right one', ['nope', 'list-orders-200'], undefined, ['nope']],
    ['a wrong one to skip', undefined, ['nope'], ['nope']],
    ['part of an id', ['orders'], undefined, ['orders']],
    ['another case', ['LIST-ORDERS-200'], undefined, ['LIST-ORDERS-200']],
    ['a pattern that is none here', ['list-(orders|x)-200', '['], undefined, ['list-(orders|x)-200', '[']],
    ['a rule that came later', ['later'], undefined, ['later']],
    // Each selector matches something; together they leave nothing.
    ['all skipped', undefined, ['*'], []],
    ['chosen and skipped', ['update-200'], ['update-200'], []],
    ['nothing named', [], undefined, []],
  ])('%s', (_title, only, skip, unmatched) => expect(chosen(only, skip)).toEqual({ unmatched }))

  it('an operation that the profile leaves out', () => {
    expect(chosen(['updateInventory'], undefined, '1.0.0-stable')).toEqual({ unmatched: ['updateInventory'] })
  })
})
