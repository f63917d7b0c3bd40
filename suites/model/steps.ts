import {
  type CallOptions,
  type Credential,
  canonical,
  type Exchange,
  expectArray,
  expectErrorBody,
  expectJsonType,
  expectNoBody,
  expectRefused,
  expectStatus,
  member,
  noKey,
  numberOf,
  show,
  Violation,
} from '../../support/authoring/index.ts'
import type { ClauseId } from '../../support/interface/clauses.ts'
import { type OperationId, operations } from '../../support/interface/operations.ts'
import { unknownKey } from '../authentication/credentials.ts'
import { entryIn } from '../update-inventory/scenarios.ts'

/** What a request names. */
export type StepTarget = 'nothing' | 'pending' | 'cancelled' | 'shipped' | 'no order' | 'pet' | 'no pet'

/** One answer that the document determines, as data: rules, sequences and simultaneous requests are made of these. */
export interface Step {
  /** The rule about the plain answer. The ids of the generated rules begin with it. */
  readonly rule: string
  /** Rules about the same answer. If one fails, the generated rules wait for it. */
  readonly after: readonly string[]
  /** What the client does, in the imperative. */
  readonly title: string
  readonly operation: OperationId
  readonly clause: ClauseId
  readonly target: StepTarget
  /** The answer in words, for tables. */
  readonly answer: string
  /** Presented instead of the key, on one connection of a client and on the other. */
  readonly credentials?: readonly [Credential, Credential]
  /** The body of the request. Absent if it has none. */
  readonly body?: (quantity: string) => string
  /** How its request differs from the plain one of the operation. */
  readonly own?: CallOptions
  /** @throws {Violation} unless the response is the one that the document determines */
  expect(exchange: Exchange, target: string, quantity: string): void
}

const valid = (quantity: string): string => `{"quantity":${quantity}}`
/** The rules about the kinds of invalid bodies beside the one that the step is named after. */
export const INVALID_BODIES = [
  'update-400-fraction',
  'update-400-array',
  'update-400-object',
  'update-400-malformed',
  'update-400-body-array',
] as const

/** One of several kinds, because a store may read each of them in another way. Most are refused only when their value is looked at. */
function invalid(quantity: string): string {
  const kinds = [
    `{"quantity":"${quantity}"}`,
    `{"quantity":${quantity}.5}`,
    `{"quantity":[${quantity}]}`,
    `{"quantity":{"value":${quantity}}}`,
    `{"quantity":${quantity}`,
    `[{"quantity":${quantity}}]`,
  ] as const
  return kinds[Number(BigInt(quantity) % BigInt(kinds.length))] as string
}

function expectError(exchange: Exchange, status: number): void {
  expectStatus(exchange, status)
  expectJsonType(exchange)
  expectErrorBody(exchange)
}

function expectList(exchange: Exchange): void {
  expectStatus(exchange, 200)
  expectJsonType(exchange)
  expectArray(exchange)
}

function expectEntry(exchange: Exchange, pet: string, quantity: string): void {
  expectStatus(exchange, 200)
  expectJsonType(exchange)
  const entry = entryIn(exchange)
  const status = quantity === '0' ? 'sold' : 'available'
  for (const [name, wanted, found] of [
    ['petId', canonical(pet), numberOf(entry, 'petId')],
    ['quantity', quantity, numberOf(entry, 'quantity')],
    ['status', status, member(entry, 'status')],
  ] as const) {
    const value = member(entry, name)
    if (found !== wanted)
      throw new Violation(
        `an entry with ${name} ${wanted}`,
        value === undefined ? `no ${name}` : `${name} ${show(value)}`,
        exchange,
      )
  }
}

/** The same request without a valid key. */
function refusedWithoutKey({ title, operation, target, body }: Step): Step {
  const { slug, responses, resource } = operations[operation]
  return {
    rule: `auth-no-header-${slug}`,
    after: [
      `auth-unknown-key-${slug}`,
      `auth-each-request-${slug}`,
      `auth-401-content-type-${slug}`,
      `auth-401-error-body-${slug}`,
      // Without an order or a pet of the run, the request names what does not exist.
      ...(target === 'nothing' ? [] : [`auth-before-lookup-${slug}`]),
    ],
    title: `${title} without a valid key`,
    operation,
    clause: responses[401].clause,
    target,
    answer: '401',
    // On one connection, only the first is presented: each to an operation that reads and one that changes.
    credentials: resource === 'order' ? [noKey, unknownKey] : [unknownKey, noKey],
    ...(body ? { body } : {}),
    expect: exchange => expectError(exchange, 401),
  }
}

