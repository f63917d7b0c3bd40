import { answerChecks } from './oracle/answer.ts'
import type { ListReader } from './oracle/lists.ts'
import { type Exchange, isViolation, type Log, type Violation } from './oracle/log.ts'

/** What a failure says. */
interface Described {
  /** The request, in words. */
  readonly asked: string
  readonly message: string
  /** The requests in order. Of an effect, first the request that has it. */
  readonly exchanges: readonly Exchange[]
}

/** What was asked, what was expected and what came, and whether it comes again alone. @param violations of one rule, the first of them is described */
export function described(violations: readonly Violation[], log: Log, reader: ListReader): Described {
  const [violation] = violations as [Violation]
  const { exchange, problem } = violation
  const forms = formsBehind(violations, log)
  const asked = `${exchange.ask.title}${forms.length > 0 ? ` (${forms.join('; ')})` : ''}`
  const shown = new Set([...problem.shown, exchange])
  return {
    asked,
    message: `${asked}: expected ${problem.expected}, got ${problem.got}${repeatedAlone(violation, log, reader)}`,
    exchanges: log.exchanges.filter(each => shown.has(each)),
  }
}

const kindOf = ({ ask: { operation, named, refused, body } }: Exchange): string =>
  [operation, named, refused, body?.kind].join()

/** The forms that all requests with this violation have in common, and none of the other requests of their kinds. Else those of the first. */
function formsBehind(violations: readonly Violation[], { exchanges }: Log): readonly string[] {
  const [first] = violations as [Violation]
  const own = first.exchange.ask.form ?? []
  const same = violations.filter(({ aspect, about }) => aspect === first.aspect && about === first.about)
  const wrong = new Set(same.map(({ exchange }) => exchange).filter(({ ask }) => ask.form))
  const kinds = new Set([...wrong].map(kindOf))
  const right = exchanges.filter(
    each => each.ask.form && each.again === undefined && kinds.has(kindOf(each)) && !wrong.has(each),
  )
  const common = own.filter(
    form =>
      [...wrong].every(({ ask }) => ask.form?.includes(form)) &&
      !right.some(({ ask }) => ask.form?.includes(form)),
  )
  return common.length > 0 ? common : own
}

const HISTORY = 3

/** Whether a violation in a context is there without it, and what came before it on its connection, or beside it. */
function repeatedAlone({ exchange, aspect }: Violation, { exchanges }: Log, reader: ListReader): string {
  const again = exchanges.find(each => each.again === exchange.at)
  if (!again) return ''
  const checks = answerChecks(again, { mayBeCancelled: true, quantities: [] }, reader)
  if (!again.response || checks.some(each => isViolation(each) && each.aspect === aspect))
    return '. It is the same when the request is sent again alone'
  const before = exchanges.filter(
    each =>
      each.begun < exchange.ended &&
      each !== exchange &&
      (exchange.connection === undefined || each.connection === exchange.connection),
  )
  const titles = before.slice(-HISTORY).map(({ ask }) => ask.title)
  return `. Sent again alone, it is answered as expected; before it came ${titles.join(', then ')}`
}
