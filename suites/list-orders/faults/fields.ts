import {
  breaking,
  type Fault,
  type Override,
  oneOrderChanged,
  ordersChanged,
} from '../../../support/reference/authoring.ts'

/** What a field of one order is instead, by the rule that it violates. */
const wrong: readonly (readonly [rule: string, field: string, values: Readonly<Record<string, string>>])[] = [
  ['order-id-int64', 'id', { string: '"1007"', null: 'null', 'beyond-int64': '9223372036854775808' }],
  ['order-pet-id-int64', 'petId', { string: '"7"', 'beyond-int64': '-9223372036854775809' }],
  ['order-quantity-integer', 'quantity', { null: 'null', fraction: '2.5' }],
  ['order-complete-boolean', 'complete', { string: '"true"', number: '1' }],
  [
    'order-ship-date',
    'shipDate',
    {
      'nonexistent-leap-day': '"2026-02-29T10:00:00Z"',
      'date-only': '"2026-11-02"',
      epoch: '1793700000',
      empty: '""',
      rfc1123: '"Mon, 02 Nov 2026 10:00:00 GMT"',
      'hour-25': '"2026-11-02T25:00:00Z"',
      'zone-named': '"2026-11-02T10:00:00 CET"',
    },
  ],
]

const listedTwice: Override = base => ({
  selectOrders: (orders, ctx) => {
    const selected = base.selectOrders(orders, ctx)
    return [...selected, ...selected.slice(0, 1)]
  },
})

/** Fields of orders have the wrong types. */
export const faults: readonly Fault[] = [
  ...wrong.flatMap(([rule, field, values]) =>
    Object.entries(values).flatMap(([id, json]) =>
      breaking(rule, {
        [`order-${field.toLowerCase()}-${id}`]: [
          `${field} of one order is ${json}`,
          oneOrderChanged({ [field]: json }),
        ],
      }),
    ),
  ),
  ...breaking('order-id-unique', {
    'order-listed-twice': ['One order is listed twice', listedTwice],
    'order-ids-0-in-one-pair': [
      'Two orders have the id 0',
      base => ({
        renderArray: (items, ctx) =>
          base.renderArray(ctx.operation === 'listOrders' ? [...items, '{"id":0}', '{"id":0}'] : items, ctx),
      }),
    ],
  }),
  ...breaking('order-ship-date-rfc3339', {
    'ship-date-without-offset': [
      'shipDate has no offset, which ISO 8601 allows and RFC 3339 does not',
      () => ({ renderDate: date => date.toISOString().replace('Z', '') }),
    ],
  }),
  ...breaking('list-orders-no-repeated-names', {
    'order-member-twice': [
      'Every order repeats the member quantity',
      ordersChanged(members => ({
        ...members,
        complete: `${members.complete},"quantity":${members.quantity}`,
      })),
    ],
  }),
]
