import { answerChecks } from './oracle/answer.ts'
import { type ListReader, stockIn } from './oracle/lists.ts'
import { type Exchange, isViolation, type Log, type Violation } from './oracle/log.ts'

/** What a failure says. */
export interface Described {
  /** The request, as it was sent and in words. */
  readonly asked: string
  readonly expected: string
  readonly actual: string
  readonly message: string
  /** The requests in order. Of an effect, first the request that has it. */
  readonly exchanges: readonly Exchange[]
}

/**
 * What was asked, what was expected and what came, and whether it comes again alone.
 * @param violations of one rule, of which the first is described
 */
export function described(violations: readonly Violation[], log: Log, reader: ListReader): Described {
  const [violation] = violations as [Violation]
  const { exchange, aspect, problem } = violation
  const history = historyOf(violation, log)
  const all = new Set([...problem.shown, exchange, ...history])
  const exchanges = log.exchanges.filter(each => all.has(each))
  // An effect may be that of an earlier request than the one that shows it.
  const showing = exchanges.findLast(each => each.begun > exchange.begun && aspect === 'effect')
  const asked = `${requestOf(exchange)} (${[exchange.ask.title, ...formsBehind(violations, log)].join('; ')})`
  const expected = `${problem.expected}${showing ? ' afterwards' : ''}`
  const actual = `${problem.got}${showing ? ` in ${requestOf(showing)}` : ''}${originOf(violation, log, reader)}`
  const alone = repeatedAlone(violation, history, log, reader)
  return {
    asked,
    expected,
    actual,
    exchanges,
    message: `${asked}: expected ${expected}, got ${actual}${alone}`,
  }
}

const SHOWN = 60

/** A request on one line: its method, its path, and the beginning of its body. */
function requestOf({ request: { method, url, body = '' } }: Exchange): string {
  const text = /^[ -~]*$/.test(body) ? body : JSON.stringify(body)
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  return `${method} ${url.replace(/^\w+:\/\/[^/]*/, '')}${shown === '' ? '' : ` ${shown}`}`
}

/** Where a wrong stock comes from: it is as before, or another request sent it. */
function originOf(
  { exchange, about, object = '', problem }: Violation,
  { exchanges }: Log,
  reader: ListReader,
): string {
  const [first = exchange, last = exchange] = [problem.shown[0], problem.shown.at(-1)]
  if (about !== 'stock' || exchange.ask.body?.quantity === problem.got) return ''
  const before = first === last ? undefined : stockIn(reader.read(first), object)
  if (String(before) === problem.got) return ', as before'
  // An older request for another pet sent the same quantity by coincidence.
  const sender = exchanges.findLast(
    ({ ask, begun, ended }) =>
      ask.body?.quantity === problem.got && ended < last.begun && (ask.id === object || begun > first.begun),
  )
  return `${before === undefined ? '' : ` (${before} before)`}${sender ? `, which ${requestOf(sender)} sent` : ''}`
}

const kindOf = ({ ask: { operation, named, refused, body } }: Exchange): string =>
  [operation, named, refused, body?.kind].join()

/** The forms that all requests with this violation have in common, and no right request of their kinds. Else those of the first. */
function formsBehind(violations: readonly Violation[], { exchanges }: Log): readonly string[] {
  const [{ exchange, aspect, about }] = violations as [Violation]
  const own = exchange.ask.form ?? []
  const same = violations.filter(each => each.aspect === aspect && each.about === about)
  const wrong = same.map(each => each.exchange).filter(({ ask }) => ask.form)
  const kinds = new Set(wrong.map(kindOf))
  const right = exchanges.filter(
    each => each.response && each.again === undefined && kinds.has(kindOf(each)) && !wrong.includes(each),
  )
  const has = (form: string) => (each: Exchange) => each.ask.form?.includes(form)
  const common = own.filter(form => wrong.every(has(form)) && !right.some(has(form)))
  return common.length > 0 ? common : own
}

const HISTORY = 3

/** What the run sent at the same time as a wrong answer, or before it: directly, and on its connection. */
function historyOf({ exchange, aspect }: Violation, { exchanges }: Log): readonly Exchange[] {
  if (aspect === 'effect' || !['after', 'beside', 'history'].includes(exchange.context)) return []
  const others = exchanges.filter(
    each => each !== exchange && each.begun < exchange.ended && each.again === undefined,
  )
  const beside = others.filter(({ ended }) => ended > exchange.begun)
  if (beside.length > 0) return beside.slice(-HISTORY)
  const own = others.findLast(
    ({ connection }) => connection !== undefined && connection === exchange.connection,
  )
  return [...new Set([own, others.at(-1)])].flatMap(each => each ?? [])
}

/** Whether a violation in a context is there without it, and what was sent at the same time, or before it. */
function repeatedAlone(
  { exchange, aspect }: Violation,
  history: readonly Exchange[],
  { exchanges }: Log,
  reader: ListReader,
): string {
  const again = exchanges.find(each => each.again === exchange.at)
  const checks = again ? answerChecks(again, { mayBeCancelled: true, quantities: [] }, reader) : []
  if (again && (!again.response || checks.some(each => isViolation(each) && each.aspect === aspect)))
    return '. It is the same when the request is sent again alone'
  const sent = history
    .map(each => `${requestOf(each)}${each.ask.refused ? ' without a valid key' : ''}`)
    .join(', and ')
  const when = history.some(({ ended }) => ended > exchange.begun) ? 'At the same time' : 'Before it'
  return `${again ? '. Sent again alone, it is answered as expected' : ''}${sent === '' ? '' : `. ${when}, the run sent ${sent}`}`
}
