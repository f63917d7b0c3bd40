import type { Check, Violation } from './oracle/log.ts'
import { isSuccess } from './oracle/timeline.ts'
import { isRefused } from './rule.ts'

/** Violations that are the same one, seen from both sides: by an answer, and by what lists and later answers show. */
export interface Overlap {
  /** Where the answer is the cause, by the effect. */
  readonly answerOf: Map<Violation, Violation>
  /** Where the effect is, by the answer. */
  readonly effectOf: ReadonlyMap<Violation, Violation>
}

/** An answer that is wrong wherever it can be, such as to every cancellation, is the cause of what follows from it. */
export function overlapOf(
  answers: readonly Violation[],
  effects: readonly Violation[],
  checks: readonly Check[],
): Overlap {
  const answerOf = new Map<Violation, Violation>()
  const effectOf = new Map<Violation, Violation>()
  const plain = answers.filter(({ aspect, exchange }) => aspect === 'status' && exchange.context === 'plain')
  const naming = (named: string) =>
    plain.find(({ exchange: { ask } }) => ask.named === named && !isRefused(ask))
  const isCancellable = checks.some(
    ({ exchange }) => exchange.ask.named === 'pending order' && isSuccess(exchange),
  )
  const [refused, again] = [isCancellable ? undefined : naming('pending order'), naming('cancelled order')]
  for (const effect of effects) {
    const { about, object, exchange, problem } = effect
    const { suspects = [], shown } = problem
    const isOfPets = about === 'stock' || about === 'pet listed'
    const usual = about === 'pending' ? refused : ['once', 'itself'].includes(about) ? again : undefined
    if (usual) answerOf.set(effect, usual)
    for (const answer of answers.filter(({ aspect }) => aspect !== 'advice')) {
      // An order that is not pending any more: requests before may have changed it, if others can be cancelled.
      if (answer.exchange === exchange && isCancellable && suspects.length > 0) effectOf.set(answer, effect)
      else if (answer.exchange === exchange) answerOf.set(effect, answer)
      const isEntry = isOfPets && answer.aspect === 'fields' && answer.about === 'quantity'
      const isLost =
        about.endsWith(' listed') && answer.exchange.ask.id === object && answer.problem.got === '404'
      const isLater = answer.exchange.ended > (shown[0]?.begun ?? 0)
      if (isEntry && answer.problem.got === problem.got && suspects.includes(answer.exchange))
        effectOf.set(answer, effect)
      else if (isLost && isLater && answer.exchange !== exchange) effectOf.set(answer, effect)
    }
  }
  return { answerOf, effectOf }
}
