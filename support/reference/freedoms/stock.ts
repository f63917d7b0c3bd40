import { setTimeout as sleep } from 'node:timers/promises'
import {
  addEntry,
  answersChanged,
  type Context,
  type Decisions,
  decidedFirst,
  type Freedom,
  isObject,
  leavingOpen,
  type Override,
  oneOf,
  Refusal,
  resultChanged,
  stockKey,
  withHeader,
  withStatus,
} from '../authoring.ts'

const petIds: Readonly<Record<string, readonly [title: string, of: (n: number) => string]>> = {
  'pet-ids-fractions': ['are fractions', n => `${n}.5`],
  'pet-ids-exponents': ['are written with an exponent', n => `${n}1e3`],
  'pet-ids-small': ['are below one', n => `0.000${n}1`],
  'pet-ids-negative': ['are negative', n => String(-n)],
  'pet-ids-beyond-int64': ['are beyond 64 bits', n => `1234567890123456789${n}012345`],
  'pet-ids-from-0': ['begin at 0', n => String(n - 1)],
}

const quantityRefused = (isRefused: (quantity: bigint) => boolean): Override =>
  decidedFirst('checkQuantity', quantity => {
    if (isRefused(quantity)) throw new Refusal(400)
  })

const typeChecked =
  (isAccepted: (type: string | null) => boolean, status: number): Override =>
  () => ({
    checkContent: ({ headers }) => {
      if (!isAccepted(headers.get('content-type'))) throw new Refusal(status)
    },
  })

/** Changes what is read from a body. */
const bodyChanged = (change: (body: Record<string, unknown>, ctx: Context) => void): Override =>
  resultChanged('parseBody', (body, _, ctx) => {
    if (isObject(body)) change(body, ctx)
    return body
  })

/** Orders in turn for existing pets, and for pets that are arranged after them. A cancellation returns the quantity to the stock. */
const returning = (base: Decisions, laterMs?: number): Pick<Decisions, 'petToOrder' | 'applyCancel'> => {
  let pets = 0
  return {
    petToOrder(n, domain) {
      const next = base.newPetId(1 + (pets++ % 120))
      return n % 2 === 0 && /^-?[0-9]{1,18}$/.test(next) ? BigInt(next) : base.petToOrder(n, domain)
    },
    applyCancel: async (order, ctx) => {
      await base.applyCancel(order, ctx)
      const add = () => {
        const entry = base.findEntry(`${order.petId}`, ctx)
        if (entry) entry.quantity += order.quantity
      }
      if (laterMs === undefined) add()
      else setTimeout(add, laterMs)
    },
  }
}

