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
const contexts: readonly ((pick: Pick) => readonly [says: string, When])[] = [
  pick => {
    const [earlier, scope] = [pick(names), pick(['connection', 'store'] as const)]
    return [`after ${earlier}, the last one on the ${scope}`, after(earlier, scope)]
  },
  () => ['beside other requests', beside],
  pick => {
    const [name, value] = pick(HEADERS)
    return [`with ${name} ${value}`, requesting(name, value)]
  },
  () => ['late in the run', late],
  pick => {
    const nth = pick([2, 3, 5])
    return [`every ${nth} times`, every(nth)]
  },
  pick => {
    const digit = pick(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    return [`if the last digit of its path is ${digit}`, endingIn(digit)]
  },
]

/** The fault with this id: `generated-7-0` is the first one of seed 7. */
export function generatedFault(id: string): Fault | undefined {
  if (!/^generated-[0-9]+-[0-9]+$/.test(id)) return undefined
  const pick = picker(id)
  const [moment, when] = pick(contexts)(pick)
  // The path of a list has no digit.
  const request = pick(names.filter(name => !/digit/.test(moment) || !/list/.test(name)))
  // Which status refuses a cancelled order is open.
  const status = request === 'cancel-twice-refused' ? 500 : pick([500, 503, 403, 422])
  const [says, aspect] = pick([
    [`answered ${status}`, answered(status)],
    [`answered ${status}`, answered(status)],
    ['also changing a shipped order', changing('order')],
    ['also changing the stock of another pet', changing('stock')],
  ] as const)
  const facts = { generated: `${request} is ${says}, ${moment}`, when }
  return instances({ [id]: [asks[request], [], aspect, facts] })[0]
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
