import { expectEach, member, numberOf, rule, show } from '../../support/authoring/index.ts'
import { isLeft, isSold, leftListed, soldListed } from './scenarios.ts'

const common = {
  operation: 'listInventory',
  level: 'implied',
  because: '§2 shows the mapping and does not call it a rule.',
  clause: '2/status-mapping',
  after: [
    'inventory-status-present',
    'inventory-status-string',
    'inventory-quantity-present',
    'inventory-quantity-integer',
  ],
  usually: 'The status is a column of its own, and is not kept in step with the quantity.',
} as const

export const rules = [
  rule({
    ...common,
    id: 'inventory-sold-at-zero',
    title: 'A pet of which none is left is listed as sold',
    given: soldListed,
    expect: ({ list }) =>
      expectEach(list, 'status "sold" at quantity 0', entry =>
        isSold(entry) && member(entry, 'status') !== 'sold'
          ? `.status is ${show(member(entry, 'status') ?? null)} at quantity 0`
          : undefined,
      ),
  }),
  rule({
    ...common,
    id: 'inventory-available-above-zero',
    title: 'A pet of which some are left is listed as available',
    given: leftListed,
    expect: ({ list }) =>
      expectEach(list, 'status "available" above quantity 0', entry =>
        isLeft(entry) && member(entry, 'status') !== 'available'
          ? `.status is ${show(member(entry, 'status') ?? null)} at quantity ${numberOf(entry, 'quantity')}`
          : undefined,
      ),
  }),
]
