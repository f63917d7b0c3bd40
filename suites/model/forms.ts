import { createRequire } from 'node:module'
import { type Credential, type Exchange, header, type UpdateOptions } from '../../support/authoring/index.ts'
import { type Random, shuffled } from './pairs.ts'
import { type Step, updateStock } from './steps.ts'

/** A CommonJS module whose exports Node cannot name. */
const { make, criteria, sorters } = createRequire(import.meta.url)(
  'covertable',
) as typeof import('covertable')

/** A request while its form is composed. */
interface Draft {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string | undefined
  readonly spell: (name: string) => string
  readonly options: Pick<UpdateOptions, 'query' | 'version' | 'writing'>
}

/** One way to write a part of a request. The document gives it no meaning, so the answer is the plain one. */
export interface FactorLevel {
  readonly name: string
  /** @param cookies those that the store has set */
  readonly apply: (draft: Draft, cookies: string) => Draft
  /** Statuses with which a server may decline this form. A request that is declined changes nothing. */
  readonly declined?: readonly number[]
  /** Whether it concerns only requests with a body, or only those without. */
  readonly only?: 'with body' | 'without body'
}

const PLAIN: FactorLevel = { name: 'plain', apply: draft => draft }

const withHeaders =
  (...headers: Draft['headers']) =>
  (draft: Draft): Draft => ({
    ...draft,
    headers: [...draft.headers.filter(([name]) => !headers.some(([own]) => own === name)), ...headers],
  })

type Limits = Pick<FactorLevel, 'declined' | 'only'>

const withHeader = (name: string, value: string, limits: Limits = {}): FactorLevel => ({
  name: `${name}: ${value}`,
  apply: withHeaders([name, value]),
  ...limits,
})
const no = (name: string, limits: Limits = {}): FactorLevel => ({
  name: `no ${name}`,
  apply: draft => ({ ...draft, headers: draft.headers.filter(([own]) => own !== name) }),
  ...limits,
})
const changed = (
  name: string,
  change: (draft: Draft) => Partial<Draft>,
  limits: Limits = {},
): FactorLevel => ({ name, apply: draft => ({ ...draft, ...change(draft) }), ...limits })
const written = (name: string, own: Draft['options'], limits: Limits = {}): FactorLevel =>
  changed(name, ({ options }) => ({ options: { ...options, ...own } }), limits)
const json = (name: string, write: (body: string) => string, declined: readonly number[] = []): FactorLevel =>
  changed(name, ({ body }) => ({ body: body && write(body) }), { declined, only: 'with body' })
/** update-charset-accepted advises to accept parameters. */
const mediaType = (value: string): FactorLevel =>
  withHeader('Content-Type', value, { declined: [400, 415], only: 'with body' })

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const LATE = written('a body that comes later', { writing: 'late' }, { only: 'with body' })

/** A store may keep it (§4.4 leaves it open), and setting the quantity does not remove it. */
export const FURTHER_MEMBER = json(
  'a further member',
  body => body.replace('{', '{"note":{"quantity":1},'),
  [400],
)

