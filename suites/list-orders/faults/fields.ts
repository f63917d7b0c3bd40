import { breaking, type Fault, resultChanged, thirdChanged } from '../../../support/reference/authoring.ts'

/** What a field of one order is instead, by the rule that it violates. */
const wrong: readonly (readonly [rule: string, field: string, values: Readonly<Record<string, string>>])[] = [
  ['order-id-int64', 'id', { string: '"1007"', 'beyond-int64': '9223372036854775808' }],
  ['order-pet-id-int64', 'petId', { 'beyond-int64': '-9223372036854775809' }],
  ['order-quantity-integer', 'quantity', { null: 'null', fraction: '2.5' }],
  ['order-complete-boolean', 'complete', { string: '"true"' }],
  [
    'order-ship-date',
    'shipDate',
    { 'nonexistent-leap-day': '"2026-02-29T10:00:00Z"', 'date-only': '"2026-11-02"' },
  ],
]

/** Fields of orders have the wrong types. */
export const faults: readonly Fault[] = [
  ...wrong.flatMap(([rule, field, values]) =>
    Object.entries(values).flatMap(([id, json]) =>
      breaking(rule, {
        [`order-${field.toLowerCase()}-${id}`]: [
          `${field} of one order is ${json}`,
          thirdChanged('orderMembers', () => ({ [field]: json })),
        ],
      }),
    ),
  ),
  ...breaking('order-quantity-integer', {
    'order-wrong-later': [
      'The quantity of the third order is a string from the tenth list on',
      base => {
        let lists = 0
        return thirdChanged('orderMembers', () => (++lists < 10 ? {} : { quantity: '"1"' }))(base)
      },
    ],
  }),
  ...breaking('order-id-unique', {
    'order-listed-twice': [
      'One order is listed twice',
      resultChanged('selectOrders', orders => [...orders, ...orders.slice(0, 1)]),
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
      resultChanged('orderMembers', ({ complete, ...members }) => ({
        ...members,
        complete: `${complete},"quantity":${members['quantity']}`,
      })),
    ],
  }),
]
