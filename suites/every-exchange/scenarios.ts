import {
  authorization,
  type Credential,
  type Exchange,
  find,
  header,
  isSuccess,
  NotArranged,
  numberOf,
  type StoreActs,
  type StoreClient,
  scenario,
  type UpdateOptions,
} from '../../support/authoring/index.ts'
import { type OperationId, operationIds, operations } from '../../support/interface/operations.ts'

/** A path parameter of something that does not exist. Empty if the operation has no parameter. */
const unknownParameter: Readonly<Record<OperationId, (states: StoreActs['states']) => string>> = {
  listOrders: () => '',
  cancelOrder: states => states.unknownOrder(),
  listInventory: () => '',
  updateInventory: states => states.unknownPet(),
}

export const otherMethods = operationIds.map(id => ({
  id,
  given: scenario(`send another method to ${operations[id].path}`, {}, async ({ store }) => ({
    // A safe method (RFC 4918 §9.1), so that it changes nothing even if the store implements it.
    answer: await store.probe('PROPFIND', operations[id].path.replace(/\{.*\}/, '1987654321')),
  })),
}))

export const failing = scenario(
  'send requests that are refused, to see the error bodies',
  {},
  async ({ store, states }) => {
    const pet = states.unknownPet()
    const [cancelOrder, updateInventory] = await Promise.all([
      store.cancelOrder('abc', { step: 'a path that is not an id' }),
      store.updateInventory(pet, '{"quantity":', { step: 'malformed JSON' }),
    ])
    return { cancelOrder, updateInventory }
  },
)

export const versioned = scenario(
  'read the version in the address, and the deprecated endpoint',
  {},
  async ({ store }) => ({
    orders: await store.listOrders(),
    pet: await store.probe('GET', '/pets/1', { step: 'the deprecated endpoint' }),
  }),
)

type Spell = (name: string) => string

const USUAL = [
  ['User-Agent', 'store-conformance'],
  ['Accept', 'application/json'],
  ['Accept-Encoding', 'gzip, deflate, br'],
] as const

/** The key in a header whose name is spelled in another way. */
const keyNamed = (spell: Spell): Credential => ({
  name: 'key',
  title: 'the API key',
  mayBeAccepted: true,
  make: key => ({
    ...authorization(`Bearer ${key}`, ''),
    headers: [[spell('Authorization'), `Bearer ${key}`]],
    shell: ['-H', `"${spell('Authorization')}: Bearer $STORE_API_KEY"`],
  }),
})

const inCase = (spell: Spell, step: string): UpdateOptions => ({
  credential: keyNamed(spell),
  contentType: null,
  headers: [...USUAL, ['Content-Type', 'application/json'] as const].map(([name, value]) => [
    spell(name),
    value,
  ]),
  step,
})

const CASES: readonly UpdateOptions[] = [
  inCase(name => name.toLowerCase(), 'header names in lower case'),
  inCase(name => name.toUpperCase(), 'header names in upper case'),
]

/** Every Accept allows JSON. Each request varies two independent headers. */
const ACCEPTS: readonly (readonly [accept: string | undefined, encoding: string | undefined])[] = [
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'gzip'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'br'],
  [undefined, undefined],
  [undefined, 'deflate'],
  ['*/*', 'identity'],
  ['application/json, text/plain, */*', undefined],
]

const accepting = ([accept, encoding]: (typeof ACCEPTS)[number]): UpdateOptions => ({
  headers: [
    ...(accept === undefined ? [] : [['Accept', accept] as const]),
    ...(encoding === undefined ? [] : [['Accept-Encoding', encoding] as const]),
  ],
  without: ['accept', 'accept-encoding'],
  step: `Accept: ${accept ?? 'absent'}, Accept-Encoding: ${encoding ?? 'absent'}`,
})

