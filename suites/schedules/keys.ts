import { type OperationId, operations } from '../../support/interface/operations.ts'
import {
  type Acts,
  type Asked,
  cancel,
  ifAny,
  listInventory,
  listOf,
  listOrders,
  type Maybe,
  quantityOf,
  type Schedule,
  updateTo,
  type Written,
} from '../acts.ts'
import {
  type Credential,
  followedKey,
  lowerCaseScheme,
  noKey,
  unknownKey,
} from '../authentication/credentials.ts'
import { keyRules } from '../authentication/wrong-keys.ts'
import { withKept } from '../contexts/basics.ts'
import type { Ask } from '../oracle/log.ts'

/** Differs from every quantity that the run sends with the key. */
const QUANTITY = '777'
const BODY = quantityOf(QUANTITY)
/** Credentials of one rule, from which on they are similar to each other: then each is tried with one operation. */
const MANY = 5
/** Ids of nothing, which end with each digit. */
const DIGITS = 10
/** Of the first rules, no header and an unknown key, which connections are new. */
const FRESH = 2

/** Wrong keys, each in a request that differs from an accepted one in nothing else. */
export const keys: Schedule = {
  title: 'wrong keys',
  requests: [204, 203, 89],
  shows: ['authentication'],
  context: 'plain',
  run: acts => withKept(acts, kept => tryKeys(acts, kept)),
}

async function tryKeys(acts: Acts, kept: Maybe<string>): Promise<void> {
  const targets = targetsOf(acts, kept)
  const asks = keyRules
    .filter(({ basis }) => basis.level !== 'advisory')
    .map(({ name, credentials, expected }) => {
      const step = credentials.length === 1 ? 1 : credentials.length < MANY ? 2 : targets.length
      return credentials.flatMap((credential, nth) =>
        targets
          .filter((_, at) => (nth + at) % step === 0)
          .flatMap(target => presenting(acts, target, credential, { row: name, refused: expected })),
      )
    })
  for (const first of asks.splice(0, FRESH)) await onFreshConnections(acts, first)
  await onKeptConnections(acts, targets)
  // A store that remembers a wrong key for a connection would judge this one by it.
  await onFreshConnections(acts, advised(acts))
  await acts.all([...asks.flat(), ...beforeAnythingElse(acts), ...spelledPaths(acts, kept)])
  await acts.look()
  await acts.all(otherMethods(acts, kept))
  await acts.look()
}

/** The request with this credential. None if it cannot be made from the key. */
function presenting(
  acts: Acts,
  [ask, written]: Asked,
  credential: Credential,
  own: Partial<Ask>,
  where = '',
): readonly Asked[] {
  const key = acts.present(credential)
  const asked: Asked = [
    { ...ask, ...own, title: `${ask.title} with ${credential.title}${where}` },
    { ...written, key },
  ]
  return key ? [asked] : []
}

/** An order and a pet that do not exist. */
const unknownTargets = ({ fixtures }: Acts, nth = 0): readonly Asked[] => [
  ...ifAny(fixtures.unknownOrder(nth), (id): Asked => [cancel('unknown order', id), {}]),
  ...ifAny(fixtures.unknownPet(nth), id => updateTo('unknown pet', id, QUANTITY)),
]

/** An order that stays pending, and a pet whose stock stays. */
const ownTargets = ({ fixtures }: Acts, order: Maybe<string>, own?: Partial<Ask>): readonly Asked[] => [
  ...ifAny(order, (id): Asked => [cancel('pending order', id, own), {}]),
  ...ifAny(fixtures.pets[1] ?? fixtures.pets[0], id => updateTo('pet', id, QUANTITY, own)),
]

/** What wrong keys are tried with: two lists, an order that stays pending, and a pet whose stock stays. */
function targetsOf(acts: Acts, kept: Maybe<string>): readonly Asked[] {
  const all = [...ownTargets(acts, kept), ...unknownTargets(acts)]
  const target = (operation: OperationId) => all.filter(([ask]) => ask.operation === operation).slice(0, 1)
  return [[listOrders(), {}], ...target('cancelOrder'), [listInventory(), {}], ...target('updateInventory')]
}

/** Connections that have not served a request with the key. */
const onFreshConnections = (acts: Acts, asks: readonly Asked[]): Promise<unknown> =>
  acts.onConnections(asks.length, connections =>
    Promise.all(asks.map((each, at) => connections[at % connections.length]?.send(...each))),
  )

