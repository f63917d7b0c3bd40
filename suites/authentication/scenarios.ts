import {
  type Credential,
  type Exchange,
  find,
  NotArranged,
  numberOf,
  type StoreActs,
  type StoreClient,
  scenario,
} from '../../support/authoring/index.ts'
import { type OperationId, operationIds, operations } from '../../support/interface/operations.ts'
import { badCredentials, lowerCaseScheme } from './credentials.ts'

export interface Attempt {
  readonly credential: Credential
  /** On a connection of its own. */
  readonly fresh: Exchange
  /** On a connection that had just served an accepted request. */
  readonly kept: Exchange
}

/** What was tried on one operation, with the key and without it. */
export interface Attempts {
  /** The operation with the key, on what does not exist: refused, but let in. */
  readonly withKey: Exchange
  readonly lowerCase: Exchange
  readonly attempts: readonly Attempt[]
  /** Without a key, on an order or pet that does not exist. Absent where the operation names none. */
  readonly unknown?: Exchange
  /** Without a key, with bodies that an update may refuse. */
  readonly badBodies: readonly Exchange[]
  /** What showed afterwards that nothing had happened; absent where nothing was ours to be changed. */
  readonly afterwards?:
    | { readonly cancelled: Exchange }
    | { readonly before: Exchange; readonly after: Exchange; readonly petId: string }
}

/** Sent with a new quantity: where an attempt gets through, the stock shows it. */
const body = (quantity: bigint) => ({ quantity: String(quantity + 1n) })

async function attempt(
  store: StoreClient,
  operation: OperationId,
  parameter: string,
  sent: { quantity: string },
): Promise<Attempt[]> {
  const possible = badCredentials.filter(credential => store.canPresent(credential))
  return Promise.all(
    possible.map(async credential => {
      const fresh = await store.call(operation, parameter, sent, {
        credential,
        connection: 'fresh',
        step: `with ${credential.title}`,
      })
      const kept = await store.onOneConnection(async connection => {
        await (operation === 'updateInventory' ? connection.listInventory() : connection.listOrders())
        const step = `with ${credential.title}, after an accepted request`
        return connection.call(operation, parameter, sent, { credential, step })
      })
      return { credential, fresh, kept }
    }),
  )
}

const [noHeader] = badCredentials as [Credential]

async function listing(operation: OperationId, { store }: StoreActs): Promise<Attempts> {
  const nothing = { quantity: '1' }
  return {
    withKey: await store.call(operation, '', nothing, { step: 'with the key' }),
    lowerCase: await store.call(operation, '', nothing, {
      credential: lowerCaseScheme,
      step: 'scheme in lower case',
    }),
    attempts: await attempt(store, operation, '', nothing),
    badBodies: [],
  }
}

/** Something of ours where there is something; the operation is otherwise tried on what does not exist. */
async function ours(take: () => Promise<string>): Promise<string | undefined> {
  try {
    return await take()
  } catch (error) {
    if (error instanceof NotArranged) return undefined
    throw error
  }
}

async function cancelling({ store, states }: StoreActs): Promise<Attempts> {
  const unknown = states.unknownOrder()
  const order = await ours(() => states.pendingOrder())
  return {
    withKey: await store.cancelOrder(unknown, { step: 'with the key' }),
    lowerCase: await store.cancelOrder(unknown, {
      credential: lowerCaseScheme,
      step: 'scheme in lower case',
    }),
    attempts: await attempt(store, 'cancelOrder', order ?? unknown, { quantity: '1' }),
    unknown: await store.cancelOrder(unknown, {
      credential: noHeader,
      connection: 'fresh',
      step: 'without a key, an unknown order',
    }),
    badBodies: [],
    ...(order === undefined
      ? {}
      : { afterwards: { cancelled: await store.cancelOrder(order, { step: 'with the key, at last' }) } }),
  }
}

async function updating({ store, states }: StoreActs): Promise<Attempts> {
  // One for each request: a store that creates what it does not find has it afterwards.
  const [unknown, another, third] = [states.unknownPet(), states.unknownPet(), states.unknownPet()]
  const petId = await ours(async () => (await states.pets(1))[0] as string)
  const before = await store.listInventory({ step: 'before' })
  const stock = petId === undefined ? undefined : find(before, 'petId', petId)
  const quantity = BigInt((stock && numberOf(stock, 'quantity')) ?? 0)
  const withoutKey = (text: string, step: string, contentType = 'application/json') =>
    store.updateInventory(petId ?? unknown, text, {
      credential: noHeader,
      connection: 'fresh',
      step,
      contentType,
    })
  return {
    withKey: await store.updateInventory(unknown, body(0n), { step: 'with the key' }),
    lowerCase: await store.updateInventory(another, body(0n), {
      credential: lowerCaseScheme,
      step: 'scheme in lower case',
    }),
    attempts: await attempt(store, 'updateInventory', petId ?? unknown, body(quantity)),
    unknown: await store.updateInventory(third, body(0n), {
      credential: noHeader,
      connection: 'fresh',
      step: 'without a key, an unknown pet',
    }),
    badBodies: [
      await withoutKey('{"quantity":', 'without a key, malformed JSON'),
      await withoutKey('{"quantity":"many"}', 'without a key, a quantity of the wrong type'),
      await withoutKey(`{"quantity":${quantity + 1n}}`, 'without a key, as text/plain', 'text/plain'),
    ],
    ...(petId === undefined
      ? {}
      : { afterwards: { before, after: await store.listInventory({ step: 'after' }), petId } }),
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

/** One scenario for each operation, in the order of the document. */
export const attempted = operationIds.map(id => ({
  id,
  operation: operations[id],
  name: operations[id].slug,
  given: scenario(
    `${operations[id].method} ${operations[id].path}, with the key and without it`,
    needs[id],
    acts[id],
  ),
}))
