import type { Exchange, RecordedResponse } from '../../http/exchange.ts'
import type { Rule, RuleFacts } from '../rule.ts'
import type { Given, Scenario } from '../scenario.ts'

/** An exchange with this response, or with none. */
export function exchangeOf(response: Partial<RecordedResponse> | undefined, index = 0): Exchange {
  return {
    index,
    scenario: 'a scenario',
    step: '',
    operation: 'listOrders',
    request: { method: 'GET', url: 'https://store.test/v1/store/orders', headers: [], curl: 'curl …' },
    ...(response
      ? {
          response: { status: 200, headers: [['Content-Type', 'application/json']], body: '[]', ...response },
        }
      : { problem: { kind: 'dropped', message: 'the connection ended' } }),
    connection: 'pool',
    startedAt: 0,
    durationMs: 1,
    waitedMs: 1,
  }
}

export const answer = (body: string, status = 200): Exchange => exchangeOf({ body, status })
export const silence = (): Exchange => exchangeOf(undefined)

/** A rule over `given` that passes, unless `expect` throws. */
export const ruleOver = <Seen>(
  id: string,
  given: Given<Seen>,
  expect: (seen: Seen) => void = () => undefined,
  facts: Partial<RuleFacts> = {},
): Rule =>
  ({
    id,
    level: 'required',
    clause: '4.1/200',
    operation: 'listOrders',
    title: `${id} holds`,
    given,
    expect,
    ...facts,
  }) as unknown as Rule

export const seeing = <Seen>(title: string, run: () => Promise<Seen>): Scenario<Seen> => ({
  kind: 'scenario',
  title,
  needs: {},
  run,
})