/** Keys that a store may accept: only for what does not exist, and for the lists. */
function advised(acts: Acts): readonly Asked[] {
  const lists = [listOrders(), listInventory()].map((ask): Asked => [ask, {}])
  const targets = [...lists, ...unknownTargets(acts)]
  return [followedKey, lowerCaseScheme].flatMap(credential =>
    targets.flatMap(target => {
      const accepted = target[0].named === 'nothing' ? 200 : 404
      const advised = credential === followedKey ? 401 : accepted
      return presenting(acts, target, credential, {
        row: credential.name,
        refused: 'open',
        advised: [advised],
      })
    }),
  )
}

/** The key is checked for each request, not once for a connection. */
const onKeptConnections = (acts: Acts, targets: readonly Asked[]): Promise<unknown> =>
  acts.onConnections(targets.length, connections =>
    Promise.all(
      connections.map(async (connection, at) => {
        // Fewer connections than targets are allowed with a low concurrency.
        for (const target of targets.filter((_, nth) => nth % connections.length === at)) {
          // One that is accepted, and leaves the connection open.
          await connection.send(listInventory())
          const where = ', on a connection that has served one with the key'
          for (const each of [noKey, unknownKey])
            for (const asked of presenting(acts, target, each, { row: 'each-request', refused: 401 }, where))
              await connection.send(...asked)
        }
      }),
    ),
  )

/** A 401 comes before the resource, its state and the body are looked at. */
function beforeAnythingElse(acts: Acts): readonly Asked[] {
  const update = targetsOf(acts, undefined).find(([ask]) => ask.operation === 'updateInventory')
  const without = (asked: Asked, row: string, where?: string) =>
    presenting(acts, asked, noKey, { row, refused: 401 }, where)
  const invalid = (body: string, what: string, headers?: Written['headers']) =>
    update ? without([update[0], { body, headers }], 'before-body', ` and ${what}`) : []
  return [
    ...[...Array(DIGITS).keys()].flatMap(nth =>
      unknownTargets(acts, nth).flatMap(each => without(each, 'before-lookup')),
    ),
    ...ifAny(acts.fixtures.shipped[0], (id): Asked => [cancel('shipped order', id), {}]).flatMap(each =>
      without(each, 'before-state'),
    ),
    ...['', '{"quantity":', '{"quantity":"many"}'].flatMap(body =>
      invalid(body, `with the body ${body || '(empty)'}`),
    ),
    ...invalid(BODY, 'as text/plain', [['Content-Type', 'text/plain']]),
  ]
}

/** A store that checks the key for paths as they are written may find what they name under another spelling. */
function spelledPaths(acts: Acts, kept: Maybe<string>): readonly Asked[] {
  const key = acts.present(noKey)
  const own = { row: 'path-spelling', refused: 'unlisted' } as const
  const lists = (['listOrders', 'listInventory'] as const).flatMap(operation => {
    const { path } = operations[operation]
    const escaped = path.replace(/[a-z]/, each => `%${each.charCodeAt(0).toString(16)}`)
    return [`${path}/`, `/${path}`, path.toUpperCase(), escaped, `${path};a=b`, `${path}.json`].map(
      (spelled): Asked => [
        listOf(operation, { ...own, title: `GET ${spelled} without a key` }),
        { path: spelled, key },
      ],
    )
  })
  const changes = ownTargets(acts, kept, own).flatMap(([ask, written]) =>
    [`${ask.id}/`, `${ask.id};a=b`].map((spelled): Asked => {
      const path = operations[ask.operation].path.replace(/\{.*\}/, spelled)
      return [
        { ...ask, title: `a request without a key for the path ${path}` },
        { ...written, path, key },
      ]
    }),
  )
  return [...lists, ...changes]
}

/** Without a key nothing has an effect, also where another method is named in a header or a query. */
function otherMethods(acts: Acts, kept: Maybe<string>): readonly Asked[] {
  const key = acts.present(noKey)
  const own = { row: 'other-method', refused: 401, undescribed: true } as const
  const form = [['Content-Type', 'application/x-www-form-urlencoded']] as const
  return ['POST', 'GET'].flatMap(method =>
    ownTargets(acts, kept, own).flatMap(([ask]) => {
      const named = operations[ask.operation].method
      const body = named === 'PATCH' || method === 'POST' ? { body: BODY } : {}
      const ways: readonly (readonly [how: string, written: Written])[] = [
        ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'].map(
          name => [`${name}: ${named}`, { headers: [[name, named]] }] as const,
        ),
        [`?_method=${named}`, { query: `_method=${named}` }],
        [`_method=${named} in a form`, { body: `_method=${named}&quantity=${QUANTITY}`, headers: form }],
      ]
      return ways
        .filter(([, { headers }]) => method === 'POST' || headers !== form)
        .map(
          ([how, written]): Asked => [
            { ...ask, title: `${method} with ${how}, without a key` },
            { method, ...body, key, ...written },
          ],
        )
    }),
  )
}
