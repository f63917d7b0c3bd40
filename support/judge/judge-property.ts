import fc from 'fast-check'
import { judgeError, judgeSeen } from './judge-rule.ts'
import type { Judgement } from './judgement.ts'
import type { Randomness } from './randomness.ts'
import type { Rule } from './rule.ts'
import type { Generated } from './scenario.ts'

/** Judges every rule over the same generated values, for which it acts at the same time. Only shrinking needs further acts. */
export async function judgeProperty(
  rules: readonly Rule[],
  generated: Generated<unknown>,
  { seed, generator, runSeed, runs }: Repeatable,
): Promise<ReadonlyMap<Rule, Judgement>> {
  const acted = new Map<string, Acted>()
  const act = (value: unknown): Promise<unknown> => {
    const known = acted.get(fc.stringify(value))
    if (known) return known.seen
    const seen = Promise.resolve().then(() => generated.act(value))
    acted.set(fc.stringify(value), { value, seen })
    return seen
  }
  const parameters = parametersOf(generated, { seed, generator, runs })
  const values = valuesOf(generated, parameters)
  if (generated.actAll && values.length > 0) {
    const all = await generated.actAll(values)
    for (const [at, value] of values.entries())
      acted.set(fc.stringify(value), { value, seen: Promise.resolve(all[at]) })
  }
  await Promise.allSettled(values.map(act))

  const judgements = new Map<Rule, Judgement>()
  for (const rule of rules) {
    const judge = (value: unknown) =>
      act(value).then(
        seen => judgeSeen(rule, seen),
        error => judgeError(rule, error),
      )
    judgements.set(rule, await judgeOver(rule, generated, { judge, parameters, acted, runSeed }))
  }
  return judgements
}

/** What the generated values follow from. */
interface Repeatable {
  readonly seed: number
  readonly generator?: ReturnType<Randomness['generatorFor']>
  /** The seed of the run, from which `seed` is derived. Undefined if a challenge takes its place. */
  readonly runSeed: number | undefined
  readonly runs: number
}

interface Acted {
  readonly value: unknown
  readonly seen: Promise<unknown>
}

type Parameters = ReturnType<typeof parametersOf>

const parametersOf = (
  { examples = [], share = 1 }: Generated<unknown>,
  { seed, generator, runs }: Omit<Repeatable, 'runSeed'>,
) => ({
  seed,
  ...(generator ? { randomType: generator } : {}),
  numRuns: examples.length + Math.ceil(runs * share),
  examples,
})

/** The values that `fc.check` will generate with the same parameters, each once. A generator that throws gives none. */
function valuesOf({ arbitrary }: Generated<unknown>, { examples, ...parameters }: Parameters): unknown[] {
  try {
    const values = fc.sample(arbitrary, { ...parameters, examples: [...examples] })
    return [...new Map(values.map(value => [fc.stringify(value), value])).values()]
  } catch {
    return []
  }
}

interface Judging extends Pick<Repeatable, 'runSeed'> {
  readonly judge: (value: unknown) => Promise<Judgement>
  readonly parameters: Parameters
  readonly acted: ReadonlyMap<string, Acted>
}

async function judgeOver(
  rule: Rule,
  generated: Generated<unknown>,
  { judge, parameters, acted, runSeed }: Judging,
): Promise<Judgement> {
  let open: Judgement | undefined
  let inapplicable: Judgement | undefined
  let passed: Judgement | undefined
  let failed: Judgement | undefined
  const passes = async (value: unknown): Promise<boolean> => {
    const judgement = await judge(value)
    if (judgement.outcome === 'failed') failed = judgement
    else if (judgement.outcome === 'inapplicable') inapplicable ??= judgement
    else if (judgement.outcome === 'passed') passed ??= judgement
    else open ??= judgement
    // Only failures are shrunk.
    return judgement.outcome !== 'failed'
  }
  const details = await fc.check(fc.asyncProperty(generated.arbitrary, passes), {
    ...parameters,
    examples: parameters.examples.map(example => [example]),
    endOnFailure: false,
  })
  // A generator that throws has shown nothing about the store.
  if (details.failed && !failed) return judgeError(rule, details.errorInstance)
  // A value to which the rule does not apply says nothing, unless it applies to none.
  if (!failed) return open ?? passed ?? inapplicable ?? { rule, outcome: 'passed', exchanges: [] }
  const [smallest] = details.counterexample ?? []
  const show = (value: unknown) => generated.show?.(value) ?? fc.stringify(value)
  const beside = (await neighbours(smallest, judge, acted)).map(show).join(' and ')
  const shown = `${show(smallest)}${beside && ` (passed: ${beside})`}`
  return {
    ...failed,
    message: `${failed.message} (smallest case: ${shown})`,
    counterexample: {
      value: shown,
      ...(runSeed === undefined ? {} : { runSeed }),
      seed: parameters.seed,
      path: details.counterexamplePath ?? '',
      shrinks: details.numShrinks,
    },
  }
}

/** Of the values that were tried and pass, the nearest below and the nearest above an integer that fails. */
async function neighbours(
  failing: unknown,
  judge: Judging['judge'],
  acted: Judging['acted'],
): Promise<bigint[]> {
  if (typeof failing !== 'bigint') return []
  const passing: bigint[] = []
  for (const { value } of acted.values())
    if (typeof value === 'bigint' && (await judge(value)).outcome === 'passed') passing.push(value)
  passing.sort((a, b) => (a < b ? -1 : 1))
  const below = passing.findLast(value => value < failing)
  const above = passing.find(value => value > failing)
  return [below, above].filter(value => value !== undefined)
}