/** The forms of a request, a factor each. The first level of each factor is the plain request. */
export const factors: readonly (readonly FactorLevel[])[] = [
  [
    PLAIN,
    changed('header names in lower case', () => ({ spell: name => name.toLowerCase() })),
    changed('header names in upper case', () => ({ spell: name => name.toUpperCase() })),
  ],
  [
    PLAIN,
    withHeader('Accept', '*/*'),
    withHeader('Accept', BROWSER),
    withHeader('Accept', 'application/json;q=0.5, text/plain;q=0.4'),
    no('Accept'),
  ],
  [
    PLAIN,
    withHeader('Accept-Encoding', 'gzip'),
    withHeader('Accept-Encoding', 'br;q=1.0, gzip;q=0.8, *;q=0.1'),
    withHeader('Accept-Encoding', 'identity'),
    no('Accept-Encoding'),
  ],
  [
    PLAIN,
    { name: 'Accept-Language', apply: withHeaders(['Accept-Language', 'de-CH, de;q=0.9, *;q=0.5']) },
    // Some gateways refuse clients without a name, or programs.
    no('User-Agent', { declined: [400, 403] }),
    // With another name, the request has no X-Request-Id either: a store must not behave only while it is tested.
    withHeader('User-Agent', 'okhttp/4.12.0', { declined: [400, 403] }),
  ],
  [
    PLAIN,
    {
      name: '40 unknown headers, in another order',
      // RFC 6585 §5.
      declined: [431],
      apply: draft => ({
        ...draft,
        headers: [
          ...draft.headers.toReversed(),
          // Some servers treat requests of their own pages differently.
          ['X-Requested-With', 'XMLHttpRequest'],
          ...Array.from({ length: 40 }, (_, at) => [`X-Harmless-${at + 1}`, `${at}`] as const),
        ],
      }),
    },
    {
      name: 'headers of a proxy',
      apply: withHeaders(
        // Some servers let such clients in without a key.
        ['X-Forwarded-For', '127.0.0.1'],
        ['Forwarded', 'for=127.0.0.1'],
        ['Via', '1.1 proxy.example'],
      ),
    },
    {
      name: 'headers of a page of another origin',
      apply: withHeaders(
        ['Origin', 'https://shop.example'],
        ['Referer', 'https://shop.example/'],
        // It asks for permission only in an OPTIONS request.
        ['Access-Control-Request-Method', 'GET'],
      ),
      // A store may let only some origins in (Fetch Standard, CORS).
      declined: [400, 403],
    },
    {
      name: 'the cookies that the store has set',
      apply: (draft, cookies) => withHeaders(['Cookie', cookies])(draft),
    },
  ],
  [
    PLAIN,
    withHeader('Connection', 'close'),
    // RFC 9110 §15.5.18.
    withHeader('Expect', '100-continue', { declined: [417], only: 'with body' }),
  ],
  [PLAIN, written('an unknown query parameter', { query: 'utm_source=site.css' }, { declined: [400] })],
  [
    PLAIN,
    withHeader('Content-Length', '0', { only: 'without body' }),
    {
      name: 'a Content-Type without a body',
      apply: withHeaders(['Content-Type', 'application/json']),
      // Some frameworks then expect a body.
      declined: [400, 415],
      only: 'without body',
    },
  ],
  [
    PLAIN,
    // RFC 9112 §2.3 lets a server refuse the version. With a chunked body, it would be faulty (§6.1).
    written('HTTP/1.0', { version: '1.0' }, { declined: [400, 426, 505] }),
    {
      name: 'a chunked body',
      apply: draft => ({
        ...withHeaders(['Transfer-Encoding', 'chunked'])(draft),
        options: { ...draft.options, writing: 'chunked' },
      }),
      // RFC 9110 §8.6, §15.5.12: a server may require a length.
      declined: [400, 411, 501],
      only: 'with body',
    },
    written('a body in two parts', { writing: 'split' }, { only: 'with body' }),
    LATE,
  ],
  [
    PLAIN,
    json('spaces in the JSON', body => body.replaceAll(/[:,]/g, each => `${each} `)),
    json('line breaks in the JSON', body =>
      body.replace('{', '{\n  ').replace(':', ' : ').replace('}', '\n}'),
    ),
    // Which other forms a store reads is judged by update-json-writing.
    json('an escape in the JSON', body => body.replace('"quantity"', '"\\u0071uantity"'), [400]),
    FURTHER_MEMBER,
  ],
  [PLAIN, mediaType('application/json; charset=utf-8'), mediaType('Application/JSON')],
]

/** A step in one form. */
export interface Formed {
  readonly step: Step
  readonly levels: readonly FactorLevel[]
}

/**
 * Rows in which each level is once beside each level of every other factor and with every step (NIST SP 800-142, strength 2). First those
 * that send a part of the body later, so that few rounds take longer, and the updates, because one could undo what another row changed.
 */
export function rowsOf(steps: readonly Step[], random: Random): readonly Formed[] {
  // Whichever step and level each number stands for, the array covers all pairs.
  const ordered = shuffled(steps, random)
  const levelsOf = factors.map(levels => shuffled(levels, random))
  const rows = arrayOf(steps.length).map(([first = 0, ...rest]): Formed => {
    const step = ordered[first] as Step
    const levels = rest.flatMap((at, factor) => levelsOf[factor]?.[at] ?? [])
    return { step, levels: applying(step, levels) }
  })
  const isFirst = ({ step, levels }: Formed) => levels.includes(LATE) || step === updateStock
  return [...rows.filter(isFirst), ...rows.filter(row => !isFirst(row))]
}

