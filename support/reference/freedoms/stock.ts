import { withHeader, withStatus } from '../answer.ts'
import { answersChanged } from '../changes.ts'
import type { Decisions } from '../decisions.ts'
import { stockKey } from '../domain.ts'
import type { Fault, Freedom } from '../fault.ts'
import { JsonNumber } from '../numbers.ts'
import { Refusal } from '../refusal.ts'
import { isObject } from '../updating.ts'

const PET_ID = '§2: the format of petId is not shown'
const BODY = '§4.4: what a body may hold beside quantity is not shown'
const RANGE = '§4.4: the range of quantity is not shown'

const refused = (status: number) =>
  new Refusal({ status, code: 'refused', message: 'The request is refused.' })

const petIds: readonly (readonly [id: string, title: string, of: (n: number) => string])[] = [
  ['fractions', 'are fractions', n => `${n}.5`],
  ['exponents', 'are written with an exponent', n => `${n}1e3`],
  ['small', 'are below one', n => `0.000${n}1`],
  ['negative', 'are negative', n => String(-n)],
  ['beyond-double', 'are above 2^53', n => String(2n ** 53n + BigInt(2 * n + 1))],
  ['beyond-int64', 'are beyond 64 bits', n => `1234567890123456789${n}012345`],
  ['from-0', 'begin at 0', n => String(n - 1)],
]

const checked =
  (isRefused: (quantity: bigint) => boolean): Fault['override'] =>
  base => ({
    checkQuantity: (quantity, ctx) => {
      if (isRefused(quantity)) throw refused(400)
      return base.checkQuantity(quantity, ctx)
    },
  })

const typeChecked =
  (isAccepted: (type: string | null) => boolean, status: number): Fault['override'] =>
  () => ({
    checkContent: ({ headers }) => {
      if (!isAccepted(headers.get('content-type'))) throw refused(status)
    },
  })

/** Orders in turn for existing pets, and for pets that are arranged after them. */
const forArrangedPets = (base: Decisions): Pick<Decisions, 'petToOrder'> => {
  let pets = 0
  return {
    petToOrder(n, domain) {
      const next = base.newPetId(1 + (pets++ % 120))
      return n % 2 === 0 && /^-?[0-9]{1,18}$/.test(next) ? BigInt(next) : base.petToOrder(n, domain)
    },
  }
}

const returning = (base: Decisions): Pick<Decisions, 'applyCancel'> => ({
  applyCancel: async (order, ctx) => {
    await base.applyCancel(order, ctx)
    const entry = base.findEntry(`${order.petId}`, ctx)
    if (entry) entry.quantity += order.quantity
  },
})