/** Pets, quantities and updates. */
export const freedoms: readonly Freedom[] = [
  ...oneOf('pet-ids', '§2: the format of petId is not shown', {
    ...Object.fromEntries(
      Object.entries(petIds).map(([id, [title, newPetId]]) => [
        id,
        [`petIds ${title}`, () => ({ newPetId })] as const,
      ]),
    ),
    'pet-id-range-400': [
      'A petId that is negative or has more than ten digits is answered 400',
      decidedFirst('readPetId', (text, ctx) => {
        const isInRange = /^[0-9]{1,10}$/.test(text) || ctx.decide.findEntry(text, ctx) !== undefined
        if (/^-?[0-9]+$/.test(text) && !isInRange) throw new Refusal(400)
        return undefined
      }),
    ],
  }),
  ...oneOf('negative', '§2: which further values status has is not shown, nor the range of quantity', {
    'negative-accepted': [
      'A negative quantity is accepted, with a status of its own',
      () => ({
        checkQuantity: () => {},
        stockStatus: ({ quantity }) => (quantity > 0n ? 'available' : quantity === 0n ? 'sold' : 'awaited'),
      }),
    ],
    'negative-in-stock': [
      'There is a pet with a negative quantity',
      base => ({
        open: domain => {
          base.open(domain)
          addEntry(domain, { petId: '-77', quantity: -3n })
        },
        stockStatus: ({ quantity }) => (quantity > 0n ? 'available' : quantity === 0n ? 'sold' : 'owed'),
      }),
    ],
  }),
  ...oneOf('highest', '§4.4: the range of quantity is not shown', {
    'above-1000-refused': [
      'A quantity above 1000 is answered 400',
      quantityRefused(quantity => quantity > 1000n),
    ],
    'quantity-of-any-size': [
      'A quantity of any size is accepted',
      base => ({
        readInteger: (literal, ctx) =>
          /^[0-9]{19,400}$/.test(literal) ? BigInt(literal) : base.readInteger(literal, ctx),
      }),
    ],
  }),
  ...leavingOpen(
    '§4.4: how JSON is written in a body is not shown, though most programs write spaces and line breaks',
    {
      'point-zero-accepted': [
        '5.0 and 5e0 are accepted as the integer 5',
        base => ({ readInteger: (literal, ctx) => base.readInteger(literal.replace(/\.0+$|e0$/, ''), ctx) }),
      ],
      'plain-json-only': [
        'A body with unusual white space, escapes or a byte order mark is answered 400',
        decidedFirst('parseBody', bytes => {
          if (/^\uFEFF|^\s|[\t\r\\]/.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)))
            throw new Refusal(400)
        }),
      ],
    },
  ),
  ...leavingOpen(
    '§4.4: whether quantity is required is not shown, nor the response to a request without a body',
    {
      'missing-changes-nothing': [
        'An update without quantity is answered 200, without a change',
        base => ({
          readQuantity: (value, ctx) => (value === undefined ? undefined : base.readQuantity(value, ctx)),
        }),
      ],
      'no-body-changes-nothing': [
        'An update without a body is answered 200, without a change',
        base => ({
          readUpdate: (bytes, ctx) => (bytes.length === 0 ? undefined : base.readUpdate(bytes, ctx)),
        }),
      ],
      'length-required-411': [
        'An update without Content-Length and without a body is answered 411',
        decidedFirst('readUpdate', (bytes, { headers }) => {
          if (bytes.length === 0 && !headers.has('content-length')) throw new Refusal(411)
          return undefined
        }),
      ],
    },
  ),
  ...oneOf('further', '§4.4: what a body may hold beside quantity is not shown', {
    'further-members-refused': [
      'A further member of an update is answered 400',
      bodyChanged(body => {
        if (Object.keys(body).some(name => name !== 'quantity')) throw new Refusal(400)
      }),
    ],
    'status-heeded': [
      'A status in an update is accepted and listed',
      base => {
        const said = new Map<string | undefined, string>()
        return {
          ...bodyChanged(({ status }, { found }) => {
            if (typeof status === 'string') said.set(found.entry?.petId, status)
          })(base),
          stockStatus: (entry, ctx) => said.get(entry.petId) ?? base.stockStatus(entry, ctx),
        }
      },
    ],
  }),
  ...oneOf('type-sent', '§4.4: the response to another Content-Type is not shown', {
    'type-required': [
      'An update without Content-Type is answered 415',
      typeChecked(type => /^application\/json/i.test(type ?? ''), 415),
    ],
    'type-to-the-letter': [
      'An update with application/json and a parameter is answered 400',
      typeChecked(type => type === 'application/json', 400),
    ],
    'type-ignored': ['The Content-Type of an update is ignored', typeChecked(() => true, 400)],
  }),
  ...leavingOpen('§4.4: what simultaneous updates show of each other is not shown', {
    'updated-entry-read-again': [
      'The updated entry is read a moment after the update, and shows a later one',
      resultChanged('applyQuantity', async applied => {
        await applied
        await sleep(4)
      }),
    ],
  }),
  ...leavingOpen('§4.4: which of 400 and 404 comes first is not shown', {
    'body-before-pet': [
      'The body is validated before the pet is looked up',
      () => ({ checks: () => ['authentication', 'body', 'lookup'] }),
    ],
  }),
  ...oneOf('stock-of-orders', '§3: further effects of an order and its cancellation are not shown', {
    'stock-comes-back': [
      'A cancellation adds its quantity to the stock, and arranged orders are for arranged pets',
      base => returning(base),
    ],
    'stock-reserved': [
      'An order takes its quantity from the stock, and a cancellation returns it',
      base => ({
        ...returning(base),
        placeOrder: (order, domain) => {
          base.placeOrder(order, domain)
          const entry = domain.stock.get(stockKey(`${order.petId}`))
          if (entry && entry.quantity >= order.quantity) entry.quantity -= order.quantity
        },
      }),
    ],
  }),
  // In the same process, no time passes between the requests of a schedule.
  ...oneOf(
    'stock-of-orders',
    '§3: when a cancellation returns units to the stock is not shown',
    {
      'stock-comes-back-later': [
        'A cancellation adds its quantity to the stock 20 ms after its response',
        base => returning(base, 20),
      ],
    },
    { needsSocket: true },
  ),
  ...leavingOpen('§4.3: the sequence of the list is not shown', {
    'inventory-turned-round': [
      'listInventory returns another sequence each time',
      base => {
        let turn = 0
        return {
          selectEntries: (entries, ctx) => {
            turn += 3
            const at = turn % Math.max(entries.length, 1)
            return base.selectEntries([...entries.slice(at), ...entries.slice(0, at)].reverse(), ctx)
          },
        }
      },
    ],
  }),
  ...leavingOpen('§4, §9: other methods, and the sunset of GET /pets/{petId}, are not shown', {
    'other-methods-404': [
      'Other methods are answered 404',
      answersChanged({ operation: 'none', status: 405 }, answer =>
        withHeader(withStatus(answer, 404), 'Allow'),
      ),
    ],
    'no-deprecated-pets': [
      'GET /pets/{petId} is answered 410',
      answersChanged({ operation: 'getPet' }, answer => withStatus(answer, 410)),
    ],
  }),
]
