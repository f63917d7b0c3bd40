/** The vocabulary of the rules in `suites/`: the engine, with the operations, clauses and acts of this interface filled in. */

import { isBrokenOff } from '../http/exchange.ts'
import type { ClauseId } from '../interface/clauses.ts'
import { type OperationId, operations } from '../interface/operations.ts'
import { Behind, CantTell } from '../judge/outcome.ts'
import type * as engine from '../judge/rule.ts'
import type { FastCheck, Generated, Property, Sampling, Scenario } from '../judge/scenario.ts'
import type { Needs } from '../store/needs.ts'
import type { Acts } from '../store/scenario-access.ts'

export { authorization, type Credential, noKey } from '../access/credential.ts'
export type { CallOptions } from '../access/request.ts'
export { codingsOf } from '../http/body.ts'
export { canonical, INT64_MAX, INT64_MIN, toInteger } from '../http/decimal.ts'
export { type Exchange, header, isBrokenOff, isSuccess, type RecordedResponse } from '../http/exchange.ts'
export { isJsonObject, type Json, JsonNumber, type JsonObject } from '../http/json.ts'
export { listIn } from '../http/read-json.ts'
export { RANGE_OF_CHOSEN_IDS, startOfChosenIds } from '../interface/identifiers.ts'
export * from '../judge/expect/exchanges.ts'
export * from '../judge/expect/lists.ts'
export { isRfc3339, show } from '../judge/expect/values.ts'
export { Behind, CantTell, NotApplicable, NotArranged, Stopped, Violation } from '../judge/outcome.ts'
export type { Rule } from '../judge/rule.ts'
export type { FastCheck, Property } from '../judge/scenario.ts'
export type { StoreClient, Unanswered, UpdateOptions } from '../store/client.ts'
export type { Needs } from '../store/needs.ts'
export * from './expectations.ts'

/** What a scenario acts with. */
export type StoreActs = Acts & Sampling

type RuleOf<Seen> = engine.RuleFacts<OperationId, ClauseId> & Pick<engine.Rule<Seen>, 'given' | 'expect'>

/** Checks that `expect` accepts what `given` returns. The returned rule no longer has this type. */
export const rule = <Seen>(facts: RuleOf<Seen>): engine.Rule =>
  ({
    ...facts,
    expect(seen: Seen) {
      try {
        facts.expect(seen)
      } catch (error) {
        throw behindSilence(facts.id, error)
      }
    },
  }) as unknown as engine.Rule

/** What cannot be judged without a response waits for the rule that the store sends one. */
function behindSilence(id: string, error: unknown): unknown {
  if (!(error instanceof CantTell) || error instanceof Behind) return error
  const operation = error.exchanges.find(isBrokenOff)?.operation
  const rule = operation && answeredRule(operation as OperationId)
  return rule === undefined || rule === id ? error : new Behind(rule, error.message, ...error.exchanges)
}

/** The id of the rule that every request of an operation gets a response. */
export const answeredRule = (operation: OperationId): string => `answered-${operations[operation].slug}`

export const observation = <Seen>(
  facts: engine.Observation<Seen, OperationId, ClauseId>,
): engine.Observation => facts as unknown as engine.Observation

/** @param title unique among all scenarios @param needs what the acts need of the store */
export const scenario = <Seen>(
  title: string,
  needs: Needs,
  run: (acts: StoreActs) => Promise<Seen>,
): Scenario<Seen> => ({ kind: 'scenario', title, needs, run: acts => run(acts as StoreActs) })

export const property = <Seen, Value>(
  title: string,
  needs: Needs,
  begin: (acts: StoreActs, fc: FastCheck) => Promise<Generated<Seen, Value>>,
): Property<Seen> => ({
  kind: 'property',
  title,
  needs,
  begin: (acts, fc) => begin(acts as StoreActs, fc) as Promise<Generated<Seen>>,
})
