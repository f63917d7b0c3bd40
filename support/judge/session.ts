import fc from 'fast-check'
import type { Target } from '../access/target.ts'
import { judgeProperty } from './judge-property.ts'
import { judgeError, judgeSeen } from './judge-rule.ts'
import type { Judgement, Observed } from './outcome.ts'
import { afterOf, type Observation, type Rule } from './rule.ts'
import type { Acts, Given, Property, Scenario } from './scenario.ts'
import { turns } from './turns.ts'

export interface SessionOptions {
  readonly rules: readonly Rule[]
  readonly seed: number
  /** Generated cases for each property, beside its examples. */
  readonly runs: number
}

/** Judges rules over one target. Each scenario runs once, when the first rule asks for it, and is remembered. */
export interface Session {
  judge(rule: Rule): Promise<Judgement>
  /** Undefined where the scenario did not get so far. */
  observe(observation: Observation): Promise<Observed | undefined>
  /** What each scenario saw, by its title: plain data, from which every judgement can be made again. */
  readonly seen: ReadonlyMap<string, unknown>
  /** Resolves when no scenario is acting, or putting back, any more. */
  settled(): Promise<void>
}

/** `exchanges` are the first that the scenario made: what a rule that holds could look at. */
type Ran = { readonly seen: unknown; readonly exchanges: readonly number[] } | { readonly error: unknown }

/** A generated scenario makes hundreds of exchanges, and each of its rules lists them. */
const LISTED = 20

export function openSession(target: Target, options: SessionOptions): Session {
  const byId = new Map(options.rules.map(rule => [rule.id, rule]))
  const judgements = new Map<Rule, Promise<Judgement>>()
  const ran = new Map<Given<unknown>, Promise<Ran>>()
  const properties = new Map<Given<unknown>, Promise<ReadonlyMap<Rule, Judgement>>>()
  const seen = new Map<string, unknown>()

  const inTurn = turns()

  const onStage = <Result>(
    given: Given<unknown>,
    perform: (acts: Acts) => Promise<Result>,
  ): Promise<Result> => inTurn.run(given.needs, () => enter(given, perform))

  const enter = async <Result>(
    given: Given<unknown>,
    perform: (acts: Acts) => Promise<Result>,
  ): Promise<Result> => {
    const stage = target.stage(given.title)
    try {
      return await perform({
        store: stage.store,
        states: stage.states,
        sample: (arbitrary, numRuns) =>
          fc.sample(arbitrary, { seed: seedFor(options.seed, given.title), numRuns }),
        simultaneous: () => stage.concurrency,
      })
    } finally {
      await stage.end()
    }
  }

  const run = async (given: Scenario<unknown>): Promise<Ran> => {
    if (given.needs.crowd) await allBut(given)
    try {
      const ran = await onStage(given, async acts => ({
        seen: await given.run(acts),
        exchanges: made(given),
      }))
      seen.set(given.title, ran.seen)
      return ran
    } catch (error) {
      return { error }
    }
  }

  /** Asked before the scenario ends: what is put back then shows nothing. */
  const made = ({ title }: Given<unknown>): readonly number[] => {
    const indexes: number[] = []
    for (const { scenario, index } of target.exchanges) {
      if (scenario === title) indexes.push(index)
      if (indexes.length === LISTED) break
    }
    return indexes
  }

  /** Every scenario that was asked for by now has ended. */
  const allBut = async (given: Given<unknown>): Promise<void> => {
    await new Promise(resolve => setImmediate(resolve))
    const others = [...ran, ...properties].filter(([each]) => each !== given && !each.needs.crowd)
    await Promise.allSettled(others.map(([, running]) => running))
  }

  const check = async (given: Property<unknown>): Promise<ReadonlyMap<Rule, Judgement>> => {
    const rules = options.rules.filter(each => each.given === given)
    try {
      return await onStage(given, async acts => {
        const seed = seedFor(options.seed, given.title)
        const judged = await judgeProperty(rules, await given.begin(acts), seed, options)
        const exchanges = made(given)
        return new Map([...judged].map(([rule, judgement]) => [rule, shown(judgement, exchanges)]))
      })
    } catch (error) {
      return new Map(rules.map(each => [each, judgeError(each, error)]))
    }
  }

  const look = async (rule: Rule): Promise<Judgement> => {
    const { given } = rule
    // Starts at once: scenarios do not wait for what the rules over them wait for.
    const acting = given.kind === 'property' ? undefined : remember(ran, given, () => run(given))
    const checking = given.kind === 'property' ? remember(properties, given, () => check(given)) : undefined
    for (const id of afterOf(rule)) {
      const first = byId.get(id)
      const held = first && (await judge(first))
      if (held && held.outcome !== 'passed' && held.outcome !== 'inapplicable') return behind(rule, held)
    }
    if (checking) return (await checking).get(rule) as Judgement
    const result = (await acting) as Ran
    return 'seen' in result
      ? shown(judgeSeen(rule, result.seen), result.exchanges)
      : judgeError(rule, result.error)
  }

  const judge = (rule: Rule): Promise<Judgement> => remember(judgements, rule, () => look(rule))

  return {
    judge,
    async observe(observation) {
      const { id, operation, clause, title, given } = observation
      const result = await remember(ran, given, () => run(given))
      if (!('seen' in result)) return undefined
      try {
        return { id, operation, clause, title, saw: observation.saw(result.seen) }
      } catch {
        return undefined
      }
    },
    seen,
    async settled() {
      await Promise.allSettled([...ran.values(), ...properties.values()])
    },
  }
}

/** A rule that holds cites nothing by itself: all that its scenario did speaks for it. */
const shown = (judgement: Judgement, exchanges: readonly number[]): Judgement =>
  judgement.outcome === 'passed' ? { ...judgement, exchanges } : judgement

/** What failed first is reported once; what depends on it is open, or untested for the same want. The root is named, not the link before. */
function behind(rule: Rule, first: Judgement): Judgement {
  if (first.outcome === 'untested') {
    const { message = '', need = '' } = first
    return { rule, outcome: 'untested', message, need, exchanges: [] }
  }
  const root = first.behind ?? first.rule.id
  const how = first.outcome === 'failed' ? 'failed' : 'could not be told'
  const message = first.behind ? (first.message ?? '') : `${root} must hold first, and ${how}`
  return { rule, outcome: 'cantTell', message, behind: root, exchanges: [] }
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

/** Each scenario has its own stream of values, so that adding one leaves the others as they were. FNV-1a. */
function seedFor(seed: number, title: string): number {
  let hash = 0x811c9dc5 ^ seed
  for (let at = 0; at < title.length; at += 1) hash = Math.imul(hash ^ title.charCodeAt(at), 0x01000193)
  return hash | 0
}
