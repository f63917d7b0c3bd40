import type { Exchange } from '../../../http/exchange.ts'
import { isGating } from '../../../judge/gating.ts'
import { allRules } from '../../../judge/interface.ts'
import { countOutcomes, verdictOf } from '../../../judge/verdict.ts'
import { storeServiceUnderTest } from '../../../run/store-service.ts'
import type { Report, ReportedRule } from '../../report.ts'
import { exchangeWith } from './exchanges.ts'

const facts = allRules(storeServiceUnderTest)

interface Wanted {
  /** How many rules fail. */
  readonly failed?: number
  /** Body of the response to those. */
  readonly body?: string
  readonly untested?: number
  readonly cantTell?: number
  readonly unreachable?: string
  readonly also?: Partial<Report>
}

/** A report of all rules with the wanted outcomes: first the failures, then rules without a result. */
export function reportWith(wanted: Wanted = {}): Report {
  const { failed = 0, untested = 0, cantTell = 0, unreachable, also } = wanted
  const exchanges = Array.from({ length: failed }, (_, index) => exchangeWith(index, wanted.body))
  const rules = facts.map((rule, at): ReportedRule => {
    const { id, operation, level, clause, title, usually } = rule
    return {
      id,
      operation,
      level,
      clause,
      title,
      ...(rule.level === 'required' ? {} : { because: rule.because }),
      ...(usually ? { usually } : {}),
      exchanges: [],
      outcome: 'passed',
      ...(unreachable
        ? missing(unreachable)
        : at < failed
          ? failure(at, exchanges[at])
          : at < failed + untested
            ? missing('it needs 2 pets', 'name 2 more pets (--pets)')
            : at < failed + untested + cantTell
              ? { outcome: 'cantTell' as const, message: 'the connection was reset' }
              : {}),
    }
  })
  const judged = rules.map(({ outcome }, at) => ({ outcome, rule: facts[at] as (typeof facts)[number] }))
  return {
    format: 'store-conformance/1',
    verdict: unreachable ? 'unreachable' : verdictOf(judged, { gate: 'implied', partial: false }),
    ...(unreachable ? { reason: unreachable } : {}),
    profile: '1.0.0',
    revision: 1,
    description: storeServiceUnderTest,
    gate: 'implied',
    seed: 42,
    suite: { name: 'store-conformance', version: '0.1.0' },
    target: { baseUrl: 'https://store.example/v1' },
    startedAt: '2026-11-21T10:00:00.000Z',
    durationMs: 812,
    requests: exchanges.length,
    counts: countOutcomes(rules.filter(rule => isGating(rule, 'implied'))),
    advice: countOutcomes(rules.filter(rule => !isGating(rule, 'implied'))),
    rules,
    observations: [
      {
        id: 'conflict-body',
        operation: 'cancelOrder',
        clause: '7/409-body',
        title: 'What does the body of a 409 look like?',
        saw: wanted.body ?? 'empty',
      },
    ],
    serverErrors: [],
    latency: [],
    scenarios: [],
    warnings: [],
    exchanges,
    ...also,
  }
}

const missing = (message: string, need?: string) => ({
  outcome: 'untested' as const,
  message,
  ...(need ? { need } : {}),
})

function failure(at: number, exchange: Exchange | undefined) {
  const actual = at % 3 === 0 ? '204' : (exchange?.response?.body ?? '').slice(0, 300)
  return {
    outcome: 'failed' as const,
    message: `expected 409, got ${actual}`,
    expected: '409',
    actual,
    exchanges: [at],
    ...(at % 5 === 4
      ? { counterexample: { value: '[cancel 3, list]', seed: 7, path: '12:0:3', shrinks: 4 } }
      : {}),
  }
}