const MANY_HEADERS: UpdateOptions = {
  connection: 'fresh',
  headers: [
    ...USUAL.toReversed(),
    ...Array.from({ length: 40 }, (_, at) => [`X-Harmless-${at + 1}`, `${at}`] as const),
    ['Connection', 'close'],
  ],
  step: 'headers in another order, 40 unknown headers, Connection: close',
}

export interface Varied {
  /** The status that each request is answered with. */
  readonly expected: number
  /** Simultaneous requests. */
  readonly together: readonly Exchange[]
  /** Of these, the ones whose headers are answered as expected if they are sent alone. */
  readonly ordinary: readonly Exchange[]
  readonly cases: readonly Exchange[]
  readonly accepts: readonly Exchange[]
  readonly many: Exchange
}

/** Lists can be long, so each list is fetched with every second variant, and the other list with the others. */
function variantsFor<Variant>(operation: OperationId, all: readonly Variant[]): readonly Variant[] {
  if (operations[operation].method !== 'GET') return all
  return all.filter((_, at) => at % 2 === (operation === 'listOrders' ? 0 : 1))
}

/** Simultaneous requests of one operation. */
const AT_ONCE = 8

/**
 * The variants leave together, so that each request shows what the store does with its headers and with simultaneous clients. One that
 * is answered otherwise is sent again alone: if that is answered as expected, the headers are not the cause.
 */
async function vary(acts: StoreActs, operation: OperationId): Promise<Varied> {
  const { store, simultaneous } = acts
  const { parameter, expected } = await parameterOf(acts, operation)
  const send = (options: UpdateOptions, from: StoreClient = store) =>
    from.call(operation, parameter, { quantity: '7' }, options)
  const isExpected = ({ response }: Exchange) => response?.status === expected
  const cases = variantsFor(operation, CASES)
  const accepts = variantsFor(operation, ACCEPTS).map(accepting)
  const variants = [MANY_HEADERS, ...cases, ...accepts]
  const count = Math.min(AT_ONCE, simultaneous())
  const together = await store.burst(count, (each, at) =>
    send({ step: 'at once', ...variants[at], connection: 'fresh' }, each),
  )
  const alone = await Promise.all(
    variants.map((variant, at) => {
      const first = together[at]
      return first && isExpected(first) ? first : send(variant)
    }),
  )
  const [many, ...others] = alone as [Exchange, ...Exchange[]]
  return {
    expected,
    together,
    ordinary: together.filter((answer, at) => isExpected(answer) || !alone[at] || isExpected(alone[at])),
    cases: others.slice(0, cases.length),
    accepts: others.slice(cases.length),
    many,
  }
}

/** A pet of the run, because a store may read the Content-Type only of an update that it performs. */
async function parameterOf({ states }: StoreActs, operation: OperationId) {
  const missing = {
    parameter: unknownParameter[operation](states),
    expected: operations[operation].harmless.status,
  }
  if (operation !== 'updateInventory') return missing
  try {
    const [pet = ''] = await states.pets(1)
    return { parameter: pet, expected: 200 }
  } catch (error) {
    if (error instanceof NotArranged) return missing
    throw error
  }
}

/** The rule that holds if the same request with the usual headers is answered as expected. */
export const plainRuleOf = (id: OperationId): string =>
  id === 'updateInventory' ? 'update-200' : operations[id].harmless.rule

export const varied = operationIds.map(id => ({
  id,
  given: scenario(
    `send ${id} several times at once and with other request headers`,
    id === 'updateInventory' ? { pets: 1 } : {},
    acts => vary(acts, id),
  ),
}))

export const withoutKey: Credential = {
  name: 'no-header',
  title: 'no Authorization header',
  mayBeAccepted: false,
  make: () => ({ headers: [], shell: [] }),
}

/** Without spaces and line breaks: if it is left on the connection, it joins the request line that follows. */
const BODY = '{"quantity":7}'

