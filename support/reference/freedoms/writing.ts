import { bodyText, withBody } from '../answer.ts'
import { answersChanged, entriesChanged, ordersChanged } from '../changes.ts'
import type { Members, NumberPlace } from '../decisions.ts'
import type { Fault, Freedom } from '../fault.ts'

const GRAMMAR = '§1: JSON allows spaces, any order of members, and escapes (RFC 8259)'
const FURTHER = '§2: fields other than those shown are not excluded'

const rewritten = (change: (json: string) => string): Fault['override'] =>
  answersChanged({}, answer => (answer.body?.length ? withBody(answer, change(bodyText(answer))) : answer))

/** Changes JSON bodies only, because another freedom may have replaced the body. */
const rewrittenJson = (change: (json: string) => string): Fault['override'] =>
  rewritten(text => (/^[[{]/.test(text) ? change(text) : text))

const turnedRound = (members: Members): Members => Object.fromEntries(Object.entries(members).reverse())

const spelled =
  (places: readonly NumberPlace[], spell: (decimal: string) => string): Fault['override'] =>
  base => ({
    renderNumber: (decimal, place, ctx) => {
      const written = base.renderNumber(decimal, place, ctx)
      return places.includes(place) && /^-?\d+$/.test(written) ? spell(written) : written
    },
  })

const escaped = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"/g, text =>
    text.replace(
      /[a-zA-Z](?![^\\]*\\)/g,
      letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )

const QUANTITY = '§2: quantity is an integer; how JSON writes it is not shown'
const QUANTITIES = ['order.quantity', 'entry.quantity'] as const

/** How JSON is written. */
export const freedoms: readonly Freedom[] = [
  {
    id: 'byte-order-mark',
    topic: 'spaces',
    title: 'Bodies begin with a byte order mark',
    clause: '§1: JSON; a parser may ignore a byte order mark (RFC 8259 §8.1)',
    override: rewritten(text => `\ufeff${text}`),
  },
  {
    id: 'pretty',
    title: 'JSON is indented on several lines',
    clause: GRAMMAR,
    topic: 'spaces',
    override: rewrittenJson(json => json.replace(/([[{,])(?=[{"])/g, '$1\r\n\t ')),
  },
  {
    id: 'spaces-around',
    title: 'Bodies begin and end with white space',
    clause: GRAMMAR,
    topic: 'spaces',
    override: rewritten(text => ` \t\r\n${text} \n`),
  },
  {
    id: 'escapes',
    title: 'Every letter in a JSON string is escaped',
    clause: GRAMMAR,
    override: rewrittenJson(escaped),
  },
  {
    id: 'members-turned-round',
    title: 'The members of objects have another order',
    clause: '§2: members of an object have no order (RFC 8259 §4)',
    override: base => ({
      orderMembers: (order, ctx) => turnedRound(base.orderMembers(order, ctx)),
      entryMembers: (entry, ctx) => turnedRound(base.entryMembers(entry, ctx)),
    }),
  },
  {
    id: 'order-further-members',
    title: 'Orders have further fields: a status, a null, an object',
    clause: FURTHER,
    override: ordersChanged(members => ({
      ...members,
      status: '"placed"',
      note: 'null',
      customer: '{"id":"x","shipDate":"never","quantity":[[[]]]}',
      constructor: '1',
      __proto: 'true',
    })),
  },
  {
    id: 'order-status-number',
    title: 'Orders have a number as status',
    clause: '§2: whether an order has a status is not shown',
    override: ordersChanged(members => ({ ...members, status: '3' })),
  },
  {
    id: 'entry-further-members',
    title: 'Inventory entries have further fields',
    clause: FURTHER,
    override: entriesChanged(members => ({
      ...members,
      updatedAt: 'null',
      reserved: '2',
      warehouse: '{"status":"closed","quantity":"many"}',
    })),
  },
  {
    id: 'further-member-twice',
    title: 'A further member of orders is repeated',
    clause: '§2: repeated names are discouraged, not forbidden (RFC 8259 §4)',
    override: ordersChanged(members => ({ ...members, tag: '"a","tag":"b"' })),
  },
  {
    id: 'prototype-member',
    title: 'Orders have a member __proto__',
    clause: FURTHER,
    override: rewrittenJson(json => json.replaceAll('{"id":', '{"__proto__":{"id":"no"},"id":')),
  },
  {
    id: 'quantity-with-fraction',
    title: 'quantity is written as 5.0',
    clause: QUANTITY,
    topic: 'quantity',
    override: spelled(QUANTITIES, decimal => `${decimal}.0`),
  },
  {
    id: 'quantity-with-exponent',
    title: 'quantity is written as 5e0',
    clause: QUANTITY,
    topic: 'quantity',
    override: spelled(QUANTITIES, decimal => `${decimal}e0`),
  },
  {
    id: 'order-id-with-fraction',
    title: 'Order ids are written as 7.0',
    clause: '§2: an integer of 64 bits; how JSON writes it is not shown',
    topic: 'order-id',
    override: spelled(['order.id', 'order.petId'], decimal => `${decimal}.0`),
  },
  {
    id: 'order-id-with-exponent',
    title: 'Order ids are written as 70e-1',
    clause: '§2: an integer of 64 bits; how JSON writes it is not shown',
    topic: 'order-id',
    override: spelled(['order.id'], decimal => `${BigInt(decimal) * 10n}e-1`),
  },
  {
    id: 'pet-id-with-fraction',
    title: 'petId of the inventory is written as 7.00',
    clause: '§2: the format of petId is not shown',
    topic: 'pet-id',
    override: spelled(['entry.petId'], decimal => `${decimal}.00`),
  },
  {
    id: 'pet-id-with-exponent',
    title: 'petId of the inventory is written as 7E+0',
    clause: '§2: the format of petId is not shown',
    topic: 'pet-id',
    override: spelled(['entry.petId'], decimal => `${decimal}E+0`),
  },
]
