import { suggestion } from '../settings/mistake.ts'

/** A mistake that the user of the command can correct. Exit 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** For a fault or freedom that does not exist. */
export function unknownId(kind: string, id: string, all: readonly { readonly id: string }[]): UsageError {
  const ids = all.map(each => each.id)
  const hint = suggestion(id, ids, 'npx store-conformance selfcheck judges all of them.')
  return new UsageError(`There is no ${kind} ${JSON.stringify(id)}. ${hint}`)
}
