import { operations } from '../../support/interface/operations.ts'
import type { Acts, Schedule, Written } from '../acts.ts'
import { cancel, listInventory, listOf, listOrders, quantityOf, update } from '../asks.ts'
import { keyRules, lowerCaseScheme, unknownKey } from '../authentication/credentials.ts'
import { noKey } from '../authentication/presented.ts'
import { withKept } from '../contexts/basics.ts'
import type { Ask } from '../oracle/log.ts'

/** Differs from every quantity that the run sends with the key. */
const QUANTITY = '777'
const BODY = quantityOf(QUANTITY)
/** Credentials of one rule, from which on they are similar to each other: then each is tried with one operation. */
const MANY = 5
/** Of the first rules, no header and an unknown key, which connections are new. */
const FRESH = 2

type Asks = readonly (readonly [Ask, Written])[]

/** What wrong keys are tried with: two lists, an order that stays pending, and a pet whose stock stays. */
function targetsOf({ fixtures }: Acts, order: string | undefined): Asks {
  const [pet, other] = fixtures.pets
  const [unknownOrder, unknownPet] = [fixtures.unknownOrder(), fixtures.unknownPet()]
  const own = other ?? pet
  return [
    [listOrders(), {}],
    ...(order !== undefined
      ? [[cancel('pending order', order), {}] as const]
      : unknownOrder !== undefined
        ? [[cancel('unknown order', unknownOrder), {}] as const]
        : []),
    [listInventory(), {}],
    ...(own !== undefined
      ? [[update('pet', own, QUANTITY), { body: BODY }] as const]
      : unknownPet !== undefined
        ? [[update('unknown pet', unknownPet, QUANTITY), { body: BODY }] as const]
        : []),
  ]
}

/** Wrong keys, each in a request that differs from an accepted one in nothing else. */
export const keys: Schedule = {
  name: 'keys',
  title: 'wrong keys',
  requests: [217, 217, 106],
  context: 'plain',
  run: acts => withKept(acts, kept => tryKeys(acts, kept)),
}

async function tryKeys(acts: Acts, kept: string | undefined): Promise<void> {
  const targets = targetsOf(acts, kept)
  const asks = keyRules
    .filter(({ basis }) => basis.level !== 'advisory')
    .map(({ name, credentials, expected }) =>
      credentials.flatMap((credential, nth) => {
        const key = acts.present(credential)
        const step = credentials.length === 1 ? 1 : credentials.length < MANY ? 2 : targets.length
        const own = key ? targets.filter((_, at) => (nth + at) % step === 0) : []
        return own.map(([ask, written]) => {
          const title = `${ask.title} with ${credential.title}`
          return [
            { ...ask, title, row: name, refused: expected },
            { ...written, key },
          ] as const
        })
      }),
    )
  for (const first of asks.splice(0, FRESH)) await onFreshConnections(acts, first)
  await onKeptConnections(acts, targets)
  // A store that remembers a wrong key for a connection would judge this one by it.
  await onFreshConnections(acts, advised(acts))
  await acts.all([...asks.flat(), ...beforeAnythingElse(acts), ...spelledPaths(acts, kept)])
  await acts.look()
  await acts.all(otherMethods(acts, kept))
  await acts.look()
}

/** Connections that have not served a request with the key. */
const onFreshConnections = (acts: Acts, asks: readonly (readonly [Ask, Written])[]): Promise<unknown> =>
  acts.onConnections(asks.length, connections =>
    Promise.all(asks.map((each, at) => connections[at % connections.length]?.send(...each))),
  )

/** Keys that a store may accept: only for what does not exist, and for the lists. */
function advised(acts: Acts): Asks {
  const followed = keyRules.find(({ name }) => name === 'followed-key')?.credentials[0]
  const [order, pet] = [acts.fixtures.unknownOrder(), acts.fixtures.unknownPet()]
  const targets: Asks = [
    [listOrders({ advised: [200] }), {}],
    [listInventory({ advised: [200] }), {}],
    ...(order === undefined ? [] : [[cancel('unknown order', order, { advised: [404] }), {}] as const]),
    ...(pet === undefined
      ? []
      : [[update('unknown pet', pet, QUANTITY, { advised: [404] }), { body: BODY }] as const]),
  ]
  const rows = [
    [followed, { row: 'followed-key', advised: [401] }],
    [lowerCaseScheme, { row: 'scheme-case' }],
  ] as const
  return rows.flatMap(([credential, own]) => {
    const key = credential && acts.present(credential)
    if (!key) return []
    return targets.map(
      ([ask, written]) =>
        [
          { ...ask, ...own, refused: 'open', title: `${ask.title} with ${credential.title}` },
          { ...written, key },
        ] as const,
    )
  })
}

