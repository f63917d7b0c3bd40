import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../http/testing/folder.ts'
import {
  type Override,
  type ReferenceStore,
  Refusal,
  referenceStore,
  type StateParams,
} from '../reference/index.ts'
import { faults } from '../run/faults.ts'
import { namedIn } from '../selfcheck/judged-store.ts'
import { itemCalled } from '../settings/mistake.ts'
import { judge } from './judge.ts'
import { contentOf, optionsFor } from './testing/stores.ts'

const faulty = (id: string): Override => itemCalled(id, 'fault', faults).override

const MODES = {
  'named ids': namedIn,
  'provider states': ({ states }: ReferenceStore) => ({ states }),
} as const

/** Judges a reference store. `rows` are the ids of orders and pets, before and after. */
async function judged(overrides: readonly Override[], mode: keyof typeof MODES, more: object = {}) {
  const store = referenceStore({ overrides, onError: () => {} })
  const given = MODES[mode](store)
  const rows = () => [...store.domain.orders.keys(), ...store.domain.stock.keys()].map(String)
  const before = rows()
  const stock = new Map([...store.domain.stock].map(([id, { quantity }]) => [id, quantity]))
  const report = await judge({ ...optionsFor(store), ...given, ...more })
  return {
    report,
    failed: report.rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
    // GET /pets/{petId} finds a pet like updateInventory does.
    created: rows().filter(id => !before.includes(id) && id !== '1e0'),
    changed: [...stock].filter(([id, quantity]) => store.domain.stock.get(id)?.quantity !== quantity),
  }
}

it.each([
  ['unknown-pet-created', 'provider states', 'update-unknown-404', 200],
  ['unknown-pet-404-and-created', 'named ids', 'update-unknown-creates-nothing', 404],
] as const)(
  '%s, with %s: one pet is created, the rule fails, and a warning names the pet',
  async (id, mode, rule, status) => {
    const only = mode === 'named ids' ? ['update-unknown-*'] : undefined
    const { report, failed, created } = await judged([faulty(id)], mode, only && { only })
    expect(failed).toEqual([rule])
    expect(report.verdict).toBe('nonconformant')
    expect(created).toHaveLength(1)
    const pet = created[0]?.slice(0, -'e0'.length)
    expect(report.effects?.left).toEqual([`pet ${pet}, which did not exist before`])
    const request = `PATCH /v1/inventory/${pet} \\{"quantity":7\\} was answered ${status}`
    expect(report.warnings).toEqual([
      expect.stringMatching(
        new RegExp(`^pet ${pet} exists because of this run.*: ${request} \\(exchange \\d+\\)`),
      ),
    ])
  },
)

it('a store that adds the quantity fails update-replaces, its named pets get one update each, and no expected failure excuses what is left', async () => {
  const known =
    '- { rule: update-replaces, operation: updateInventory, reason: r, owner: o, expires: 2999-12-31 }'
  const { report, failed, changed } = await judged([faulty('update-adds')], 'named ids', {
    expectedFailures: join(newFolder({ 'known.yaml': known }), 'known.yaml'),
  })
  expect(failed).toEqual(['update-replaces'])
  expect([report.verdict, report.reason]).toEqual([
    'incomplete',
    'The stock of pet 501 is not as it was before the run.',
  ])
  expect(report.unrestored).toEqual(['501'])
  expect(report.effects?.left).toEqual(['the stock of pet 501'])
  expect(report.warnings).toEqual([
    expect.stringMatching(
      /^the stock of pet 501 was 5 and is 19 now; it could not be restored: an earlier update/,
    ),
  ])
  expect(changed.map(([id]) => id)).toEqual(['501e0'])
  const updates = report.exchanges.filter(
    ({ request, response }) => /inventory\/50[12]$/.test(request.url) && response?.status === 200,
  )
  expect(updates).toHaveLength(1)
  expect(report.rules.find(({ id }) => id === 'auth-401-no-effect-update-inventory')).toMatchObject({
    message: expect.stringMatching(
      /^pet 501 had a stock of 5; after an update to 14, the inventory shows 19/,
    ),
    need: 'let updateInventory set the quantity that it is sent',
  })
})

