import { isLimit, reasonOf } from '../http/problems.ts'
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

/** Why a command or a Vitest run ended without a verdict. It may quote a secret, or the response of a states endpoint. */
export function endingText(error: unknown): string {
  if (error instanceof ConfigurationError) {
    const { length } = error.mistakes
    const lines = error.mistakes.map(({ setting, problem }) => `  ${setting}: ${problem}`)
    const what = length === 1 ? 'One setting is wrong' : `${length} settings are wrong`
    return [`${what}; nothing was sent.`, ...lines].join('\n')
  }
  if (error instanceof Misconfigured) return error.message
  if (isLimit(error)) return `The command could not be completed (${reasonOf(error)}).`
  return `Internal error in store-conformance, not a violation by the store. Please report it:\n${error instanceof Error ? error.stack : error}`
}

/** A mistake for each option that a function does not have. Ignoring one could judge the wrong store, or change data. */
export function unknownOptions(given: object, known: readonly string[], owner: string): Mistake[] {
  return Object.keys(given).flatMap(name => {
    if (known.includes(name)) return []
    const meant = nearest(name, known)
    const hint = meant ? `did you mean ${meant}?` : `its options are ${known.join(', ')}`
    return [{ setting: name, problem: `is not an option of ${owner}; ${hint}` }]
  })
}

/** A question that names the intended text, or else the other sentence. */
export function suggestion(text: string, among: readonly string[], otherwise: string): string {
  const meant = nearest(text, among)
  return meant === undefined ? otherwise : `Did you mean ${meant}?`
}

/**
 * The item with the id that the user typed.
 * @param otherwise what to do if no id is similar
 * @throws {Misconfigured} with the nearest id, if there is no such item
 */
export function itemCalled<Item extends { readonly id: string }>(
  id: string,
  kind: string,
  all: readonly Item[],
  otherwise = 'npx --no-install store-conformance selfcheck judges all of them.',
): Item {
  const found = all.find(each => each.id === id)
  if (found) return found
  const ids = all.map(each => each.id)
  throw new Misconfigured(`There is no ${kind} ${JSON.stringify(id)}. ${suggestion(id, ids, otherwise)}`)
}

/** The text among these with the fewest edits from `text`, if it is close enough to be the intended one, or else one that contains it. */
function nearest(text: string, among: readonly string[]): string | undefined {
  const ranked = among
    .map(each => ({ each, far: distance(text.toLowerCase(), each.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
  const [best] = ranked
  if (best && best.far <= Math.max(2, text.length / 3)) return best.each
  return text.length < SHORTEST_PART
    ? undefined
    : among.find(each => each.toLowerCase().includes(text.toLowerCase()))
}

/** A shorter text is part of too many others. */
const SHORTEST_PART = 3

const lettersOf = (text: string): string => [...text].sort().join('')

/** Levenshtein distance: how many characters must be inserted, deleted or replaced. Another order of them all is one edit. */
function distance(a: string, b: string): number {
  if (lettersOf(a) === lettersOf(b)) return a === b ? 0 : 1
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
