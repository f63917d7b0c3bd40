import fc from 'fast-check'
import { judgeError, judgeSeen } from './judge-rule.ts'
import type { Judgement } from './judgement.ts'
import type { Rule } from './rule.ts'
import type { Generated } from './scenario.ts'

/** Judges every rule over the same generated values. Each value is acted out once; only shrinking needs further acts. */
export async function judgeProperty(
  rules: readonly Rule[],
  generated: Generated<unknown>,
  seed: number,
  runs: number,
): Promise<ReadonlyMap<Rule, Judgement>> {
  const acted = new Map<string, Promise<unknown>>()
  const act = (value: unknown): Promise<unknown> => {
    const key = fc.stringify(value)
    const known = acted.get(key) ?? Promise.resolve().then(() => generated.act(value))
    acted.set(key, known)
    return known
  }
  const judgements = new Map<Rule, Judgement>()
  for (const rule of rules) judgements.set(rule, await judgeOver(rule, generated, act, seed, runs))
  return judgements
}

async function judgeOver(
  rule: Rule,
  generated: Generated<unknown>,
  act: (value: unknown) => Promise<unknown>,
  seed: number,
  runs: number,
): Promise<Judgement> {
  const { examples = [], arbitrary, share = 1 } = generated
  let open: Judgement | undefined
  let failed: Judgement | undefined
  const judge = async (value: unknown): Promise<boolean> => {
    const judgement = await act(value).then(
      seen => judgeSeen(rule, seen),
      error => judgeError(rule, error),
    )
    if (judgement.outcome === 'failed') failed = judgement
    else if (judgement.outcome !== 'passed') open ??= judgement
    // Only failures are shrunk.
    return judgement.outcome !== 'failed'
  }
  const details = await fc.check(fc.asyncProperty(arbitrary, judge), {
    seed,
    numRuns: examples.length + Math.ceil(runs * share),
    examples: examples.map(example => [example]),
    endOnFailure: false,
  })
  // A generator that throws has shown nothing about the store.
  if (details.failed && !failed) return judgeError(rule, details.errorInstance)
  if (!failed) return open ?? { rule, outcome: 'passed', exchanges: [] }
  const [smallest] = details.counterexample ?? []
  const shown = generated.show?.(smallest) ?? fc.stringify(smallest)
  return {
    ...failed,
    message: `${failed.message} (smallest case: ${shown})`,
    counterexample: {
      value: shown,
      seed,
      path: details.counterexamplePath ?? '',
      shrinks: details.numShrinks,
    },
  }
}
