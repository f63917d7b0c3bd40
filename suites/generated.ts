import type { Fault } from '../support/reference/index.ts'
import {
  type AskName,
  after,
  answered,
  asks,
  beside,
  changing,
  endingIn,
  every,
  instances,
  late,
  requesting,
  type When,
} from './operators.ts'

type Pick = <Item>(items: readonly Item[]) => Item

const names = Object.keys(asks) as AskName[]

const HEADERS: readonly (readonly [name: string, value: RegExp])[] = [
  ['accept', /^text\/html/],
  ['accept', /^\*\/\*$/],
  ['accept', /q=0\.5/],
  ['accept-encoding', /^gzip$/],
  ['accept-encoding', /q=0\.1/],
  ['accept-language', /^de/],
  ['connection', /close/],
  ['cookie', /./],
  ['via', /./],
  ['x-harmless-1', /./],
]

/** Each combination of a context, a request and an aspect is a fault that nobody listed. */
const contexts: Readonly<Record<string, (pick: Pick) => When>> = {
  after: pick => after(pick(names), pick(['connection', 'store'])),
  beside: () => beside,
  header: pick => requesting(...pick(HEADERS)),
  late: () => late,
  every: pick => every(pick([2, 3, 5])),
  digit: pick => endingIn(pick([...'0123456789'])),
}

/** The fault with this id: `generated-7-0` is the first one of seed 7. */
export function generatedFault(id: string): Fault | undefined {
  if (!/^generated-[0-9]+-[0-9]+$/.test(id)) return undefined
  const picked: unknown[] = []
  const draw = drawing(id)
  const pick: Pick = items => {
    const item = items[draw(items.length)] as (typeof items)[number]
    picked.push(item)
    return item
  }
  const moment = pick(Object.keys(contexts))
  const when = contexts[moment]?.(pick)
  // The path of a list has no digit.
  const request = pick(names.filter(name => moment !== 'digit' || !/list/.test(name)))
  // Which status refuses a cancelled order is open.
  const status = request === 'cancel-twice-refused' ? 500 : pick([500, 503, 403, 422])
  const what = pick(['answered', 'answered', 'order', 'stock'] as const)
  const aspect = what === 'answered' ? answered(status) : changing(what)
  return instances({
    [id]: [asks[request], [], aspect, { generated: picked.join(', '), ...(when && { when }) }],
  })[0]
}

/** Draws integers by a hash of the name (FNV-1a) and a linear congruential generator. */
function drawing(name: string): (below: number) => number {
  let state = 2_166_136_261
  for (const character of name) state = Math.imul(state ^ character.charCodeAt(0), 16_777_619) >>> 0
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
