import type { Exchange, StoreActs, UpdateOptions } from '../../support/authoring/index.ts'

/** A program that calls the store, by the headers that it sends on its own account. */
interface OrdinaryClient {
  readonly name: string
  /** Each Accept allows JSON, and each Accept-Encoding names only codings that the suite can undo. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** Named by its product and version, as in its User-Agent. */
const program = (name: string, headers: OrdinaryClient['headers']): OrdinaryClient => ({
  name,
  headers: [['User-Agent', name], ...headers],
})

const BROWSER =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'

/** Clients that stores see every day. */
const CLIENTS: readonly OrdinaryClient[] = [
  program('curl/8.14.1', [['Accept', '*/*']]),
  program('python-requests/2.32.5', [
    ['Accept-Encoding', 'gzip, deflate'],
    ['Accept', '*/*'],
    ['Connection', 'keep-alive'],
  ]),
  program('okhttp/4.12.0', [
    ['Connection', 'Keep-Alive'],
    ['Accept-Encoding', 'gzip'],
  ]),
  program('Java-http-client/21.0.8', []),
  program('Go-http-client/1.1', [['Accept-Encoding', 'gzip']]),
  program('node', [
    ['Accept', '*/*'],
    ['Accept-Language', '*'],
    ['Sec-Fetch-Mode', 'cors'],
    ['Accept-Encoding', 'gzip, deflate'],
  ]),
  {
    name: 'a browser',
    headers: [
      ['User-Agent', BROWSER],
      ['Accept', 'application/json, text/plain, */*'],
      ['Accept-Language', 'en-GB,en;q=0.9'],
      ['Accept-Encoding', 'gzip, deflate, br'],
      ['Sec-Fetch-Site', 'same-origin'],
      ['Sec-Fetch-Mode', 'cors'],
      ['Sec-Fetch-Dest', 'empty'],
    ],
  },
]

/** One request twice, with equal headers except those by which the suite announces itself: User-Agent and X-Request-Id. */
export interface Pair {
  /** The statuses that the interface shows for it. */
  readonly expected: readonly number[]
  readonly announced: Exchange
  readonly unannounced: Exchange
}

export type Ordinary = ReturnType<typeof ordinary>

/** Chooses clients, values and the order of requests by the random stream of the scenario. */
export function ordinary({ random, states, store }: StoreActs) {
  const below = (limit: number): number => Number(random(BigInt(limit)))
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  const unannouncedBy = ({ name, headers }: OrdinaryClient, what: string): UpdateOptions => ({
    connection: 'fresh',
    headers,
    without: ['accept', 'accept-encoding'],
    step: `${what}, as ${name}`,
  })
  const announcedBy = (client: OrdinaryClient, what: string): UpdateOptions => ({
    ...unannouncedBy(client, what),
    headers: client.headers.filter(([name]) => name !== 'User-Agent'),
    step: `${what}, announced`,
  })
  const aClient = () => oneOf(CLIENTS)
  async function inAnyOrder<Results extends readonly unknown[]>(
    ...acts: { readonly [At in keyof Results]: () => Promise<Results[At]> }
  ): Promise<Results> {
    const results: unknown[] = []
    const left = [...acts.entries()]
    while (left.length > 0) {
      for (const [at, act] of left.splice(below(left.length), 1)) results[at] = await act()
    }
    return results as unknown as Results
  }
  /** An id of an ordinary size, because an unusual one could give the suite away. */
  const unknown = (isUnknown: (id: bigint) => boolean, otherwise: () => string): string => {
    for (let tries = 0; tries < 20; tries += 1) {
      const id = random(2n ** 31n)
      if (isUnknown(id)) return String(id)
    }
    return otherwise()
  }
  return {
    store,
    below,
    oneOf,
    aClient,
    announcedBy,
    unannouncedBy,
    inAnyOrder,
    async pair(
      what: string,
      expected: readonly number[],
      send: (options: UpdateOptions) => Promise<Exchange>,
    ): Promise<Pair> {
      const client = aClient()
      const [announced, unannounced] = await inAnyOrder(
        () => send(announcedBy(client, what)),
        () => send(unannouncedBy(client, what)),
      )
      return { expected, announced, unannounced }
    },
    unknownOrder: () => unknown(states.isUnknownOrder, states.unknownOrder),
    unknownPet: () => unknown(id => states.isUnknownPet(String(id)), states.unknownPet),
  }
}
