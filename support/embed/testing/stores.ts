import type { ReferenceStore } from '../../reference/index.ts'

/** The orders and pets in the store as lines of text, for comparison. */
export const contentOf = ({ domain }: ReferenceStore): string =>
  [...domain.orders.values(), ...domain.stock.values()]
    .map(each => Object.values(each).map(String).join(' '))
    .join('\n')
