import {
  type CallOptions,
  CantTell,
  type Credential,
  type Exchange,
  freshUnless,
  lastOf,
  NotArranged,
  Stopped,
  type StoreActs,
  type StoreClient,
  scenario,
  sendUntilComplete,
  stockIn,
} from '../../support/authoring/index.ts'
import { type Operation, operationIds, operations } from '../../support/interface/operations.ts'
import { badCredentials, keyRules, lowerCaseScheme } from './credentials.ts'

/** A request that must be rejected with 401. */
export interface Attempt {
  /** The rule that judges it, without the name of the operation. */
  readonly rule: string
  readonly credential: Credential
  readonly exchange: Exchange
  /** The request with the key, before it on the same connection. */
  readonly accepted?: Exchange
}

/** What was sent to one operation, with the key and without it. */
export type Attempts = Awaited<ReturnType<typeof tryKeys>>

/** What one operation is sent with. An update has another quantity than the stock, so that a change shows. */
interface Call {
  readonly operation: Operation
  readonly parameter: string
  readonly body: { readonly quantity: string }
}

const send = (store: StoreClient, { operation, parameter, body }: Call, options: CallOptions) =>
  store.call(operation.id, parameter, body, options)

/** One or two credentials go to every operation. Of more, each operation gets every second one, and of many every fourth one. */
function shareOf<Item>({ id }: Operation, credentials: readonly Item[]): readonly Item[] {
  const shares = credentials.length < 3 ? 1 : credentials.length < 8 ? 2 : 4
  return credentials.filter((_, at) => at % shares === operationIds.indexOf(id) % shares)
}

/** What a store may accept is sent for something that does not exist, so that it changes nothing. */
const attempt = (store: StoreClient, call: Call, nothing: string): Promise<Attempt[]> =>
  Promise.all(
    keyRules.flatMap(({ name, credentials, basis }) => {
      const parameter = basis.level === 'advisory' ? nothing : call.parameter
      return shareOf(call.operation, credentials)
        .filter(store.canPresent)
        .map(async (credential): Promise<Attempt> => {
          const answers = await sendUntilComplete(store, client =>
            send(
              client,
              { ...call, parameter },
              { credential, step: `with ${credential.title}`, ...freshUnless(client !== store) },
            ),
          )
          return { rule: `auth-${name}`, credential, exchange: lastOf(answers) }
        })
    }),
  )

/** Credentials that are also tried on a connection that is authenticated already. All but the first follow a rejected request. */
const KEPT = ['no-header', 'unknown-key', 'revoked-key']

async function attemptOnKept({ store, states }: StoreActs, call: Call): Promise<Attempt[]> {
  // After a rejected update, its body may be left on the connection, which is the subject of another rule.
  const groups = call.operation.requestBody ? KEPT.map(name => [name]) : [KEPT]
  const kept = await Promise.all(
    groups.map(names =>
      store.onOneConnection(async connection => {
        const accepted = await authenticate(connection, states)
        const attempts: Attempt[] = []
        for (const credential of badCredentials) {
          if (!names.includes(credential.name) || !store.canPresent(credential)) continue
          const step = `with ${credential.title}, after an accepted request`
          const exchange = await send(connection, call, { credential, step })
          attempts.push({ rule: 'auth-each-request', credential, exchange, accepted })
        }
        return attempts
      }),
    ),
  )
  return kept.flat()
}

/** A request with the key. One for an order that does not exist has a short response. */
async function authenticate(connection: StoreClient, states: States): Promise<Exchange> {
  const step = 'with the key'
  const unknown = await ifAvailable(async () => states.unknownOrder())
  const answer = unknown && (await ifAvailable(() => connection.cancelOrder(unknown, { step })))
  return answer || (await connection.listInventory({ step }))
}

/** The result, or undefined if the run has no order or pet for it, or no longer sends the operation. */
async function ifAvailable<Result>(take: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await take()
  } catch (error) {
    if (error instanceof NotArranged || error instanceof Stopped) return undefined
    throw error
  }
}

type States = StoreActs['states']

/** The ids of orders and pets that exist (`own`), with what they need, and of those that do not. */
const SOURCES = {
  order: {
    needs: { pendingOrders: 1, someShippedOrders: 1 },
    unknown: (states: States) => states.unknownOrder(),
    own: (states: States) => states.pendingOrder(),
  },
  pet: {
    needs: { pets: 1 },
    unknown: (states: States) => states.unknownPet(),
    own: async (states: States) => (await states.pets(1))[0] as string,
  },
}

/** Undefined if the operation names nothing. */
const sourceOf = ({ parameter, resource }: Operation) => (parameter ? SOURCES[resource] : undefined)

const badBodies = (
  valid: string,
): readonly (readonly [body: string, step: string, contentType?: string])[] => [
  ['', 'without a key, no body'],
  ['{"quantity":', 'without a key, malformed JSON'],
  ['{"quantity":"many"}', 'without a key, a quantity of the wrong type'],
  [valid, 'without a key, as text/plain', 'text/plain'],
]

/** A check of the key by path may not know these, and a router may. */
const SPELLINGS: Readonly<Record<string, (path: string) => string>> = {
  'a slash at its end': path => `${path}/`,
  'two slashes': path => `/${path}`,
  'a letter percent-encoded': path => path.replace(/[a-z]/, each => `%${each.charCodeAt(0).toString(16)}`),
}

