import { Misconfigured } from '../judge/outcome.ts'

/** A mistake in the configuration: which setting, what is wrong, what to do. It never contains a secret. */
export interface Mistake {
  readonly setting: string
  readonly problem: string
}

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

/** The text among these that is close enough to be the intended one, or else one that contains it. */
export function nearest(text: string, among: readonly string[]): string | undefined {
  const [typed, all] = [text.toLowerCase(), among.map(each => [each, each.toLowerCase()] as const)]
  const ranked = all
    .map(([each, lower]) => ({ each, far: distance(typed, lower) }))
    .sort((a, b) => a.far - b.far)
  if (ranked[0] && ranked[0].far <= Math.max(2, text.length / 3)) return ranked[0].each
  return text.length < 3 ? undefined : all.find(([, lower]) => lower.includes(typed))?.[0]
}

/** How many characters must be inserted, deleted or replaced (Levenshtein). */
function distance(from: string, to: string): number {
  // Another order of the letters is one mistake.
  if ([...from].sort().join('') === [...to].sort().join('')) return from === to ? 0 : 1
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [done, letter] of [...from].entries()) {
    const next = [done + 1]
    for (const [at, other] of [...to].entries()) {
      const replaced = (row[at] as number) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[at + 1] as number) + 1, (next[at] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}
