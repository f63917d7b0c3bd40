import {
  type Fault,
  type Members,
  type Override,
  oneOrderChanged,
  ordersChanged,
} from '../../../support/reference/authoring.ts'

/** Changes one order of the list only. */
const one = (member: string, json: string): Override => oneOrderChanged({ [member]: json })

const every = (change: (members: Members) => Members): Override => ordersChanged(change)

const badDates: Readonly<Record<string, readonly [what: string, date: string]>> = {
  'nonexistent-day': ['30 February', '"2026-02-30T10:00:00Z"'],
  'nonexistent-leap-day': ['29 February in a year that is not a leap year', '"2026-02-29T10:00:00Z"'],
  'date-only': ['a date without a time', '"2026-11-02"'],
  'time-only': ['a time without a date', '"T10:00:00Z"'],
  epoch: ['seconds since 1970, as a number', '1793700000'],
  'epoch-string': ['milliseconds since 1970, as a string', '"1793700000000"'],
  empty: ['an empty string', '""'],
  null: ['null', 'null'],
  rfc1123: ['an HTTP date', '"Mon, 02 Nov 2026 10:00:00 GMT"'],
  local: ['a date in US format', '"11/02/2026 10:00 AM"'],
  'hour-25': ['a time with hour 25', '"2026-11-02T25:00:00Z"'],
  'month-13': ['a date with month 13', '"2026-13-02T10:00:00Z"'],
  'zone-named': ['a time with a time zone name', '"2026-11-02T10:00:00 CET"'],
  'no-padding': ['a date without leading zeros', '"2026-1-2T1:00:00Z"'],
  object: ['the fields of a date object', '{"year":2026,"month":11}'],
}

/** Fields of orders have the wrong types. */
export const faults: readonly Fault[] = [
  {
    id: 'order-ids-strings',
    title: 'Every order id is a string',
    breaks: ['order-id-int64'],
    override: every(members => ({ ...members, id: `"${members.id}"` })),
  },
  {
    id: 'order-id-string',
    title: 'One order id is a string',
    breaks: ['order-id-int64'],
    override: one('id', '"1007"'),
  },
  {
    id: 'order-id-null',
    title: 'One order id is null',
    breaks: ['order-id-int64'],
    override: one('id', 'null'),
  },
  {
    id: 'order-id-fraction',
    title: 'One order id is a fraction',
    breaks: ['order-id-int64'],
    override: one('id', '1007.5'),
  },
  {
    id: 'order-id-beyond-int64',
    title: 'One order id is above the range of int64',
    breaks: ['order-id-int64'],
    override: one('id', '9223372036854775808'),
  },
  {
    id: 'order-id-uuid',
    title: 'One order id is a UUID',
    breaks: ['order-id-int64'],
    override: one('id', '"6f9619ff-8b86-d011-b42d-00c04fc964ff"'),
  },
  {
    id: 'order-listed-twice',
    title: 'One order is listed twice',
    breaks: ['order-id-unique'],
    override: base => ({
      selectOrders: (orders, ctx) => {
        const selected = base.selectOrders(orders, ctx)
        return [...selected, ...selected.slice(0, 1)]
      },
    }),
  },
  {
    id: 'order-ids-0-in-one-pair',
    title: 'Two orders have the id 0',
    breaks: ['order-id-unique'],
    override: base => ({
      renderArray: (items, ctx) =>
        base.renderArray(ctx.operation === 'listOrders' ? [...items, '{"id":0}', '{"id":0}'] : items, ctx),
    }),
  },
  {
    id: 'order-pet-id-string',
    title: 'One petId of the orders is a string',
    breaks: ['order-pet-id-int64'],
    override: one('petId', '"7"'),
  },
  {
    id: 'order-pet-id-null',
    title: 'One petId of the orders is null',
    breaks: ['order-pet-id-int64'],
    override: one('petId', 'null'),
  },
  {
    id: 'order-pet-id-fraction',
    title: 'One petId of the orders is a fraction',
    breaks: ['order-pet-id-int64'],
    override: one('petId', '7.5'),
  },
  {
    id: 'order-pet-id-beyond-int64',
    title: 'One petId of the orders is below the range of int64',
    breaks: ['order-pet-id-int64'],
    override: one('petId', '-9223372036854775809'),
  },
  {
    id: 'order-pet-id-object',
    title: 'One petId of the orders is an object with the pet',
    breaks: ['order-pet-id-int64'],
    override: one('petId', '{"id":7}'),
  },
  {
    id: 'order-quantity-string',
    title: 'One quantity of the orders is a string',
    breaks: ['order-quantity-integer'],
    override: one('quantity', '"3"'),
  },
  {
    id: 'order-quantity-null',
    title: 'One quantity of the orders is null',
    breaks: ['order-quantity-integer'],
    override: one('quantity', 'null'),
  },
  {
    id: 'order-quantity-fraction',
    title: 'One quantity of the orders is a fraction',
    breaks: ['order-quantity-integer'],
    override: one('quantity', '2.5'),
  },
  {
    id: 'order-complete-string',
    title: 'Every complete is a string',
    breaks: ['order-complete-boolean'],
    override: every(members => ({ ...members, complete: `"${members.complete}"` })),
  },
  {
    id: 'order-complete-null',
    title: 'One complete is null',
    breaks: ['order-complete-boolean'],
    override: one('complete', 'null'),
  },
  {
    id: 'order-complete-number',
    title: 'Every complete is 0 or 1, as in some databases',
    breaks: ['order-complete-boolean'],
    override: every(members => ({ ...members, complete: members.complete === 'true' ? '1' : '0' })),
  },
  ...Object.entries(badDates).map(
    ([id, [what, date]]): Fault => ({
      id: `ship-date-${id}`,
      title: `One shipDate is ${what}`,
      breaks: ['order-ship-date'],
      override: one('shipDate', date),
    }),
  ),
  {
    id: 'ship-date-without-offset',
    title: 'shipDate has no offset, which ISO 8601 allows and RFC 3339 does not',
    breaks: ['order-ship-date-rfc3339'],
    override: () => ({ renderDate: date => date.toISOString().replace('Z', '') }),
  },
  {
    id: 'order-member-twice',
    title: 'Every order repeats the member quantity',
    breaks: ['list-orders-no-repeated-names'],
    override: every(members => ({
      ...members,
      complete: `${members.complete},"quantity":${members.quantity}`,
    })),
  },
]
