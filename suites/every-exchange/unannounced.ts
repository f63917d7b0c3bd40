import {
  CantTell,
  control,
  type Exchange,
  expectArray,
  expectErrorBody,
  expectJsonType,
  expectKept,
  expectRefused,
  expectStatus,
  mediaType,
  quantityIn,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import { type OperationId, operations } from '../../support/interface/operations.ts'
import { steps } from '../model/steps.ts'
import { expectListedStock, says } from '../update-inventory/scenarios.ts'
import type { Pair } from './ordinary-clients.ts'
import { type Crossed, cancelled, lists, updated } from './unannounced-scenarios.ts'

interface Update {
  readonly quantity: string
  readonly answer: Exchange
  readonly list: Exchange
}

/** A pet that was updated and listed: both as the suite, then one of the two as an ordinary client. */
interface Own {
  readonly pet: string
  readonly control: Update
  readonly suiteFirst: Update
  readonly clientFirst: Update
}

/** A failure is a difference, so both requests are its evidence. */
function beside(announced: Exchange, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    const others = error.exchanges.filter(each => each !== announced)
    throw new Violation(
      `${error.expected}, as for the request that announces the suite`,
      `${error.actual} for an ordinary client`,
      announced,
      ...others,
    )
  }
}

/** Whether the other client is only told to come back later. */
function requireServed(exchange: Exchange): void {
  const { response } = exchange
  if (response?.status === 429 || response?.status === 503)
    throw new CantTell(`the store does not serve this request now (${response.status})`, exchange)
}

const holds = (check: () => void): boolean => {
  try {
    check()
    return true
  } catch {
    return false
  }
}

/** Compares what the interface shows: the status, and for 200, 401 and 404 the type, and the shape of an error. */
function expectSame({ expected, announced, unannounced }: Pair): void {
  control(announced, expected, 'the request that announces the suite')
  requireServed(unannounced)
  beside(announced, () => {
    expectStatus(unannounced, expected)
    const [status = 0] = expected
    if (![200, 401, 404].includes(status)) return
    if (announced.response && mediaType(announced.response) === 'application/json')
      expectJsonType(unannounced)
    if (status !== 200 && holds(() => expectErrorBody(announced))) expectErrorBody(unannounced)
  })
}

function expectRefusedAgain({ first, again }: Crossed): void {
  control(first, 204, 'the first cancellation')
  requireServed(again)
  beside(first, () => expectRefused(again))
}

/** Undefined if the response cannot be read. */
function showsQuantity(update: Update): boolean | undefined {
  try {
    return says(update)
  } catch {
    return undefined
  }
}

function expectSameStock({ pet, control: own, suiteFirst, clientFirst }: Own): void {
  control(own.answer, 200, 'the update that announces the suite')
  if (quantityIn(own.list, pet) !== BigInt(own.quantity))
    throw new CantTell('the list does not show the update that announces the suite', own.answer, own.list)
  control(suiteFirst.answer, 200, 'the update that announces the suite')
  expectSame({ expected: [200], announced: own.list, unannounced: suiteFirst.list })
  expectListedStock(pet, suiteFirst)
  expectSame({ expected: [200], announced: own.answer, unannounced: clientFirst.answer })
  if (showsQuantity(own) === true && showsQuantity(clientFirst) !== true)
    throw new Violation(
      `quantity ${clientFirst.quantity} in the response, as for the request that announces the suite`,
      'another one for an ordinary client',
      own.answer,
      clientFirst.answer,
    )
  control(clientFirst.list, 200, 'the list that announces the suite')
  expectListedStock(pet, clientFirst)
}

/** Ordinary clients write requests in their own forms, too, which these rules judge. */
const formRulesOf = (id: OperationId): readonly string[] =>
  steps.filter(({ operation }) => operation === id).map(({ rule }) => `${rule}-any-request`)

const about = (operation: OperationId) => {
  const { slug, method, path, harmless } = operations[operation]
  return {
    id: `unannounced-${slug}`,
    operation,
    level: 'implied',
    because:
      'The interface makes no difference between clients, and RFC 9110 §10.1.5 lets User-Agent identify a program, not change the meaning of a request.',
    clause: harmless.clause,
    title: `${method} ${path} answers an ordinary client as it answers this suite`,
    usually:
      'The store recognises a test by its User-Agent or X-Request-Id. Or something before it rejects some programs.',
  } as const
}

export const rules = [
  ...lists.map(({ operation, idName, given }) =>
    rule({
      ...about(operation),
      given,
      after: [
        operations[operation].harmless.rule,
        `${operations[operation].slug}-objects`,
        ...formRulesOf(operation),
      ],
      expect({ before, list, after, pairs }) {
        control(before, 200, 'the list that announces the suite')
        expectSame({ expected: [200], announced: after, unannounced: list })
        // Other clients may add and remove entries, so only those that were listed before and after are expected in between.
        beside(after, () => {
          expectArray(list)
          expectKept(list, idName, before, after)
        })
        for (const each of pairs) expectSame(each)
      },
    }),
  ),
  rule({
    ...about('cancelOrder'),
    given: cancelled,
    after: ['cancel-unknown-404', ...formRulesOf('cancelOrder')],
    expect({ pairs, crossed }) {
      for (const each of pairs) expectSame(each)
      if (!crossed) return
      const { control: own, suiteFirst, clientFirst } = crossed
      control(own.first, 204, 'the cancellation that announces the suite')
      if (!holds(() => expectRefused(own.again)))
        throw new CantTell('the store accepts a second cancellation that announces the suite', own.again)
      expectSame({ expected: [204], announced: own.first, unannounced: clientFirst.first })
      expectRefusedAgain(suiteFirst)
      expectRefusedAgain(clientFirst)
    },
  }),
  rule({
    ...about('updateInventory'),
    given: updated,
    // The same unknown petId is sent by both clients.
    after: [
      'update-unknown-404',
      'update-unknown-creates-nothing',
      'update-replaces',
      'update-listed',
      ...formRulesOf('updateInventory'),
    ],
    expect({ pairs, own }) {
      for (const each of pairs) expectSame(each)
      if (own) expectSameStock(own)
    },
  }),
]
