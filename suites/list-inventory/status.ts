import { type ElementCheck, expectEach, member, numberOf, rule, show } from '../../support/authoring/index.ts'
import { leftListed, type StockLevel, soldListed, stockLevel } from './scenarios.ts'

const isMapped = (level: StockLevel, status: string): ElementCheck => ({
  name: `status "${status}" at quantity ${level.replace('at ', '')}`,
  problem(entry) {
    if (stockLevel(entry) !== level || member(entry, 'status') === status) return undefined
    return `.status is ${show(member(entry, 'status') ?? null)} at quantity ${numberOf(entry, 'quantity')}`
  },
})

const common = {
  operation: 'listInventory',
  level: 'implied',
  because: '§2 reports the mapping as an observation, not as a rule. A client that shows stock relies on it.',
  clause: '2/status-mapping',
  after: [
    'inventory-status-present',
    'inventory-status-string',
    'inventory-quantity-present',
    'inventory-quantity-integer',
  ],
  usually: 'status is stored in a column of its own and not updated together with quantity.',
} as const

export const rules = [
  rule({
    ...common,
    id: 'inventory-sold-at-zero',
    title: 'A pet with quantity 0 has status sold in the inventory',
    given: soldListed,
    expect: ({ list }) => expectEach(list, isMapped('at 0', 'sold')),
  }),
  rule({
    ...common,
    id: 'inventory-available-above-zero',
    title: 'A pet with a quantity above 0 has status available in the inventory',
    given: leftListed,
    expect: ({ list }) => expectEach(list, isMapped('above 0', 'available')),
  }),
]
