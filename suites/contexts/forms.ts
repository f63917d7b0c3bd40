import { createRequire } from 'node:module'
import type { Written } from '../acts.ts'
import { TYPE_DECLINED } from '../update-inventory/bodies.ts'
import { type Basic, basic } from './basics.ts'
import { shuffled } from './pairs.ts'

/** A CommonJS module whose exports Node cannot name. */
const { make, criteria, sorters } = createRequire(import.meta.url)(
  'covertable',
) as typeof import('covertable')

/** One way to write a part of a request. The document gives it no meaning, so the answer is the plain one. */
export interface FormLevel {
  readonly name: string
  /** @param cookies those that the store has set */
  readonly apply: (written: Written, cookies: string) => Written
  /** Statuses with which a server may decline this form. A request that is declined changes nothing. */
  readonly declined?: readonly number[]
  /** Whether it concerns only requests with a body, or only those without. */
  readonly only?: 'with body' | 'without body'
}

const PLAIN: FormLevel = { name: 'plain', apply: written => written }
type Limits = Pick<FormLevel, 'declined' | 'only'>
type Headers = NonNullable<Written['headers']>

const headers = (name: string, added: Headers, limits: Limits = {}): FormLevel => ({
  name,
  apply: written => ({ ...written, headers: [...(written.headers ?? []), ...added] }),
  ...limits,
})
const header = (name: string, value: string, limits?: Limits): FormLevel =>
  headers(`${name}: ${value}`, [[name, value]], limits)
const no = (name: string, limits?: Limits): FormLevel => headers(`no ${name}`, [[name, null]], limits)
const changed = (
  name: string,
  change: Written | ((written: Written) => Written),
  limits: Limits = {},
): FormLevel => ({
  name,
  apply: written => ({ ...written, ...(typeof change === 'function' ? change(written) : change) }),
  ...limits,
})
const json = (name: string, write: (body: string) => string, declined: readonly number[] = []): FormLevel =>
  changed(name, ({ body }) => ({ body: body && write(body) }), { declined, only: 'with body' })
/** The rule update-charset-accepted advises to accept parameters. */
const mediaType = (value: string) =>
  header('Content-Type', value, { declined: TYPE_DECLINED, only: 'with body' })

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const LATE = changed('a body that is sent after a pause', { writing: 'late' }, { only: 'with body' })