/** Ways to name a method in a request with another one, as frameworks and gateways understand them. */
const overridesOf = (method: string): readonly (readonly [string, CallOptions])[] => [
  ...OVERRIDES.map(
    name => [`POST with ${name}: ${method}`, { method: 'POST', headers: [[name, method]] }] as const,
  ),
  [`POST with ?_method=${method}`, { method: 'POST', query: `_method=${method}` }],
  [
    `GET with ${OVERRIDES[0]}: ${method}, and the same in other headers`,
    { method: 'GET', headers: OVERRIDES.map(name => [name, method] as const) },
  ],
]
const OVERRIDES = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'] as const

async function tryKeys(acts: StoreActs, operation: Operation) {
  const { store, states } = acts
  const target = sourceOf(operation)
  const isUpdate = operation.requestBody !== undefined
  const nothing = target?.unknown(states) ?? ''
  let missing: { readonly message: string; readonly need?: string } | undefined
  const own = await target?.own(states).catch((error: CantTell | NotArranged | Stopped) => {
    if (![CantTell, NotArranged, Stopped].some(kind => error instanceof kind)) throw error
    missing = { message: error.message, ...(error instanceof NotArranged ? { need: error.need } : {}) }
    return undefined
  })
  const before = isUpdate ? await store.listInventory({ step: 'before' }) : undefined
  const stock = (before && own !== undefined && stockIn(before, own)) || 0n
  const named = own !== undefined && !isUpdate && states.isNamed(own) ? own : undefined
  const listOrders = async (step: string) => (named === undefined ? undefined : store.listOrders({ step }))
  const ordersBefore = await listOrders('before')
  const call: Call = { operation, parameter: own ?? nothing, body: { quantity: String(stock + 1n) } }
  const withoutKey = { credential: badCredentials[0] as Credential, connection: 'fresh' } as const
  const sendTo = (parameter: string, options: CallOptions) => send(store, { ...call, parameter }, options)
  const hasShipped = operation.id === 'cancelOrder'
  const [shippedOrder] = hasShipped ? ((await ifAvailable(() => states.someShippedOrders(1))) ?? []) : []
  const [withKey, lowerCase, unknown, shipped, refusedBodies, respelled, attempts, kept] = await Promise.all([
    sendTo(nothing, { step: 'with the key' }),
    sendTo(nothing, { credential: lowerCaseScheme, step: 'scheme in lower case' }),
    target && sendTo(nothing, { ...withoutKey, step: `without a key, an unknown ${operation.resource}` }),
    shippedOrder === undefined
      ? undefined
      : sendTo(shippedOrder, { ...withoutKey, step: 'without a key, a shipped order' }),
    Promise.all(
      (isUpdate ? badBodies(`{"quantity":${call.body.quantity}}`) : []).map(
        ([text, step, contentType = 'application/json']) =>
          store.updateInventory(call.parameter, text, { ...withoutKey, step, contentType }),
      ),
    ),
    Promise.all(
      (target ? [] : Object.entries(SPELLINGS)).map(([what, spell]) =>
        sendTo(nothing, { ...withoutKey, spell, step: `without a key, the path with ${what}` }),
      ),
    ),
    attempt(store, call, nothing),
    attemptOnKept(acts, call),
  ])
  const stockAfter = before && (await store.listInventory({ step: 'afterwards' }))
  const overrides = await Promise.all(
    (own === undefined ? [] : overridesOf(operation.method)).map(([step, options]) =>
      sendTo(own as string, { ...withoutKey, ...options, step: `without a key, ${step}` }),
    ),
  )
  const ordersAfter = await listOrders('afterwards')
  const step = 'with the key, afterwards'
  return {
    /** With the key, and for changes with an id that does not exist. */
    withKey,
    lowerCase,
    /** Without a key, for an order or pet that does not exist. Undefined if the operation has no id. */
    unknown,
    /** Without a key. Undefined if the run has no shipped order. */
    shipped,
    /** Without a key, with bodies that an update may refuse. */
    badBodies: refusedBodies,
    /** Lists, at paths that the store need not know. */
    respelled,
    /** Each on a connection of its own. */
    attempts,
    /** The same on a connection on which a request with the key was accepted before. */
    kept,
    /** Without a key, for the order or pet of the run, with another method that asks for the one of the operation. */
    overrides,
    /** The order that was cancelled, if it was named. */
    named,
    /** Undefined unless an order was named. */
    listed: ordersBefore && ordersAfter ? { before: ordersBefore, after: ordersAfter } : undefined,
    /** What shows that nothing was changed. Undefined if the run owns nothing that could be changed. */
    cancelledAfterwards: own !== undefined && !isUpdate ? await store.cancelOrder(own, { step }) : undefined,
    stock:
      own !== undefined && before && stockAfter
        ? {
            pet: own,
            before,
            after: stockAfter,
            afterOverrides: await store.listInventory({ step: 'after the requests with another method' }),
          }
        : undefined,
    /** Why the run owns nothing that could be changed. */
    missing,
  }
}

/** One scenario for each operation. */
export const tried = Object.values(operations).map(operation => ({
  operation,
  given: scenario(
    `send ${operation.method} ${operation.path} with the key and without it`,
    sourceOf(operation)?.needs ?? {},
    acts => tryKeys(acts, operation),
  ),
}))
