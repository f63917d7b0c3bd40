import { type Check, isSuccess, type Violation } from './oracle/log.ts'
import { isRefused } from './rule.ts'

/**
 * Violations that are the same one, seen from both sides: by an answer, and by what lists and later answers show. An answer that is
 * wrong wherever it can be, such as to every cancellation, is the cause of what follows from it.
 * @returns `behindAnswer`: the effects of which an answer is the cause, with it; `behindEffect`: the reverse
 */
export function overlapOf(
  answers: readonly Violation[],
  effects: readonly Violation[],
  checks: readonly Check[],
) {
  const behindAnswer = new Map<Violation, Violation>()
  const behindEffect = new Map<Violation, Violation>()
  const plain = answers.filter(({ aspect, exchange }) => aspect === 'status' && exchange.context === 'plain')
  const naming = (named: string) =>
    plain.find(({ exchange: { ask } }) => ask.named === named && !isRefused(ask))
  const isCancellable = checks.some(
    ({ exchange }) => exchange.ask.named === 'pending order' && isSuccess(exchange),
  )
  const [refused, again] = [isCancellable ? undefined : naming('pending order'), naming('cancelled order')]
  for (const effect of effects) {
    const { about, object, exchange } = effect
    const { suspects = [], shown, got } = effect.problem
    const usual = about === 'pending' ? refused : ['once', 'itself'].includes(about) ? again : undefined
    if (usual) behindAnswer.set(effect, usual)
    for (const answer of answers) {
      // What a list shows of an order or a pet has nothing to do with what else is wrong in it.
      const isSame = answer.exchange === exchange && !exchange.ask.operation.startsWith('list')
      // An order that is not pending any more: requests before may have changed it, if others can be cancelled.
      if (isSame && isCancellable && suspects.length > 0) behindEffect.set(answer, effect)
      else if (isSame) behindAnswer.set(effect, answer)
      const isWrongStock =
        about === 'stock' &&
        answer.about === 'quantity' &&
        answer.problem.got === got &&
        suspects.includes(answer.exchange)
      // What a list does not show any more is answered like what does not exist.
      const isLost =
        about.endsWith(' listed') && answer.exchange.ask.id === object && answer.problem.got === '404'
      const isLater = answer.exchange !== exchange && answer.exchange.ended > (shown[0]?.begun ?? 0)
      if (isWrongStock || (isLost && isLater)) behindEffect.set(answer, effect)
    }
  }
  return { behindAnswer, behindEffect }
}
