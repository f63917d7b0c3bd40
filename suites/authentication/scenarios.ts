import {
  type CallOptions,
  type Credential,
  type Exchange,
  find,
  NotArranged,
  numberOf,
  Stopped,
  type StoreActs,
  type StoreClient,
  scenario,
} from '../../support/authoring/index.ts'
import { type OperationId, operationIds, operations } from '../../support/interface/operations.ts'
import { badCredentials, lowerCaseScheme } from './credentials.ts'
import { formsFor } from './other-keys.ts'

/** A request that must be rejected with 401, on a connection of its own. */
export interface Attempt {
  /** The rule that judges it, without the name of the operation. */
  readonly rule: string
  readonly credential: Credential
  readonly exchange: Exchange
}

/** What was sent to one operation, with the key and without it. */
export interface Attempts {
  /** With the key, and for changes with an id that does not exist. */
  readonly withKey: Exchange
  readonly lowerCase: Exchange
  readonly attempts: readonly Attempt[]
  /** The same on a connection on which a request with the key was accepted before. */
  readonly kept: readonly Attempt[]
  /** Without a key, for an order or pet that does not exist. Absent if the operation has no id. */
  readonly unknown?: Exchange
  /** Without a key, with bodies that an update may refuse. */
  readonly badBodies: readonly Exchange[]
  /** Shows that nothing was changed. Absent if the run owns nothing that could be changed. */
  readonly afterwards?:
    | { readonly cancelled: Exchange }
    | { readonly before: Exchange; readonly after: Exchange; readonly petId: string }
}

/** What one operation is sent with. An update has another quantity than the stock, so that a change shows. */
interface Call {
  readonly operation: OperationId
  readonly parameter: string
  readonly body: { readonly quantity: string }
}

const send = (store: StoreClient, { operation, parameter, body }: Call, options: CallOptions) =>
  store.call(operation, parameter, body, options)

const [noHeader] = badCredentials as [Credential]

/** Credentials that are also tried on a connection that is authenticated already. All but the first follow a rejected request. */
const KEPT = ['no-header', 'unknown-key', 'revoked-key']

function attempt(store: StoreClient, call: Call): Promise<Attempt[]> {
  const own = badCredentials.map(credential => ({ rule: `auth-${credential.name}`, credential }))
  const others = formsFor(call.operation).map(([{ name }, credential]) => ({
    rule: `auth-${name}`,
    credential,
  }))
  return Promise.all(
    [...own, ...others]
      .filter(({ credential }) => store.canPresent(credential))
      .map(async each => ({
        ...each,
        exchange: await send(store, call, {
          credential: each.credential,
          connection: 'fresh',
          step: `with ${each.credential.title}`,
        }),
      })),
  )
}

async function attemptOnKept({ store, states }: StoreActs, call: Call): Promise<Attempt[]> {
  // After a rejected update, its body may be left on the connection, which is the subject of another rule.
  const groups = call.operation === 'updateInventory' ? KEPT.map(name => [name]) : [KEPT]
  const kept = await Promise.all(
    groups.map(names =>
      store.onOneConnection(async connection => {
        await authenticate(connection, states)
        const attempts: Attempt[] = []
        for (const credential of badCredentials) {
          if (!names.includes(credential.name) || !store.canPresent(credential)) continue
          const step = `with ${credential.title}, after an accepted request`
          const exchange = await send(connection, call, { credential, step })
          attempts.push({ rule: 'auth-each-request', credential, exchange })
        }
        return attempts
      }),
    ),
  )
  return kept.flat()
}

