import {
  type Answer,
  type Context,
  type Decisions,
  type Fault,
  type Found,
  type Override,
  withStatus,
} from '../../../support/reference/authoring.ts'
import { OUT_OF_REACH_LATER, simultaneously } from '../../fault-timing.ts'
import { cancelUnknown, type Step, steps, updateUnknown } from './steps.ts'

/** The step that a request was, by its response. */
function stepOf({ operation, found }: Context, { status }: Answer): Step | undefined {
  const answers = steps.filter(step => step.operation === operation)
  if (status !== 409) return answers.find(({ answer }) => answer === String(status))
  const target = found.order?.state === 'shipped' ? 'shipped' : 'cancelled'
  return answers.find(step => step.target === target)
}

/** When a fault shows. It sees each request with its right response. */
export type When = (base: Decisions) => {
  readonly override?: ReturnType<Override>
  readonly isMet: (step: Step, ctx: Context) => boolean
}

/** After this step: as the next request on its connection, or as the next one of all. */
export const after =
  (earlier: Step, scope: 'connection' | 'store'): When =>
  () => {
    const last = new WeakMap<object, Step>()
    const store = {}
    return {
      isMet: (step, { connection }) => {
        const key = scope === 'store' ? store : connection
        const isMet = last.get(key) === earlier
        last.set(key, step)
        return isMet
      },
    }
  }

/** While requests of another kind are answered, on connections that were opened for simultaneous requests. */
export const beside = (): When => base => {
  const { override, isAtOnce } = simultaneously(base)
  const running = new Set<Context>()
  const crossed = new WeakSet<Context>()
  return {
    override: {
      ...override,
      operate: async ctx => {
        running.add(ctx)
        const others = [...running].filter(each => each.operation !== ctx.operation)
        for (const each of others.length > 0 ? [...others, ctx] : []) crossed.add(each)
        try {
          return await (override.operate ?? base.operate)(ctx)
        } finally {
          running.delete(ctx)
        }
      },
    },
    isMet: (_step, ctx) => isAtOnce(ctx) && crossed.has(ctx),
  }
}

/** If the request has a header with this value. */
export const withHeader =
  (name: string, value: RegExp): When =>
  () => ({ isMet: (_step, { headers }) => value.test(headers.get(name) ?? '') })

/** Of the orders with chosen ids, the one that is arranged and cancelled last. */
const LAST_CHOSEN = 2n ** 31n

/** Late in the run, when the orders with chosen ids are cancelled. */
export const late = (): When => base => {
  let isLate = false
  return {
    override: {
      operate: ctx => {
        isLate ||= ctx.domain.orders.get(LAST_CHOSEN)?.state === 'cancelled'
        return base.operate(ctx)
      },
    },
    isMet: () => isLate,
  }
}

/** The step is answered with another status. Its effect is the right one. */
export const answeredWith =
  (status: number, victim: Step, when: When): Override =>
  base => {
    const { override, isMet } = when(base)
    return {
      ...override,
      finish: async (answer, ctx) => {
        const finished = await base.finish(answer, ctx)
        const step = stepOf(ctx, finished)
        return step && isMet(step, ctx) && step === victim ? withStatus(finished, status) : finished
      },
    }
  }

/** The step also changes what another request named before. */
export const changing =
  (what: 'order' | 'stock', culprit: Step, when: When): Override =>
  base => {
    const { override, isMet } = when(base)
    // More than the units that cancellations may have returned.
    const more = 1000n
    let named: Found = {}
    return {
      ...override,
      finish: async (answer, ctx) => {
        const finished = await base.finish(answer, ctx)
        const step = stepOf(ctx, finished)
        if (step?.target === 'shipped' || step?.target === 'pet') named = { ...named, ...ctx.found }
        if (!step || !isMet(step, ctx) || step !== culprit) return finished
        if (what === 'stock' && named.entry) named.entry.quantity += more
        if (what === 'order' && named.order) named.order.quantity += more
        return finished
      },
    }
  }

const withoutKey = steps.find(({ rule }) => rule === 'auth-no-header-list-orders') as Step

/** When a fault of a context shows, so that exactly the rule about this context fails. */
const contexts: readonly (readonly [name: string, title: string, when: (step: Step) => When])[] = [
  [
    'after-anything',
    'Right after another request on its connection',
    ({ answer }) => after(answer === '401' ? updateUnknown : withoutKey, 'connection'),
  ],
  ['beside-anything', 'Beside other simultaneous requests', beside],
  ['any-request', 'With an Accept-Language', () => withHeader('accept-language', /^de/)],
  ['at-the-end', 'Late in the run', late],
]

const isList = ({ target, answer }: Step): boolean => target === 'nothing' && answer === '200'

const reach = (context: string, step: Step): Pick<Fault, 'outOfReachWhenNamed'> =>
  context === 'at-the-end'
    ? OUT_OF_REACH_LATER
    : step.target === 'pending' && step.answer === '204'
      ? { outOfReachWhenNamed: 'named orders are too few' }
      : {}

/** The rules of contexts that have another name than in the ids of faults. */
const CELLS: Readonly<Record<string, string>> = { 'any-request': 'any-form' }

/** A fault for each rule about the context of an answer. */
export const faults: readonly Fault[] = contexts.flatMap(([context, title, when]): Fault[] => [
  ...steps
    .filter(step => context !== 'at-the-end' || !isList(step))
    .map((step): Fault => {
      const id = `${context}-500-${step.rule}`
      return {
        id,
        title: `${title}, the request to ${step.title} is answered 500`,
        breaks: [`${CELLS[context] ?? context}/${step.operation}`],
        ...reach(context, step),
        override: answeredWith(500, step, when(step)),
      }
    }),
  ...(['order', 'stock'] as const).map((what): Fault => {
    const step = what === 'order' ? cancelUnknown : updateUnknown
    return {
      id: `${context}-changes-${what}`,
      title: `${title}, the request to ${step.title} also changes ${what === 'order' ? 'a shipped order' : 'the stock of another pet'}`,
      // Late in the run, the lists get long as well.
      breaks: [CELLS[context] ?? context, ...(context === 'at-the-end' ? ['any-size'] : [])],
      ...reach(context, step),
      override: changing(what, step, when(step)),
    }
  }),
])
