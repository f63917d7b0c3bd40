import { describe, expect, it } from 'vitest'
import type { Suite } from './rule.ts'
import { isNew, type Selection, select } from './selection.ts'
import { interfaceOf, ruleOver, seeing } from './testing/parts.ts'

const given = seeing('x', async () => 1)
const rule = (id: string, operation: 'listOrders' | 'updateInventory' = 'listOrders', more = {}) =>
  ruleOver(id, given, () => undefined, { operation, ...more })
const SUITES: readonly Suite[] = [
  {
    name: 'one',
    rules: [rule('list-orders-200'), rule('list-orders-type'), rule('later')],
    observations: [
      {
        id: 'fields',
        clause: '2/order',
        operation: 'listOrders',
        title: '?',
        given,
        saw: String,
      },
    ],
  },
  {
    name: 'two',
    rules: [rule('update-200', 'updateInventory'), rule('update.400', 'updateInventory')],
    observations: [],
  },
]

const SUBJECT = interfaceOf(SUITES, ['later'])

const ALL = ['list-orders-200', 'list-orders-type', 'later', 'update-200', 'update.400']

describe('what is chosen', () => {
  it.each<[string, string[] | undefined, string[] | undefined, string[]]>([
    ['all, without selectors', undefined, undefined, ALL],
    ['some by a glob', ['list-*'], undefined, ['list-orders-200', 'list-orders-type']],
    ['those of an operation', ['updateInventory'], undefined, ['update-200', 'update.400']],
    ['some but one', ['updateInventory'], ['update-200'], ['update.400']],
  ])('%s', (_title, only, skip, wanted) => {
    const { rules } = select(SUBJECT, { profile: '1.0.0', only, skip }) as Selection
    expect(rules.map(({ id }) => id)).toEqual(wanted)
  })

  it('a rule that is newer than the profile is judged, and does not make a selection complete or partial', () => {
    const selection = select(SUBJECT, { profile: '1.0.0', skip: ['later'] })
    expect(selection).toMatchObject({ partial: false })
    const { profile, rules } = select(SUBJECT, { profile: '1.0.0' }) as Selection
    expect(rules.filter(each => isNew(each, profile)).map(({ id }) => id)).toEqual(['later'])
  })

  it('a withdrawn rule is gone, and a demoted one has its new level', () => {
    const corrected = select(
      {
        ...SUBJECT,
        errata: [
          {
            rule: 'list-orders-200',
            date: '2027-01-01',
            change: 'withdrawn',
            reason: 'the clause leaves it open',
          },
          {
            rule: 'update-200',
            date: '2027-01-01',
            change: 'demoted',
            level: 'advisory',
            reason: 'can be argued',
          },
        ],
      },
      { profile: '1.0.0' },
    ) as Selection
    expect(corrected.rules.map(({ id, level }) => [id, level])).toEqual([
      ['list-orders-type', 'required'],
      ['later', 'required'],
      ['update-200', 'advisory'],
      ['update.400', 'required'],
    ])
  })
})
