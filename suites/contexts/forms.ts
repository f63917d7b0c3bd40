import { createRequire } from 'node:module'
import type { Written } from '../acts.ts'
import { TYPE_DECLINED } from '../update-inventory/bodies.ts'
import { type Basic, shuffled } from './basics.ts'

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

type Limits = Pick<FormLevel, 'declined' | 'only'>
const WITH_BODY = { only: 'with body' } as const
const WITHOUT_BODY = { only: 'without body' } as const

/** Headers are added, and everything else is replaced. */
const level = (
  name: string,
  change: Written | ((written: Written, cookies: string) => Written),
  limits: Limits = {},
): FormLevel => ({
  name,
  apply: (written, cookies) => {
    const own = typeof change === 'function' ? change(written, cookies) : change
    return { ...written, ...own, headers: [...(written.headers ?? []), ...(own.headers ?? [])] }
  },
  ...limits,
})
const header = (name: string, value: string, limits?: Limits): FormLevel =>
  level(`${name}: ${value}`, { headers: [[name, value]] }, limits)
const no = (name: string, limits?: Limits): FormLevel =>
  level(`no ${name}`, { headers: [[name, null]] }, limits)
const json = (name: string, write: (body: string) => string, limits: Limits = {}): FormLevel =>
  level(name, ({ body }) => ({ body: body && write(body) }), { ...limits, ...WITH_BODY })

/** Statuses with which a store may decline a query, because §4 shows no parameters in it. */
export const QUERY_DECLINED: readonly number[] = [400, 414, 422]

/** The rule update-charset-accepted advises to accept parameters. */
const TYPED = { declined: TYPE_DECLINED, ...WITH_BODY }
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const UNKNOWN = Array.from({ length: 40 }, (_, at) => [`X-Harmless-${at + 1}`, `${at}`] as const)
const PLAIN = level('plain', {})
const LATE = level('a body that is sent after a pause', { writing: 'late' }, WITH_BODY)

const fields = (all: Readonly<Record<string, string | null>>): Written => ({ headers: Object.entries(all) })
const chunked: Written = {
  ...fields({ 'Transfer-Encoding': 'chunked', 'Content-Length': null }),
  writing: 'chunked',
}
/** As a proxy adds them. Some servers let such clients in without a key. */
const proxied = fields({
  'X-Forwarded-For': '127.0.0.1',
  Forwarded: 'for=127.0.0.1',
  Via: '1.1 proxy.example',
})
/** The last one asks for permission only in an OPTIONS request. */
const crossOrigin = fields({
  Origin: 'https://shop.example',
  Referer: 'https://shop.example/',
  'Access-Control-Request-Method': 'GET',
})

/** The forms of a request, a factor each. The first level of each factor is the plain request. */
const factors: readonly (readonly FormLevel[])[] = [
  [
    level('header names in lower case', { spell: name => name.toLowerCase() }),
    level('header names in upper case', { spell: name => name.toUpperCase() }),
  ],
  [
    header('Accept', '*/*'),
    header('Accept', BROWSER),
    header('Accept', 'application/json;q=0.5, text/plain;q=0.4'),
    no('Accept'),
  ],
  [
    header('Accept-Encoding', 'gzip'),
    header('Accept-Encoding', 'br;q=1.0, gzip;q=0.8, *;q=0.1'),
    header('Accept-Encoding', 'identity'),
    no('Accept-Encoding'),
  ],
  [
    header('Accept-Language', 'de-CH, de;q=0.9, *;q=0.5'),
    // An ordinary client does not announce the suite. Some gateways refuse clients without a name.
    header('User-Agent', 'okhttp/4.12.0'),
    no('User-Agent', { declined: [400, 403] }),
  ],
  [
    // Some servers treat requests of their own pages differently. RFC 6585 §5; others answer 400.
    level(
      '40 unknown headers',
      { headers: [['X-Requested-With', 'XMLHttpRequest'], ...UNKNOWN] },
      { declined: [400, 431] },
    ),
    level('X-Forwarded-For, Forwarded and Via, as a proxy adds them', proxied),
    // A store may let only some origins in (Fetch Standard, CORS).
    level('Origin and Referer of another origin', crossOrigin, { declined: [400, 403] }),
    level('a cookie', (_, cookies) => ({ headers: [['Cookie', cookies]] })),
  ],
  // RFC 9110 §15.5.18.
  [header('Connection', 'close'), header('Expect', '100-continue', { declined: [417], ...WITH_BODY })],
  [
    level('an unknown query parameter', ({ query }) => ({ query: query ?? 'utm_source=site.css' }), {
      declined: QUERY_DECLINED,
    }),
    // RFC 9110 §14.2: a unit that a server does not understand is ignored.
    header('Range', 'items=0-0', { declined: [416] }),
  ],
  [
    header('Content-Length', '0', WITHOUT_BODY),
    // Some clients always send it, and some frameworks then expect a body.
    header('Content-Type', 'application/json', { declined: TYPE_DECLINED, ...WITHOUT_BODY }),
  ],
  [
    // RFC 9112 §2.3 lets a server refuse the version. With a chunked body, it would be faulty (§6.1).
    level('HTTP/1.0', { version: '1.0' }, { declined: [400, 426, 505] }),
    // RFC 9110 §8.6, §15.5.12: a server may require a length.
    level('a chunked body', chunked, { declined: [400, 411, 501], ...WITH_BODY }),
    level('a body in two parts', { writing: 'split' }, WITH_BODY),
    LATE,
  ],
  [
    json('spaces in the JSON', body => body.replaceAll(/[:,]/g, each => `${each} `)),
    json('line breaks in the JSON', body =>
      body.replace('{', '{\n  ').replace(':', ' : ').replace('}', '\n}'),
    ),
    json('an escape in the member name', body => body.replace('"quantity"', '"\\u0071uantity"'), {
      declined: [400],
    }),
  ],
  [
    header('Content-Type', 'application/json; charset=utf-8', TYPED),
    header('Content-Type', 'Application/JSON', TYPED),
  ],
].map(levels => [PLAIN, ...levels])

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
  const rank = ({ step, levels }: FormRow) => (levels.includes(LATE) ? 0 : step.name === 'update' ? 1 : 2)
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