/** One serves every seed. */
function arrayOf(steps: number): readonly (readonly number[])[] {
  const known = arrays.get(steps)
  if (known) return known
  const counts = [steps, ...factors.map(({ length }) => length)]
  const made = make(
    counts.map(length => [...Array(length).keys()]),
    // The default criterion takes four times as long. With this one, the best of 3,000 seeds gives 74 rows; no array has fewer than 65.
    { length: 2, sorter: sorters.hash, criterion: criteria.simple, seed: '228' },
  ) as readonly (readonly number[])[]
  arrays.set(steps, made)
  return made
}
const arrays = new Map<number, readonly (readonly number[])[]>()

/** The levels that are not plain and concern the request. */
const applying = ({ operation }: Step, levels: readonly FactorLevel[]): readonly FactorLevel[] => {
  const kind = operation === 'updateInventory' ? 'with body' : 'without body'
  return levels.filter(level => level !== PLAIN && (level.only ?? kind) === kind)
}

/** Headers that the client sends by itself. */
const USUAL = [
  ['User-Agent', 'store-conformance'],
  ['Accept', 'application/json'],
  ['Accept-Encoding', 'gzip, deflate, br'],
] as const

/** The options and the body of a request in this form. @param cookies those that the store has set */
export function formOf(
  levels: readonly FactorLevel[],
  body: string | undefined,
  cookies: string,
): { readonly body: string | undefined; readonly options: UpdateOptions } {
  if (levels.length === 0) return { body, options: {} }
  const plain: Draft = {
    headers: [...USUAL, ...(body === undefined ? [] : ([['Content-Type', 'application/json']] as const))],
    body,
    spell: name => name,
    options: {},
  }
  const draft = levels.reduce((before, level) => level.apply(before, cookies), plain)
  const length: Draft['headers'] =
    draft.body === undefined || draft.options.writing === 'chunked'
      ? []
      : [['Content-Length', String(Buffer.byteLength(draft.body))]]
  return {
    body: draft.body,
    options: {
      ...draft.options,
      connection: 'fresh',
      credential: keyNamed(draft.spell('Authorization')),
      contentType: null,
      headers: [...draft.headers, ...length].map(([name, value]) => [draft.spell(name), value]),
      without: [
        ...USUAL.map(([name]) => name.toLowerCase()),
        ...(draft.options.writing === 'chunked' ? ['content-length'] : []),
      ],
    },
  }
}

const keyNamed = (name: string): Credential => ({
  name: 'key',
  title: 'the API key',
  mayBeAccepted: true,
  make: key => ({
    headers: [[name, `Bearer ${key}`]],
    shown: [[name, 'Bearer $STORE_API_KEY']],
    shell: ['-H', `"${name}: Bearer $STORE_API_KEY"`],
  }),
})

/** Whether a server may decline the form of this request with the status that it was answered with. */
export const isDeclined = (levels: readonly FactorLevel[], { response }: Exchange): boolean =>
  response !== undefined && levels.some(({ declined = [] }) => declined.includes(response.status))

/**
 * Whether the connection was closed instead of a response to a form that a server may decline. It then need not read the body, and the
 * client, which still sends it, may lose the response (RFC 9112 §9.6).
 */
export const isCutOff = (levels: readonly FactorLevel[], { problem }: Exchange): boolean =>
  problem !== undefined &&
  problem.kind !== 'timeout' &&
  levels.some(({ declined = [] }) => declined.length > 0)

/** The cookies of a response, as a client sends them back (RFC 6265 §5.4). A harmless one if there are none. */
export function cookiesOf({ response }: Exchange): string {
  const set = response && header(response, 'set-cookie')
  const pairs = set?.split(/,(?=[^;,]+=)/).map(each => each.split(';', 1)[0]?.trim() ?? '')
  return pairs?.filter(each => each !== '').join('; ') || 'theme=dark'
}
