import { Misconfigured } from '../interface/verdict.ts'

/** A mistake in the configuration: which setting, what is wrong, what to do. It never contains a secret. */
export interface Mistake {
  readonly setting: string
  readonly problem: string
}

/** The mistakes among conditions that are wrong if they hold. */
export const mistakesOf = (
  all: readonly (readonly [isWrong: unknown, setting: string, problem: string])[],
): Mistake[] => all.flatMap(([isWrong, setting, problem]) => (isWrong ? [{ setting, problem }] : []))

/** The configuration is invalid. Nothing was sent. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ setting, problem }) => `${setting}: ${problem}`).join('\n'))
    this.mistakes = mistakes
  }
}

/** A question that names the intended text, or else the other sentence. */
export function suggestion(text: string, among: readonly string[], otherwise: string): string {
  const meant = nearest(text, among)
  return meant === undefined ? otherwise : `Did you mean ${meant}?`
}

/** @param otherwise what to do if no id is similar @throws {Misconfigured} with the nearest id, if none is the one that the user typed */
export function itemCalled<Item extends { readonly id: string }>(
  id: string,
  kind: string,
  all: readonly Item[],
  otherwise = 'npx --no-install store-conformance selfcheck judges all of them.',
): Item {
  const found = all.find(each => each.id === id)
  if (found) return found
  const hint = suggestion(
    id,
    all.map(each => each.id),
    otherwise,
  )
  throw new Misconfigured(`There is no ${kind} ${JSON.stringify(id)}. ${hint}`)
}

/** The text among these that shares most pairs of characters with it, if these are most of all. */
export function nearest(text: string, among: readonly string[]): string | undefined {
  const pairsOf = (each: string) =>
    new Set([...each.toLowerCase()].map((character, at, all) => character + (all[at + 1] ?? '')))
  const own = pairsOf(text)
  const likeness = (each: string) => {
    const pairs = pairsOf(each)
    return [...own].filter(pair => pairs.has(pair)).length / Math.max(own.size, pairs.size)
  }
  const [best] = among.toSorted((one, other) => likeness(other) - likeness(one))
  return best !== undefined && likeness(best) >= 0.6 ? best : undefined
}
