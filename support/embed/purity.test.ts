import { expect, it } from 'vitest'
import { suites } from '../../suites/index.ts'
import { inProcess } from '../http/in-process.ts'
import { judgeSeen } from '../judge/judge-rule.ts'
import type { Judgement } from '../judge/judgement.ts'
import { randomness } from '../judge/randomness.ts'
import type { Rule } from '../judge/rule.ts'
import { openSession } from '../judge/session.ts'
import { referenceStore } from '../reference/index.ts'
import { openStore } from '../store/target.ts'

const verdict = ({ outcome, message, expected, actual, exchanges }: Judgement) => ({
  outcome,
  message,
  expected,
  actual,
  exchanges,
})

/** Judges a whole run. Each rule judges its input a second time after a round trip through JSON. */
async function judgedTwice() {
  const store = referenceStore({ revokedKeys: ['Old-Key'] })
  const judgedRules: string[] = []
  const differing: unknown[] = []
  const roundTrips = new Map<unknown, unknown>()
  const recorded = (seen: unknown) => {
    if (!roundTrips.has(seen)) roundTrips.set(seen, JSON.parse(JSON.stringify(seen)))
    return roundTrips.get(seen)
  }
  const watched = suites
    .flatMap(suite => suite.rules)
    .map((rule): Rule => {
      const expect = (seen: unknown) => {
        const live = verdict(judgeSeen(rule, seen))
        const replayed = verdict(judgeSeen(rule, recorded(seen)))
        judgedRules.push(rule.id)
        if (JSON.stringify(live) !== JSON.stringify(replayed)) differing.push({ id: rule.id, live, replayed })
        rule.expect(seen)
      }
      return { ...rule, expect }
    })
  const target = await openStore(
    {
      baseUrl: 'http://store.test/v1',
      apiKey: store.apiKey,
      revokedApiKey: 'Old-Key',
      states: store.states,
      transport: inProcess(
        (request, connection) => store.answer(request, { connection }),
        'http://store.test',
      ),
      readOnly: false,
      timeoutMs: 5_000,
      statesTimeoutMs: 5_000,
      concurrency: 8,
    },
    [...new Set(watched.map(({ given }) => given))],
  )
  await target.check()
  const session = openSession(target, { rules: watched, randomness: randomness(1), runs: 3 })
  const judgements = await Promise.all(watched.map(session.judge))
  await session.settled()
  await target.close()
  return { watched, judgements, judgedRules: new Set(judgedRules), differing, seen: session.seen }
}

it('every rule judges a recorded input the same as the live one', async () => {
  const { watched, judgements, judgedRules, differing, seen } = await judgedTwice()
  expect(differing).toEqual([])
  expect(watched.filter(({ id }) => !judgedRules.has(id)).map(({ id }) => id)).toEqual([])
  // It applies only to pets that are named.
  expect(judgements.filter(({ outcome }) => outcome !== 'passed').map(({ rule }) => rule.id)).toEqual([
    'update-restores',
  ])
  for (const [title, each] of seen) expect([title, JSON.stringify(each)]).not.toContain(undefined)
})
