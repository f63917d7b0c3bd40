import type { Stage, Target } from '../../access/target.ts'
import type { Exchange, RecordedResponse } from '../../http/exchange.ts'
import { type Rule, type RuleFacts, rule } from '../rule.ts'
import { type Given, scenario } from '../scenario.ts'

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

/** A target whose stages do nothing but count. */
export function idleTarget(): Target & { readonly staged: string[]; readonly ended: string[] } {
  const staged: string[] = []
  const ended: string[] = []
  const target = {
    staged,
    ended,
    exchanges: [],
    stage(title: string): Stage {
      staged.push(title)
      return {
        store: {} as Stage['store'],
        states: {} as Stage['states'],
        concurrency: 4,
        async end() {
          ended.push(title)
        },
      }
    },
  }
  return target as unknown as ReturnType<typeof idleTarget>
}

/** A rule over `given` that holds, unless `expect` throws. */
export const ruleOver = <Seen>(
  id: string,
  given: Given<Seen>,
  expect: (seen: Seen) => void = () => undefined,
  facts: Partial<RuleFacts> = {},
): Rule =>
  rule<Seen>({
    id,
    level: 'required',
    clause: '4.1/200',
    operation: 'listOrders',
    title: `${id} holds`,
    given,
    expect,
    ...facts,
  } as Rule<Seen>)

export const seeing = <Seen>(title: string, run: () => Promise<Seen>) => scenario(title, {}, run)