/** The forms of a request, a factor each. The first level of each factor is the plain request. */
export const factors: readonly (readonly FormLevel[])[] = [
  [
    PLAIN,
    changed('header names in lower case', { spell: name => name.toLowerCase() }),
    changed('header names in upper case', { spell: name => name.toUpperCase() }),
  ],
  [
    PLAIN,
    header('Accept', '*/*'),
    header('Accept', BROWSER),
    header('Accept', 'application/json;q=0.5, text/plain;q=0.4'),
    no('Accept'),
  ],
  [
    PLAIN,
    header('Accept-Encoding', 'gzip'),
    header('Accept-Encoding', 'br;q=1.0, gzip;q=0.8, *;q=0.1'),
    header('Accept-Encoding', 'identity'),
    no('Accept-Encoding'),
  ],
  [
    PLAIN,
    header('Accept-Language', 'de-CH, de;q=0.9, *;q=0.5'),
    // An ordinary client does not announce the suite. Some gateways refuse clients without a name.
    header('User-Agent', 'okhttp/4.12.0'),
    no('User-Agent', { declined: [400, 403] }),
  ],
  [
    PLAIN,
    headers(
      '40 unknown headers',
      [
        // Some servers treat requests of their own pages differently.
        ['X-Requested-With', 'XMLHttpRequest'],
        ...Array.from({ length: 40 }, (_, at) => [`X-Harmless-${at + 1}`, `${at}`] as const),
      ],
      // RFC 6585 §5.
      { declined: [431] },
    ),
    // Some servers let such clients in without a key.
    headers('X-Forwarded-For, Forwarded and Via, as a proxy adds them', [
      ['X-Forwarded-For', '127.0.0.1'],
      ['Forwarded', 'for=127.0.0.1'],
      ['Via', '1.1 proxy.example'],
    ]),
    headers(
      'Origin and Referer of another origin',
      [
        ['Origin', 'https://shop.example'],
        ['Referer', 'https://shop.example/'],
        // It asks for permission only in an OPTIONS request.
        ['Access-Control-Request-Method', 'GET'],
      ],
      // A store may let only some origins in (Fetch Standard, CORS).
      { declined: [400, 403] },
    ),
    {
      name: 'a cookie',
      apply: (written, cookies) => ({
        ...written,
        headers: [...(written.headers ?? []), ['Cookie', cookies]],
      }),
    },
  ],
  [
    PLAIN,
    header('Connection', 'close'),
    // RFC 9110 §15.5.18.
    header('Expect', '100-continue', { declined: [417], only: 'with body' }),
  ],
  [
    PLAIN,
    changed('an unknown query parameter', ({ query }) => ({ query: query ?? 'utm_source=site.css' }), {
      declined: [400],
    }),
  ],
  [
    PLAIN,
    header('Content-Length', '0', { only: 'without body' }),
    // Some clients always send it, and some frameworks then expect a body.
    header('Content-Type', 'application/json', { declined: TYPE_DECLINED, only: 'without body' }),
  ],
  [
    PLAIN,
    // RFC 9112 §2.3 lets a server refuse the version. With a chunked body, it would be faulty (§6.1).
    changed('HTTP/1.0', { version: '1.0' }, { declined: [400, 426, 505] }),
    {
      name: 'a chunked body',
      apply: written => ({
        ...written,
        writing: 'chunked',
        headers: [...(written.headers ?? []), ['Transfer-Encoding', 'chunked'], ['Content-Length', null]],
      }),
      // RFC 9110 §8.6, §15.5.12: a server may require a length.
      declined: [400, 411, 501],
      only: 'with body',
    },
    changed('a body in two parts', { writing: 'split' }, { only: 'with body' }),
    LATE,
  ],
  [
    PLAIN,
    json('spaces in the JSON', body => body.replaceAll(/[:,]/g, each => `${each} `)),
    json('line breaks in the JSON', body =>
      body.replace('{', '{\n  ').replace(':', ' : ').replace('}', '\n}'),
    ),
    json('an escape in the member name', body => body.replace('"quantity"', '"\\u0071uantity"'), [400]),
  ],
  [PLAIN, mediaType('application/json; charset=utf-8'), mediaType('Application/JSON')],
]

/** A basic ask in one form. */
export interface FormRow {
  readonly step: Basic
  readonly levels: readonly FormLevel[]
}

/**
 * Rows in which each level is once beside each level of every other factor and with every basic ask (NIST SP 800-142, strength 2). First
 * those that send a part of the body later, so that few rounds take longer, and the updates, because one could undo what another changed.
 */
export function rowsOf(steps: readonly Basic[], random: (below: number) => number): readonly FormRow[] {
  // Whichever step and level each number stands for, the array covers all pairs.
  const ordered = shuffled(steps, random)
  const levelsOf = factors.map(levels => shuffled(levels, random))
  const rows = arrayOf(steps.length).map(([first = 0, ...rest]): FormRow => {
    const step = ordered[first] as Basic
    const kind = step.operation === 'updateInventory' ? 'with body' : 'without body'
    const levels = rest.flatMap((at, factor) => levelsOf[factor]?.[at] ?? [])
    return { step, levels: levels.filter(level => level !== PLAIN && (level.only ?? kind) === kind) }
  })
  const rank = ({ step, levels }: FormRow) => (levels.includes(LATE) ? 0 : step === basic('update') ? 1 : 2)
  return rows.sort((one, other) => rank(one) - rank(other))
}

/** One serves every seed. */
function arrayOf(steps: number): readonly (readonly number[])[] {
  const known = arrays.get(steps)
  if (known) return known
  const counts = [steps, ...factors.map(({ length }) => length)]
  const made = make(
    counts.map(length => [...Array(length).keys()]),
    // The default criterion takes four times as long.
    { length: 2, sorter: sorters.hash, criterion: criteria.simple, seed: '1774' },
  ) as readonly (readonly number[])[]
  arrays.set(steps, made)
  return made
}
const arrays = new Map<number, readonly (readonly number[])[]>()
