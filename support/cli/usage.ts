import { Misconfigured } from '../judge/outcome.ts'
import { suggestion } from '../settings/mistake.ts'

/**
 * The item with the id that the user typed.
 * @param otherwise what to do if no id is similar
 * @throws {Misconfigured} with the nearest id, if there is no such item
 */
export function itemCalled<Item extends { readonly id: string }>(
  id: string,
  kind: string,
  all: readonly Item[],
  otherwise = 'npx store-conformance selfcheck judges all of them.',
): Item {
  const found = all.find(each => each.id === id)
  if (found) return found
  const ids = all.map(each => each.id)
  throw new Misconfigured(`There is no ${kind} ${JSON.stringify(id)}. ${suggestion(id, ids, otherwise)}`)
}