/** The key is checked for each request, not once for a connection. */
const onKeptConnections = (acts: Acts, targets: readonly (readonly [Ask, Written])[]): Promise<void> =>
  acts.onConnections(targets.length, async connections => {
    await Promise.all(
      connections.map(async (connection, at) => {
        // Fewer connections than targets are allowed with a low concurrency.
        for (const [ask, written = {}] of targets.filter((_, nth) => nth % connections.length === at)) {
          // One that is accepted, and leaves the connection open.
          await connection.send(listInventory())
          for (const credential of [noKey, unknownKey]) {
            const key = acts.present(credential)
            const title = `${ask.title} with ${credential.title}, on a connection that has served one with the key`
            if (key)
              await connection.send({ ...ask, row: 'each-request', refused: 401, title }, { ...written, key })
          }
        }
      }),
    )
  })

/** A 401 comes before the resource, its state and the body are looked at. */
function beforeAnythingElse(acts: Acts): Asks {
  const key = acts.present(noKey)
  const { shipped, pets } = acts.fixtures
  const [order, pet] = [acts.fixtures.unknownOrder(), acts.fixtures.unknownPet()]
  const asks: (readonly [Ask, Written])[] = []
  const add = (ask: Ask, row: string, what: string, written: Written = {}) =>
    asks.push([
      { ...ask, row, refused: 401, title: `${ask.title} without a key${what}` },
      { ...written, key },
    ])
  if (order !== undefined) add(cancel('unknown order', order), 'before-lookup', '')
  if (pet !== undefined) add(update('unknown pet', pet, QUANTITY), 'before-lookup', '', { body: BODY })
  if (shipped[0] !== undefined) add(cancel('shipped order', shipped[0]), 'before-state', '')
  const own = pets[1] ?? pets[0]
  const named = own === undefined ? ('unknown pet' as const) : ('pet' as const)
  const id = own ?? pet
  if (id !== undefined) {
    for (const body of ['', '{"quantity":', '{"quantity":"many"}'])
      add(update(named, id, QUANTITY), 'before-body', ` and with the body ${body || '(empty)'}`, { body })
    const headers = [['Content-Type', 'text/plain']] as const
    add(update(named, id, QUANTITY), 'before-body', ' and as text/plain', { body: BODY, headers })
  }
  return asks
}

/** A store that checks the key for paths as they are written may find what they name under another spelling. */
function spelledPaths(acts: Acts, order: string | undefined): Asks {
  const key = acts.present(noKey)
  const own = { row: 'path-spelling', refused: 'unlisted' } as const
  const lists = (['listOrders', 'listInventory'] as const).flatMap(operation => {
    const { path } = operations[operation]
    return [
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      path.replace(/[a-z]/, each => `%${each.charCodeAt(0).toString(16)}`),
      `${path};a=b`,
      `${path}.json`,
    ].map(spelled => [listOf(operation, { ...own, title: `GET ${spelled} without a key` }), spelled] as const)
  })
  const pet = acts.fixtures.pets[1] ?? acts.fixtures.pets[0]
  const title = 'a request without a key, with a slash at the end of its path'
  const changes = [
    ...(order === undefined ? [] : [cancel('pending order', order, { ...own, title })]),
    ...(pet === undefined ? [] : [update('pet', pet, QUANTITY, { ...own, title })]),
  ].map(ask => [ask, `${operations[ask.operation].path.replace(/\{.*\}/, ask.id)}/`] as const)
  return [...lists, ...changes].map(
    ([ask, path]) => [ask, { path, key, ...(ask.body ? { body: BODY } : {}) }] as const,
  )
}

/** Without a key nothing has an effect, also where another method is named in a header or a query. */
function otherMethods(acts: Acts, order: string | undefined): Asks {
  const key = acts.present(noKey)
  const pet = acts.fixtures.pets[1] ?? acts.fixtures.pets[0]
  const asks: (readonly [Ask, Written])[] = []
  for (const method of ['POST', 'GET'])
    for (const [named, ask] of [
      ['DELETE', order === undefined ? undefined : cancel('pending order', order)],
      ['PATCH', pet === undefined ? undefined : update('pet', pet, QUANTITY)],
    ] as const) {
      if (!ask) continue
      const own = { row: 'other-method', refused: 401 as const, undescribed: true as const }
      const add = (how: string, written: Written) =>
        asks.push([
          { ...ask, ...own, title: `${method} with ${how}, without a key` },
          { method, ...(named === 'PATCH' || method === 'POST' ? { body: BODY } : {}), key, ...written },
        ])
      for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])
        add(`${name}: ${named}`, { headers: [[name, named]] })
      add(`?_method=${named}`, { query: `_method=${named}` })
      if (method === 'POST')
        add(`_method=${named} in a form`, {
          body: `_method=${named}&quantity=${QUANTITY}`,
          headers: [['Content-Type', 'application/x-www-form-urlencoded']],
        })
    }
  return asks
}