it.each<[string, state: string, nth: number, isOnly: boolean]>([
  ['beside the new ones', 'pending orders', 1, false],
  ['instead of one with a chosen id', 'pending order with id', 1, true],
  ['in a later setup', 'pending orders', 2, true],
])(
  'a states module that hands out an order from before %s is wrong configuration: the run changes nothing any more, and tears down what is new',
  async (_title, wrongState, wrongNth, isOnly) => {
    const store = referenceStore()
    const before = contentOf(store)
    const [old = ''] = [...store.domain.orders.keys()].map(String)
    let nth = 0
    const setup = (state: string, params: StateParams) => {
      if (state === wrongState) nth += 1
      const isWrong = state === wrongState && nth === wrongNth
      const { orderIds = [], ...pets } = isWrong && isOnly ? {} : store.states.setup(state, params)
      return { orderIds: isWrong ? [...orderIds, old] : orderIds, ...pets }
    }
    const message = expect.stringContaining(`in the store before: ${old}. None of them was changed`)
    const run = judge({ ...optionsFor(store), states: { ...store.states, setup } })
    await expect(run).rejects.toMatchObject({ name: 'Misconfigured', message })
    expect(contentOf(store)).toBe(before)
  },
)

it('setups and teardowns that fail for one reason are reported once', async () => {
  const { message } = await judge({ ...optionsFor(referenceStore()), statesUrl: 'http://127.0.0.1:1/' }).then(
    () => ({ message: '' }),
    (error: Error) => error,
  )
  expect(message.match(/gives no answer/g)).toHaveLength(1)
})

it('no order is both arranged and chosen in a store whose ids are above 2^53 and grow in steps', async () => {
  const inSteps: Override = () => ({
    newOrderId: n => 2n ** 53n + 4n * BigInt(n),
    selectOrders: orders => orders.filter(({ state }) => state !== 'cancelled'),
  })
  const store = referenceStore({ overrides: [inSteps], demo: false })
  const chosen: string[] = []
  const setup = async (state: string, params: StateParams) => {
    const id = String(params['id'])
    // The chosen ones last, and both after the list from which the ids are chosen.
    await new Promise(resolve => setTimeout(resolve, 'id' in params ? 300 : Number(params['count']) / 4))
    if (state !== 'pending order with id') return store.states.setup(state, params)
    chosen.push(id)
    // An order that is pending already meets the condition.
    return store.domain.orders.has(BigInt(id)) ? { orderIds: [id] } : store.states.setup(state, params)
  }
  const { verdict, rules } = await judge({ ...optionsFor(store), states: { ...store.states, setup } })
  expect(rules.filter(({ outcome }) => outcome === 'failed')).toEqual([])
  expect(verdict).toBe('conformant')
  expect(chosen).toHaveLength(7)
})