/** A request with the key. One for an order that does not exist has a short response. */
async function authenticate(connection: StoreClient, states: StoreActs['states']): Promise<void> {
  const step = 'with the key'
  const unknown = await ifAvailable(async () => states.unknownOrder())
  const answer = unknown && (await ifAvailable(() => connection.cancelOrder(unknown, { step })))
  if (!answer) await connection.listInventory({ step })
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

async function attempted(acts: StoreActs, call: Call): Promise<Pick<Attempts, 'attempts' | 'kept'>> {
  const [attempts, kept] = await Promise.all([attempt(acts.store, call), attemptOnKept(acts, call)])
  return { attempts, kept }
}

const LOWER_CASE: CallOptions = { credential: lowerCaseScheme, step: 'scheme in lower case' }
const WITHOUT_KEY: CallOptions = { credential: noHeader, connection: 'fresh' }

async function listing(operation: OperationId, acts: StoreActs): Promise<Attempts> {
  const call = { operation, parameter: '', body: { quantity: '1' } }
  const [withKey, lowerCase, rest] = await Promise.all([
    send(acts.store, call, { step: 'with the key' }),
    send(acts.store, call, LOWER_CASE),
    attempted(acts, call),
  ])
  return { withKey, lowerCase, ...rest, badBodies: [] }
}

async function cancelling(acts: StoreActs): Promise<Attempts> {
  const { store, states } = acts
  const missingOrder = states.unknownOrder()
  const order = await ifAvailable(() => states.pendingOrder())
  const call: Call = { operation: 'cancelOrder', parameter: order ?? missingOrder, body: { quantity: '1' } }
  const [withKey, lowerCase, unknown, rest] = await Promise.all([
    store.cancelOrder(missingOrder, { step: 'with the key' }),
    store.cancelOrder(missingOrder, LOWER_CASE),
    store.cancelOrder(missingOrder, { ...WITHOUT_KEY, step: 'without a key, an unknown order' }),
    attempted(acts, call),
  ])
  return {
    withKey,
    lowerCase,
    unknown,
    ...rest,
    badBodies: [],
    ...(order === undefined
      ? {}
      : { afterwards: { cancelled: await store.cancelOrder(order, { step: 'with the key, afterwards' }) } }),
  }
}

const badBodies = (
  valid: string,
): readonly (readonly [body: string, step: string, contentType?: string])[] => [
  ['{"quantity":', 'without a key, malformed JSON'],
  ['{"quantity":"many"}', 'without a key, a quantity of the wrong type'],
  [valid, 'without a key, as text/plain', 'text/plain'],
]

async function updating(acts: StoreActs): Promise<Attempts> {
  const { store, states } = acts
  // An id for each request, because a faulty store may create the pet that it does not find.
  const missingPets = [states.unknownPet(), states.unknownPet(), states.unknownPet()] as const
  const petId = await ifAvailable(async () => (await states.pets(1))[0] as string)
  const before = await store.listInventory({ step: 'before' })
  const stock = petId === undefined ? undefined : find(before, 'petId', petId)
  const body = { quantity: String(BigInt((stock && numberOf(stock, 'quantity')) ?? 0) + 1n) }
  const call: Call = { operation: 'updateInventory', parameter: petId ?? missingPets[0], body }
  const [withKey, lowerCase, unknown, refusedBodies, rest] = await Promise.all([
    store.updateInventory(missingPets[0], body, { step: 'with the key' }),
    store.updateInventory(missingPets[1], body, LOWER_CASE),
    store.updateInventory(missingPets[2], body, { ...WITHOUT_KEY, step: 'without a key, an unknown pet' }),
    Promise.all(
      badBodies(`{"quantity":${body.quantity}}`).map(([text, step, contentType = 'application/json']) =>
        store.updateInventory(call.parameter, text, { ...WITHOUT_KEY, step, contentType }),
      ),
    ),
    attempted(acts, call),
  ])
  return {
    withKey,
    lowerCase,
    unknown,
    badBodies: refusedBodies,
    ...rest,
    ...(petId === undefined
      ? {}
      : { afterwards: { before, after: await store.listInventory({ step: 'afterwards' }), petId } }),
  }
}

const acts: Readonly<Record<OperationId, (acts: StoreActs) => Promise<Attempts>>> = {
  listOrders: each => listing('listOrders', each),
  listInventory: each => listing('listInventory', each),
  cancelOrder: cancelling,
  updateInventory: updating,
}

const needs = {
  listOrders: {},
  listInventory: {},
  cancelOrder: { pendingOrders: 1 },
  updateInventory: { pets: 1 },
} as const

/** One scenario for each operation. */
export const tried = operationIds.map(id => ({
  id,
  operation: operations[id],
  name: operations[id].slug,
  given: scenario(
    `send ${operations[id].method} ${operations[id].path} with the key and without it`,
    needs[id],
    acts[id],
  ),
}))
