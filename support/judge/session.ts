import fc from 'fast-check'
import type { Exchange } from '../http/exchange.ts'
import { judgeProperty } from './judge-property.ts'
import { judgeError, judgeSeen } from './judge-rule.ts'
import type { Judgement, Observed } from './judgement.ts'
import type { Randomness } from './randomness.ts'
import { afterOf, type Observation, type Rule } from './rule.ts'
import type { Given, Sampling, Scenario } from './scenario.ts'

/** Where scenarios act. The code that knows the store under test implements it. */
export interface Access {
  /** Every exchange so far, in the order in which the responses came. */
  readonly exchanges: readonly Exchange[]
  /**
   * Waits until the scenario may act, gives it its acts, and restores what they changed.
   * @returns what `perform` returns, after the restoring
   */
  enter<Result>(given: Given<unknown>, perform: (acts: object) => Promise<Result>): Promise<Result>
}

export interface SessionOptions {
  readonly rules: readonly Rule[]
  readonly randomness: Randomness
  /** Generated cases for each property, in addition to its examples. */
  readonly runs: number
}

/** Judges rules over one store. Each scenario runs once, when the first rule or observation needs it. */
export interface Session {
  judge(rule: Rule): Promise<Judgement>
  /** @returns undefined if the scenario was not completed */
  observe(observation: Observation): Promise<Observed | undefined>
  /** Resolves when no scenario acts or restores any more. */
  settled(): Promise<void>
}

/** A scenario that has ended. `seen` is absent if it was not completed, and for a property. */
interface Ran {
  readonly seen?: { readonly value: unknown }
  judge(rule: Rule): Judgement
}

/** A generated scenario makes hundreds of exchanges, and each of its rules lists them. */
const MAX_EVIDENCE = 20

/** @throws {Error} if rules wait for each other, because none of them would ever be judged */
export function openSession(access: Access, options: SessionOptions): Session {
  const { rules, randomness } = options
  const byId = new Map(rules.map(rule => [rule.id, rule]))
  expectNoCycle(rules, byId)
  const judgements = new Map<Rule, Promise<Judgement>>()
  const scenarios = new Map<Given<unknown>, Promise<Ran>>()

  /** Read before the scenario ends: the exchanges that restore are not evidence. */
  const evidenceOf = ({ title }: Given<unknown>): readonly number[] =>
    access.exchanges
      .filter(({ scenario }) => scenario === title)
      .slice(0, MAX_EVIDENCE)
      .map(({ index }) => index)

  const perform = async (given: Given<unknown>, acts: object): Promise<Ran> => {
    if (given.kind === 'property') {
      const own = rules.filter(each => each.given === given)
      const judged = await judgeProperty(own, given.title, await given.begin(acts, fc), options)
      const exchanges = evidenceOf(given)
      return { judge: rule => withEvidence(judged.get(rule) as Judgement, exchanges) }
    }
    const value = await given.run(acts)
    const exchanges = evidenceOf(given)
    return { seen: { value }, judge: rule => withEvidence(judgeSeen(rule, value), exchanges) }
  }

  /** Starts the scenario, if that has not happened yet. */
  const ran = (given: Given<unknown>): Promise<Ran> =>
    remember(scenarios, given, async () => {
      const sampling: Sampling = {
        random: randomness.integers(given.title),
        seenBy: async <Seen>(other: Scenario<Seen>) => (await ran(other)).seen?.value as Seen | undefined,
      }
      try {
        return await access.enter(given, acts => perform(given, { ...acts, ...sampling }))
      } catch (error) {
        return { judge: rule => judgeError(rule, error) }
      }
    })

  const judgeInOrder = async (rule: Rule): Promise<Judgement> => {
    // Scenarios do not wait for the rules that must hold first; only judgements do.
    const running = ran(rule.given)
    let undetermined: Judgement | undefined
    for (const id of afterOf(rule)) {
      const first = byId.get(id)
      const judgement = first && (await judge(first))
      if (!judgement || judgement.outcome === 'passed' || judgement.outcome === 'inapplicable') continue
      if (!rule.isSoundAlone || !(await isUndetermined(judgement))) return waitingFor(rule, judgement)
      undetermined ??= judgement
    }
    const own = (await running).judge(rule)
    return undetermined && own.outcome !== 'failed' ? waitingFor(rule, undetermined) : own
  }

  /** Whether no failure is the cause of this outcome. */
  const isUndetermined = async ({ outcome, behind }: Judgement): Promise<boolean> => {
    const root = behind === undefined ? undefined : byId.get(behind)
    return outcome !== 'failed' && !(root && (await judge(root)).outcome === 'failed')
  }

  const judge = (rule: Rule): Promise<Judgement> => remember(judgements, rule, () => judgeInOrder(rule))

  return {
    judge,
    async observe(observation) {
      const { id, operation, clause, title, given } = observation
      const { seen } = await ran(given)
      if (!seen) return undefined
      try {
        return { id, operation, clause, title, saw: observation.saw(seen.value) }
      } catch {
        return undefined
      }
    },
    async settled() {
      await Promise.allSettled(scenarios.values())
    },
  }
}

function expectNoCycle(rules: readonly Rule[], byId: ReadonlyMap<string, Rule>): void {
  const checked = new Set<Rule>()
  const check = (rule: Rule, path: readonly Rule[]): void => {
    const cycle = path.includes(rule) ? [...path.slice(path.indexOf(rule)), rule] : []
    if (cycle.length > 0)
      throw new Error(`Rules wait for each other: ${cycle.map(({ id }) => id).join(' → ')}`)
    if (checked.has(rule)) return
    for (const id of afterOf(rule)) {
      const first = byId.get(id)
      if (first) check(first, [...path, rule])
    }
    checked.add(rule)
  }
  for (const rule of rules) check(rule, [])
}

/** A rule that passes cites no exchange by itself, so it gets those of its scenario. */
const withEvidence = (judgement: Judgement, exchanges: readonly number[]): Judgement =>
  judgement.outcome === 'passed' ? { ...judgement, exchanges } : judgement

/** One cause is one failure: a rule whose precondition does not hold names the rule at the root of the chain. */
function waitingFor(rule: Rule, first: Judgement): Judgement {
  if (first.outcome === 'untested') {
    const { message = '', need = '' } = first
    return { rule, outcome: 'untested', message, need, exchanges: [] }
  }
  const behind = first.behind ?? first.rule.id
  const state = first.outcome === 'failed' ? 'failed' : 'could not be determined'
  const message = first.behind ? (first.message ?? '') : `${behind} must hold first, and ${state}`
  return { rule, outcome: 'cantTell', message, behind, exchanges: [] }
}

function remember<Key, Value>(
  memory: Map<Key, Promise<Value>>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const known = memory.get(key)
  if (known) return known
  const made = make()
  memory.set(key, made)
  return made
}