describe('a named pet with a first stock that the store', () => {
  const HIGHEST = 100_000n
  /** The maximum stock is not shown (§4.4). */
  const refusesLargeQuantities: Override = base => ({
    checkQuantity: (quantity, ctx) => {
      if (quantity > HIGHEST) throw new Refusal(400)
      return base.checkQuantity(quantity, ctx)
    },
  })

  async function judgedWith(quantity: bigint) {
    const store = referenceStore({ overrides: [refusesLargeQuantities] })
    const { pets } = namedIn(store)
    const named = [...store.domain.stock.values()].filter(({ petId }) => pets.includes(Number(petId)))
    for (const entry of named) entry.quantity = quantity
    const only = ['update-replaces', 'update-listed', 'update-to-zero', 'update-back', 'inventory-*']
    const { rules } = await judge({ ...optionsFor(store), pets, only })
    expect(rules.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(named.map(entry => entry.quantity)).toEqual(named.map(() => quantity))
    return rules.find(({ id }) => id === 'update-replaces')
  }

  it.each([0n, 993n, 99_999n, HIGHEST])('accepts, %s: the store passes', async quantity =>
    expect(await judgedWith(quantity)).toMatchObject({ outcome: 'passed' }),
  )

  it.each([2n ** 63n - 1n, -3n])('refuses in an update, %s: the stock is not changed', async quantity =>
    expect(await judgedWith(quantity)).toMatchObject({
      outcome: 'untested',
      message: expect.stringContaining('so it could not be restored'),
    }),
  )
})

it.each<[string, Override]>([
  [
    'reads an orderId with a leading zero as octal, which is open',
    base => ({
      readOrderId: (text, ctx) =>
        /^0[0-7]+$/.test(text) ? BigInt(`0o${text.slice(1)}`) : base.readOrderId(text, ctx),
    }),
  ],
  [
    'writes the orderId into a condition of SQL',
    base => ({
      readOrderId(text, ctx) {
        const [id = '', other = '0'] = decodeURIComponent(text).split(' or ')
        if (Number(other) !== 0) for (const order of ctx.domain.orders.values()) order.state = 'cancelled'
        return base.readOrderId(id, ctx)
      },
    }),
  ],
])('no order of others is cancelled in a store that %s', async (_title, override) => {
  const store = referenceStore({ overrides: [() => ({ newOrderId: n => 1_050n + BigInt(n) }), override] })
  const { orders } = store.domain
  const [first] = orders.values()
  // 0o1050 is 552.
  for (let id = 500n; first && id < 700n; id += 1n) orders.set(id, { ...first, id, state: 'pending' })
  const before = [...orders].map(([id, { state }]) => [id, state] as const)
  await judge({ ...optionsFor(store), states: store.states, only: ['cancel-nameless-*'] })
  expect(before.filter(([id, state]) => orders.get(id)?.state !== state)).toEqual([])
})

it('no update of a named pet has a further member, which the store may keep', async () => {
  const members = new Set<string>()
  const store = referenceStore({
    overrides: [
      base => ({
        readUpdate(bytes, ctx) {
          const update = base.parseBody(bytes, ctx)
          // A body that is a number or an array is refused.
          if (pets.includes(Number(ctx.segment)) && update instanceof Object && 'quantity' in update)
            for (const name of Object.keys(update)) members.add(name)
          return base.readUpdate(bytes, ctx)
        },
      }),
    ],
  })
  const { pets, ...orders } = namedIn(store)
  await judge({ ...optionsFor(store), ...orders, pets, only: ['update-*'] })
  expect([...members]).toEqual(['quantity'])
})

it('a store that cancels another order for each that it does not find loses few of them', async () => {
  const lastOne: Override = () => ({
    findOrder(id, { domain: { orders } }) {
      const left = [...orders.values()].filter(({ state }) => state !== 'cancelled')
      return left.find(order => order.id === id) ?? left.at(-1)
    },
  })
  const store = referenceStore({ overrides: [lastOne] })
  const named = namedIn(store)
  const { orders } = store.domain
  const [first] = orders.values()
  for (let id = 1n; first && id < 200n; id += 1n) orders.set(id, { ...first, id, state: 'pending' })
  const { rules } = await judge({ ...optionsFor(store), ...named, only: ['cancel-*'] })
  const lost = [...orders.values()].filter(({ id, state }) => id < 200n && state === 'cancelled')
  expect(rules.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toContain(
    'cancel-unknown-404',
  )
  expect(lost.length).toBeLessThan(10)
})

describe.each(['named ids', 'provider states'] as const)('a store that locks out, with %s', mode => {
  it.each([401, 403, 423, 429])(
    'and %i after 20 wrong keys gets one message and few requests',
    async status => {
      const locking: Override = base => {
        let wrong = 0
        const isWrong = (ctx: Parameters<typeof base.authenticate>[0]) =>
          ctx.headers.get('authorization') !== `Bearer ${ctx.keys.valid}`
        return {
          operate: ctx => {
            if (wrong > 20)
              return ctx.decide.refuse(new Refusal(status, 'locked', 'Locked.', [['Retry-After', '60']]), ctx)
            if (isWrong(ctx)) wrong += 1
            return base.operate(ctx)
          },
        }
      }
      const { report, failed } = await judged([locking], mode)
      expect([report.verdict, failed]).toEqual(['incomplete', []])
      const messages = report.rules.flatMap(({ outcome, message }) =>
        outcome === 'cantTell' ? [message] : [],
      )
      expect(messages.length).toBeGreaterThan(200)
      expect([...new Set(messages)]).toEqual([
        expect.stringMatching(
          new RegExp(
            `^the key was accepted until request \\d+; since then ${status}: does the store lock out`,
          ),
        ),
      ])
      expect(report.requests).toBeLessThan(200)
    },
  )
})
