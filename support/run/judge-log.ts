import { findingsOf } from '../../suites/cause.ts'
import { rules } from '../../suites/index.ts'
import { answersIn, judgeLog } from '../../suites/oracle/judge.ts'
import { ListReader, stockIn } from '../../suites/oracle/lists.ts'
import type { Check, Exchange, Log } from '../../suites/oracle/log.ts'
import { judgementsOf } from '../../suites/outcome.ts'
import { type CellOutcome, cellsOf, keyOf } from '../../suites/rule.ts'
import { cellKey, type RuleFacts } from '../interface/description.ts'
import { isNew } from '../interface/verdict.ts'
import type { Judgement } from '../report/compose.ts'
import { type ExpectedFailures, excuseFor } from '../settings/expected-failures.ts'
import type { Selection } from '../settings/selection.ts'

const cells = cellsOf(rules)

/**
 * What a report says of a log: what the run of the command, a certificate and a test do alike.
 * @param today the day of the run in UTC: `2026-12-31`
 * @param reader has read the lists already
 */
export function judgedLog(
  log: Log,
  { profile, partial, ...selected }: Selection,
  today: string,
  expected?: ExpectedFailures,
  reader = new ListReader(),
) {
  const { stopped, unreachable, exchanges } = log
  const outcomes = unreachable ? [] : judgementsOf(findingsOf(judgeLog(log, reader), cells), log, reader)
  const byCell = new Map(outcomes.map(each => [keyOf(each.cell), each]))
  return {
    ...{ profile, partial, stopped, expected, requests: exchanges.length },
    judgements: selected.rules.map((rule): Judgement => {
      const judged = judgementOf(rule, log, byCell.get(cellKey(rule)))
      const newSince = isNew(rule, profile) ? profile.name : undefined
      return { ...judged, expectedFailure: excuseFor(judged, expected, today), newSince }
    }),
    observations: selected.observations.flatMap(({ saw: see, ...question }) => {
      const saw = unreachable ? undefined : see(log, reader)
      return saw === undefined ? [] : [{ ...question, saw }]
    }),
    unreachable: unreachable && `${unreachable.cause}. ${unreachable.advice}`,
  }
}

function judgementOf(rule: RuleFacts, { stopped, unreachable }: Log, judged?: CellOutcome): Judgement {
  const untested = { rule, outcome: 'untested', exchanges: [] } as const
  if (unreachable) {
    const need = unreachable.advice.replace(/^[A-Z]/, first => first.toLowerCase())
    return { ...untested, message: unreachable.cause, need }
  }
  if (!judged) throw new Error(`no outcome of ${cellKey(rule)}`)
  const { behind, exchanges, more, cell: _cell, ...plain } = judged
  if (stopped !== undefined && (plain.outcome === 'untested' || plain.outcome === 'inapplicable'))
    return { ...untested, message: stopped }
  return {
    rule,
    ...plain,
    behind: behind && { id: behind.rule.id, operation: behind.operation },
    exchanges: exchanges.map(({ at }) => at),
    more: more > 0 ? more : undefined,
  }
}

/** Named pets whose stock, in the last list, is one that this run has sent, and not that of the first list. */
export function leftChanged({ exchanges, fixtures }: Log, reader = new ListReader()): readonly string[] {
  const lists = exchanges.flatMap(each =>
    each.ask.operation === 'listInventory' && !each.ask.refused ? (reader.read(each) ?? []) : [],
  )
  const pets = fixtures.filter(({ resource, origin }) => resource === 'pet' && origin === 'named')
  return pets.flatMap(({ id }) => {
    const [first, last] = [lists[0], lists.at(-1)].map(list => String(stockIn(list, id)))
    const isSent = exchanges.some(({ ask }) => ask.id === id && ask.body?.quantity === last)
    return isSent && first !== last ? [id] : []
  })
}

/** At most so many suspects are sent again: a store that is known to be wrong gets a few more requests, not hundreds. */
const MOST_SUSPECTS = 8

/** Answers in a context that are not as documented. A pending order would have to be another one. */
const isSuspect = ({ aspect, exchange: { context, ask } }: Check): boolean =>
  aspect !== 'effect' && aspect !== 'advice' && context !== 'plain' && ask.named !== 'pending order'

/** The first such answer of each rule, to be sent again alone. */
export function suspectsIn(log: Log, reader: ListReader): readonly Exchange[] {
  const answers = answersIn(log, reader)
  if (!answers.some(each => each.problem && isSuspect(each))) return []
  return findingsOf(answers, cells)
    .flatMap(({ violations }) => violations.slice(0, 1).filter(isSuspect))
    .map(({ exchange }) => exchange)
    .slice(0, MOST_SUSPECTS)
}
