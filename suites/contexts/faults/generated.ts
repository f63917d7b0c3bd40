import type { Fault } from '../../../support/reference/authoring.ts'
import { after, answeredWith, beside, changing, late, type When, withHeader } from './contexts.ts'
import { type Step, steps } from './steps.ts'

/** A condition of a fault, and how a title names it. */
type Condition = readonly [title: string, when: When, isPossible?: (step: Step) => boolean]

/** Each combination of a condition, an answer and a wrong effect is a fault that nobody listed. */
const conditions: readonly ((pick: Pick) => Condition)[] = [
  pick => {
    const earlier = pick(steps)
    const scope = pick(['connection', 'store'] as const)
    const where = scope === 'connection' ? 'on its connection' : 'of the store'
    return [`right after the request to ${earlier.title}, the last one ${where}`, after(earlier, scope)]
  },
  () => ['beside other simultaneous requests', beside()],
  pick => {
    const [name, value] = pick(HEADERS)
    return [`with ${name} ${value}`, withHeader(name, value)]
  },
  () => ['late in the run', late()],
  pick => {
    const nth = pick([2, 3, 5])
    return [`every ${nth} times`, every(nth)]
  },
  pick => {
    const digit = pick(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    return [
      `if the last digit of its path is ${digit}`,
      endingIn(digit),
      ({ target }) => target !== 'nothing',
    ]
  },
]

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

const every =
  (nth: number): When =>
  () => {
    const counts = new Map<Step, number>()
    return {
      isMet: step => {
        const count = (counts.get(step) ?? 0) + 1
        counts.set(step, count)
        return count % nth === 0
      },
    }
  }

const endingIn =
  (digit: string): When =>
  () => ({ isMet: (_step, { segment }) => segment?.endsWith(digit) ?? false })

type Pick = <Item>(items: readonly Item[]) => Item

/** The fault with this id: `generated-7-0` is the first one of seed 7. */
export function generatedFault(id: string): Fault | undefined {
  if (!/^generated-[0-9]+-[0-9]+$/.test(id)) return undefined
  const pick = picker(id)
  const [where, when, isPossible = () => true] = pick(conditions)(pick)
  const step = pick(steps.filter(isPossible))
  const effect = pick(['answer', 'answer', 'order', 'stock'] as const)
  // Which status refuses a cancelled order is open.
  const status = step.answer === 'refused' ? 500 : pick([500, 503, 403, 422])
  const what = effect === 'answer' ? `is answered ${status}` : `also changes another ${effect}`
  return {
    id,
    title: `The request to ${step.title} ${what}, ${where}`,
    breaks: [],
    breaksAny: true,
    override: effect === 'answer' ? answeredWith(status, step, when) : changing(effect, step, when),
  }
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