/** Pets, quantities and updates. */
export const freedoms: readonly Freedom[] = [
  ...petIds.map(
    ([id, title, of]): Freedom => ({
      id: `pet-ids-${id}`,
      title: `petIds ${title}`,
      clause: PET_ID,
      topic: 'pet-ids',
      override: () => ({ newPetId: of }),
    }),
  ),
  {
    id: 'negative-accepted',
    title: 'A negative quantity is accepted, with a status of its own',
    clause: RANGE,
    topic: 'negative',
    override: () => ({
      checkQuantity: () => {},
      stockStatus: ({ quantity }) => (quantity > 0n ? 'available' : quantity === 0n ? 'sold' : 'awaited'),
    }),
  },
  {
    id: 'negative-in-stock',
    title: 'There is a pet with a negative quantity',
    clause: '§2: which further values status has is not shown',
    topic: 'negative',
    override: base => ({
      open: domain => {
        base.open(domain)
        domain.stock.set('-77e0', { petId: '-77', quantity: -3n })
      },
      stockStatus: ({ quantity }) => (quantity > 0n ? 'available' : quantity === 0n ? 'sold' : 'owed'),
    }),
  },
  {
    id: 'above-1000-refused',
    title: 'A quantity above 1000 is answered 400',
    clause: RANGE,
    topic: 'highest',
    override: checked(quantity => quantity > 1000n),
  },
  {
    id: 'above-int32-refused',
    title: 'A quantity beyond 32 bits is answered 400',
    clause: RANGE,
    topic: 'highest',
    override: checked(quantity => quantity > 2n ** 31n - 1n),
  },
  {
    id: 'above-double-refused',
    title: 'A quantity above 2^53 is answered 400',
    clause: RANGE,
    topic: 'highest',
    override: checked(quantity => quantity > 2n ** 53n - 1n),
  },
  {
    id: 'point-zero-accepted',
    title: '5.0 and 5e0 are accepted as the integer 5',
    clause: '§4.4: how an integer is written in a body is not shown',
    override: base => ({
      readInteger: (literal, ctx) => base.readInteger(literal.replace(/\.0+$|e0$/, ''), ctx),
    }),
  },
  {
    id: 'plain-json-only',
    title: 'A body with unusual white space, escapes or a byte order mark is answered 400',
    clause:
      '§4.4: how JSON is written in a body is not shown, though most programs write spaces and line breaks',
    topic: 'json-writing',
    override: base => ({
      parseBody: (bytes, ctx) => {
        if (/^\uFEFF|^\s|[\t\r\\]/.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)))
          throw refused(400)
        return base.parseBody(bytes, ctx)
      },
    }),
  },
  {
    id: 'quantity-of-any-size',
    title: 'A quantity of any size is accepted',
    clause: RANGE,
    topic: 'highest',
    override: base => ({
      readInteger: (literal, ctx) =>
        /^[0-9]{19,400}$/.test(literal) ? BigInt(literal) : base.readInteger(literal, ctx),
      checkQuantity: (quantity, ctx) => base.checkQuantity(quantity < 0n ? quantity : 0n, ctx),
    }),
  },
  {
    id: 'pet-id-range-400',
    title: 'A petId that is negative or has more than ten digits is answered 400',
    clause: PET_ID,
    topic: 'pet-ids',
    override: base => ({
      readPetId: (text, ctx) => {
        const isInRange = /^[0-9]{1,10}$/.test(text) || base.findEntry(text, ctx) !== undefined
        if (/^-?[0-9]+$/.test(text) && !isInRange) throw refused(400)
        return base.readPetId(text, ctx)
      },
    }),
  },
  {
    id: 'missing-changes-nothing',
    title: 'An update without quantity is answered 200, without a change',
    clause: '§4.4: whether quantity is required is not shown',
    override: base => ({
      readQuantity: (value, ctx) => (value === undefined ? undefined : base.readQuantity(value, ctx)),
    }),
  },
  {
    id: 'no-body-changes-nothing',
    title: 'An update without a body is answered 200, without a change',
    clause: '§4.4: whether quantity is required is not shown',
    override: base => ({
      readUpdate: (bytes, ctx) => (bytes.length === 0 ? undefined : base.readUpdate(bytes, ctx)),
    }),
  },
  {
    id: 'length-required-411',
    title: 'An update without Content-Length and without a body is answered 411',
    clause: '§4.4: the response to a request without a body is not shown',
    override: base => ({
      readUpdate: (bytes, ctx) => {
        if (bytes.length === 0 && !ctx.headers.has('content-length'))
          throw new Refusal({ status: 411, code: 'length_required', message: 'Send a Content-Length.' })
        return base.readUpdate(bytes, ctx)
      },
    }),
  },
  {
    id: 'further-members-refused',
    title: 'A further member of an update is answered 400',
    clause: BODY,
    topic: 'further',
    override: base => ({
      parseBody: (bytes, ctx) => {
        const body = base.parseBody(bytes, ctx)
        if (isObject(body) && Object.keys(body).some(name => name !== 'quantity')) throw refused(400)
        return body
      },
    }),
  },
  {
    id: 'status-heeded',
    title: 'A status in an update is accepted and listed',
    clause: BODY,
    topic: 'further',
    override: base => {
      const said = new Map<string, string>()
      return {
        parseBody: (bytes, ctx) => {
          const body = base.parseBody(bytes, ctx)
          const petId = ctx.found.entry?.petId
          if (petId !== undefined && isObject(body) && typeof body.status === 'string')
            said.set(petId, body.status)
          return body
        },
        stockStatus: (entry, ctx) => said.get(entry.petId) ?? base.stockStatus(entry, ctx),
      }
    },
  },
  {
    id: 'type-required',
    title: 'An update without Content-Type is answered 415',
    clause: '§4.4: the response to another Content-Type is not shown',
    topic: 'type-sent',
    override: typeChecked(type => /^application\/json/i.test(type ?? ''), 415),
  },
  {
    id: 'type-to-the-letter',
    title: 'An update with application/json and a parameter is answered 400',
    clause: '§4.4: the response to another Content-Type is not shown',
    topic: 'type-sent',
    override: typeChecked(type => type === 'application/json', 400),
  },
  {
    id: 'type-ignored',
    title: 'The Content-Type of an update is ignored',
    clause: '§4.4: the response to another Content-Type is not shown',
    topic: 'type-sent',
    override: typeChecked(() => true, 400),
  },
  {
    id: 'body-before-pet',
    title: 'The body is validated before the pet is looked up',
    clause: '§4.4: which of 400 and 404 comes first is not shown',
    override: () => ({ checks: () => ['authentication', 'body', 'lookup'] }),
  },
  {
    id: 'quantity-twice-last-counts',
    title: 'If quantity is there twice, the last one is used',
    clause: '§4.4: repeated names are discouraged, not forbidden (RFC 8259 §4)',
    override: base => ({
      parseBody: (bytes, ctx) => {
        const text = Buffer.from(bytes).toString()
        const quantities = [...text.matchAll(/"quantity":(\d+)/g)]
        return quantities.length > 1
          ? { quantity: new JsonNumber(quantities.at(-1)?.[1] ?? '0') }
          : base.parseBody(bytes, ctx)
      },
    }),
  },
  {
    id: 'stock-comes-back',
    title: 'A cancellation adds its quantity to the stock, and arranged orders are for arranged pets',
    clause: '§3: further effects of a cancellation are not shown',
    topic: 'stock-of-orders',
    override: base => ({ ...forArrangedPets(base), ...returning(base) }),
  },
  {
    id: 'stock-reserved',
    title: 'An order takes its quantity from the stock, and a cancellation returns it',
    clause: '§3: further effects of an order and its cancellation are not shown',
    topic: 'stock-of-orders',
    override: base => ({
      ...forArrangedPets(base),
      ...returning(base),
      placeOrder: (order, domain) => {
        base.placeOrder(order, domain)
        const entry = domain.stock.get(stockKey(`${order.petId}`))
        if (entry && entry.quantity >= order.quantity) entry.quantity -= order.quantity
      },
    }),
  },
  {
    id: 'inventory-turned-round',
    title: 'listInventory returns another sequence each time',
    clause: '§4.3: the sequence of the list is not shown',
    override: base => {
      let turn = 0
      return {
        selectEntries: (entries, ctx) => {
          turn += 3
          const at = turn % Math.max(entries.length, 1)
          return base.selectEntries([...entries.slice(at), ...entries.slice(0, at)].reverse(), ctx)
        },
      }
    },
  },
  ...[404, 501].map(
    (status): Freedom => ({
      id: `other-methods-${status}`,
      title: `Other methods are answered ${status}`,
      clause: '§4: other methods are not shown',
      topic: 'other-methods',
      override: answersChanged({ operation: 'none', status: 405 }, answer =>
        withHeader(withStatus(answer, status), 'Allow'),
      ),
    }),
  ),
  {
    id: 'no-deprecated-pets',
    title: 'GET /pets/{petId} is answered 410',
    clause: '§9: the sunset date is not shown',
    override: answersChanged({ operation: 'getPet' }, answer => withStatus(answer, 410)),
  },
]
