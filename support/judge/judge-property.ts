import fc from 'fast-check'
import { judgeError, judgeSeen } from './judge-rule.ts'
import type { Judgement } from './judgement.ts'
import type { Randomness } from './randomness.ts'
import type { Rule } from './rule.ts'
import type { Generated } from './scenario.ts'

/**
 * Judges every rule over the same generated values, for which it acts at the same time. Only shrinking needs further acts.
 * @param title of the property, from which its randomness follows @param runs generated cases, in addition to the examples
 */
export async function judgeProperty(
  rules: readonly Rule[],
  title: string,
  generated: Generated<unknown>,
  { randomness, runs }: { readonly randomness: Randomness; readonly runs: number },
): Promise<ReadonlyMap<Rule, Judgement>> {
  const { arbitrary, examples, share, show } = generated
  const randomType = randomness.generatorFor(title)
  const parameters = {
    seed: randomness.seedFor(title),
    ...(randomType ? { randomType } : {}),
    numRuns: examples.length + Math.ceil(runs * share),
  }
  const acted = new Map<string, { readonly value: unknown; readonly seen: Promise<unknown> }>()
  const act = (value: unknown): Promise<unknown> => {
    const known = acted.get(fc.stringify(value))
    if (known) return known.seen
    const seen = generated.act([value]).then(([only]) => only)
    acted.set(fc.stringify(value), { value, seen })
    return seen
  }

  const judgeOver = async (rule: Rule): Promise<Judgement> => {
    const judge = (value: unknown) =>
      act(value).then(
        seen => judgeSeen(rule, seen),
        error => judgeError(rule, error),
      )
    const first: Partial<Record<'open' | 'inapplicable' | 'passed', Judgement>> = {}
    let failed: Judgement | undefined
    const passes = async (value: unknown): Promise<boolean> => {
      const judgement = await judge(value)
      const { outcome } = judgement
      if (outcome === 'failed') failed = judgement
      else first[outcome === 'inapplicable' || outcome === 'passed' ? outcome : 'open'] ??= judgement
      // Only failures are shrunk.
      return outcome !== 'failed'
    }
    const details = await fc.check(fc.asyncProperty(arbitrary, passes), {
      ...parameters,
      examples: examples.map(example => [example]),
      endOnFailure: false,
    })
    // A value to which the rule does not apply says nothing, unless it applies to none.
    if (!failed)
      return first.open ?? first.passed ?? first.inapplicable ?? { rule, outcome: 'passed', exchanges: [] }
    const [smallest] = details.counterexample ?? []
    const passing: bigint[] = []
    for (const { value } of acted.values())
      if (typeof value === 'bigint' && (await judge(value)).outcome === 'passed') passing.push(value)
    const beside = neighbours(smallest as bigint, passing)
      .map(show)
      .join(' and ')
    const shown = `${show(smallest)}${beside && ` (passed: ${beside})`}`
    return {
      ...failed,
      message: `${failed.message} (smallest case: ${shown})`,
      counterexample: {
        value: shown,
        ...(randomness.seed === undefined ? {} : { runSeed: randomness.seed }),
        seed: parameters.seed,
        path: details.counterexamplePath ?? '',
        shrinks: details.numShrinks,
      },
    }
  }

  // The values that `fc.check` will generate with the same parameters.
  const sampled = fc.sample(arbitrary, { ...parameters, examples: [...examples] })
  const values = [...new Map(sampled.map(value => [fc.stringify(value), value])).values()]
  const all = await generated.act(values)
  for (const [at, value] of values.entries())
    acted.set(fc.stringify(value), { value, seen: Promise.resolve(all[at]) })
  await Promise.allSettled(values.map(act))
  const judgements = new Map<Rule, Judgement>()
  for (const rule of rules) judgements.set(rule, await judgeOver(rule))
  return judgements
}

/** Of the integers that pass, the nearest below and the nearest above one that fails. */
function neighbours(failing: bigint, passing: readonly bigint[]): bigint[] {
  const sorted = passing.toSorted((a, b) => (a < b ? -1 : 1))
  const below = sorted.findLast(value => value < failing)
  const above = sorted.find(value => value > failing)
  return [below, above].filter(value => value !== undefined)
}
