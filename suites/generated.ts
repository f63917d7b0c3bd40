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

const HEADERS = [
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
] as const

/** Each combination of a context, a request and an aspect is a fault that nobody listed. */
const contexts: readonly ((pick: Pick) => When)[] = [
  pick => after(pick(names), pick(['connection', 'store'])),
  () => beside,
  pick => {
    const [name, value] = pick(HEADERS)
    return requesting(name, value)
  },
  () => late,
  pick => every(pick([2, 3, 5])),
  pick => endingIn(pick(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])),
]

/** The fault with this id: `generated-7-0` is the first one of seed 7. */
export function generatedFault(id: string): Fault | undefined {
  if (!/^generated-[0-9]+-[0-9]+$/.test(id)) return undefined
  const pick = picker(id)
  const when = pick(contexts)(pick)
  // The path of a list has no digit.
  const request = pick(names.filter(name => !/digit/.test(when.says) || !/list/.test(name)))
  // Which status refuses a cancelled order is open.
  const status = request === 'cancel-twice-refused' ? 500 : pick([500, 503, 403, 422])
  const aspect = pick([answered(status), answered(status), changing('order'), changing('stock')])
  return instances({ [id]: [asks[request], [], aspect, { when, breaksAny: true }] })[0]
}

/** Chooses by a hash of the name (FNV-1a) and a linear congruential generator. */
function picker(name: string): Pick {
  let state = 2_166_136_261
  for (const character of name) state = Math.imul(state ^ character.charCodeAt(0), 16_777_619) >>> 0
  return items => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return items[Math.floor((state / 2 ** 32) * items.length)] as never
  }
}