export const cancelPending: Step = {
  rule: 'cancel-pending-204',
  after: [
    'cancel-204-no-body',
    'cancel-twice-refused',
    'cancel-only-that-order',
    'auth-401-no-effect-cancel-order',
  ],
  title: 'cancel a pending order',
  operation: 'cancelOrder',
  clause: '4.2/204',
  target: 'pending',
  answer: '204',
  expect(exchange) {
    expectStatus(exchange, 204)
    expectNoBody(exchange)
  },
}

export const cancelAgain: Step = {
  rule: 'cancel-twice-refused',
  after: ['cancel-404-content-type', 'cancel-404-error-body'],
  title: 'cancel a cancelled order',
  operation: 'cancelOrder',
  clause: '3/pending',
  target: 'cancelled',
  answer: 'refused',
  expect(exchange) {
    expectRefused(exchange)
    // Which status refuses it is not shown, but every 404 has an Error (§7).
    if (exchange.response?.status === 404) expectError(exchange, 404)
  },
  own: { repeatable: true },
}

export const cancelShipped: Step = {
  rule: 'cancel-shipped-409',
  after: [],
  title: 'cancel a shipped order',
  operation: 'cancelOrder',
  clause: '4.2/409',
  target: 'shipped',
  answer: '409',
  expect: exchange => expectStatus(exchange, 409),
}

export const cancelUnknown: Step = {
  rule: 'cancel-unknown-404',
  after: ['cancel-404-content-type', 'cancel-404-error-body', 'cancel-similar-id-404', 'cancel-exact-id'],
  title: 'cancel an order that does not exist',
  operation: 'cancelOrder',
  clause: '4.2/404',
  target: 'no order',
  answer: '404',
  expect: exchange => expectError(exchange, 404),
}

export const updateStock: Step = {
  rule: 'update-200',
  after: [
    'update-content-type',
    'update-entry-whole',
    'update-entry-of-that-pet',
    'update-listed',
    'update-ordinary-accepted',
    'update-quantity-exact',
    'update-status-follows',
  ],
  title: 'update the stock of a pet',
  operation: 'updateInventory',
  clause: '4.4/replaces',
  target: 'pet',
  answer: '200',
  body: valid,
  expect: expectEntry,
}

export const updateUnknown: Step = {
  rule: 'update-unknown-404',
  after: [
    'update-404-content-type',
    'update-404-error-body',
    'update-unknown-creates-nothing',
    'update-similar-id-changes-nothing',
  ],
  title: 'update a pet that does not exist',
  operation: 'updateInventory',
  clause: '4.4/404',
  target: 'no pet',
  answer: '404',
  body: valid,
  expect: exchange => expectError(exchange, 404),
}

export const orderList: Step = {
  rule: 'list-orders-200',
  after: ['list-orders-query-ignored', 'list-orders-content-type'],
  title: 'list the orders',
  operation: 'listOrders',
  clause: '4.1/all',
  target: 'nothing',
  answer: '200',
  expect: expectList,
}

export const inventory: Step = {
  rule: 'list-inventory-200',
  after: ['list-inventory-content-type', 'list-inventory-array'],
  title: 'list the inventory',
  operation: 'listInventory',
  clause: '4.3/200',
  target: 'nothing',
  answer: '200',
  expect: expectList,
}

/** The answers that the document determines (§4, §5), in its order. */
export const steps: readonly Step[] = [
  orderList,
  refusedWithoutKey(orderList),
  cancelPending,
  cancelAgain,
  cancelShipped,
  cancelUnknown,
  refusedWithoutKey(cancelPending),
  inventory,
  refusedWithoutKey(inventory),
  updateStock,
  {
    rule: 'update-400-string',
    after: [...INVALID_BODIES, 'update-400-no-effect', 'update-from-zero'],
    title: 'update a pet with an invalid body',
    operation: 'updateInventory',
    clause: '4.4/400',
    target: 'pet',
    answer: '400',
    body: invalid,
    expect: exchange => expectStatus(exchange, 400),
  },
  updateUnknown,
  refusedWithoutKey(updateStock),
]

const byRule: ReadonlyMap<string, Step> = new Map(steps.map(step => [step.rule, step]))

/** The step of a recorded event. */
export const stepOf = ({ step }: { readonly step: string }): Step => byRule.get(step) as Step

/** The step of the same operation that needs nothing of the store. */
export const simplest = ({ operation }: Step): Step =>
  steps.find(
    each => each.operation === operation && (each.target === 'nothing' || each.target.startsWith('no ')),
  ) as Step