/** Updates that are refused before their body is needed, each followed by a request on the same connection. */
export const bodiesRefused = scenario(
  'send refused updates, each followed by a request on the same connection',
  {},
  async ({ store, states }) => {
    const order = states.unknownOrder()
    const follow = (step: string, options: UpdateOptions) =>
      store.onOneConnection(async connection => ({
        refused: await connection.updateInventory(states.unknownPet(), BODY, { ...options, step }),
        next: await connection.cancelOrder(order, { step: `after ${step}` }),
      }))
    const pairs = await Promise.all([
      follow('an update without a key', { credential: withoutKey }),
      follow('an update of an unknown pet', {}),
    ])
    return { pairs }
  },
)

/** Headers that ask whether a list has changed since this response. Without an ETag, one that the store never issued. */
const conditionsOf = (list: Exchange): readonly (readonly [string, string])[] => [
  ['If-None-Match', (list.response && header(list.response, 'etag')) ?? '"never-issued"'],
]

/** Only if the response says when the list changed: a date within the same second would prove nothing. */
function datedConditionOf({ response }: Exchange): readonly (readonly [string, string])[] {
  const modified = response && header(response, 'last-modified')
  const at = response && header(response, 'date')
  const isOlder = modified && at && Date.parse(modified) + 1_000 < Date.parse(at)
  return isOlder ? [['If-Modified-Since', modified]] : []
}

/**
 * The requests with a condition are the only ones of a connection, and the other lists come on other connections. A list with a condition
 * that does not show the change is followed by one without: if that shows it, the condition is the cause.
 * @param change returns how a list shows the change, or undefined if nothing could be changed
 */
async function changedMeanwhile(
  { store }: StoreActs,
  operation: 'listOrders' | 'listInventory',
  change: (connection: StoreClient) => Promise<((list: Exchange) => boolean) | undefined>,
) {
  const earlier = await store[operation]({ step: 'before the change' })
  // Everything is sent by the client of the connection: another one could wait for its turn until the connection is closed.
  const seen = await store.onOneConnection(async connection => {
    const unchanged = await connection[operation]({
      headers: conditionsOf(earlier),
      step: 'with the ETag, before the change',
    })
    // Other scenarios may have changed the list since. If not, a 304 says that the earlier ETag is the current one.
    const before = unchanged.response?.status === 200 ? unchanged : earlier
    const shows = await change(connection)
    const headers = conditionsOf(before)
    const tagged = await connection[operation]({ headers, step: 'with the ETag, after the change' })
    const dated = datedConditionOf(before)
    return {
      isChanged: shows !== undefined,
      unchanged,
      conditional: [
        tagged,
        ...(dated.length === 0
          ? []
          : [await connection[operation]({ headers: dated, step: 'with Last-Modified, after the change' })]),
      ],
      kept:
        shows && tagged.response?.status === 200 && shows(tagged)
          ? tagged
          : await connection[operation]({ step: 'on the same connection, after the change' }),
    }
  })
  return { ...seen, other: await store[operation]({ step: 'on another connection, after the change' }) }
}

export const inventoryChanged = scenario(
  'change a stock between conditional requests for the inventory',
  { pets: 1 },
  async acts => {
    const [pet = ''] = await acts.states.pets(1)
    const seen = await changedMeanwhile(acts, 'listInventory', async connection => {
      const options = { connection: 'fresh', step: 'the change, on another connection' } as const
      if (!isSuccess(await connection.updateInventory(pet, { quantity: '41' }, options))) return undefined
      return list => {
        const entry = find(list, 'petId', pet)
        return entry !== undefined && numberOf(entry, 'quantity') === '41'
      }
    })
    return { pet, ...seen }
  },
)

export const ordersChanged = scenario(
  'add an order between conditional requests for the order list',
  { turn: 'orders' },
  async acts => {
    let order: string | undefined
    const seen = await changedMeanwhile(acts, 'listOrders', async () => {
      ;[order] = await acts.states.extraOrders(1)
      return order === undefined ? undefined : list => find(list, 'id', order ?? '') !== undefined
    })
    return { order, ...seen }
  },
)
