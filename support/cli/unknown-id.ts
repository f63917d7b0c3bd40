import { nearest } from '../settings/nearest.ts'
import { UsageError } from './usage.ts'

/** Says that there is no such fault or freedom, and which one may have been meant. */
export function unknownId(kind: string, id: string, all: readonly string[]): UsageError {
  const meant = nearest(id, all)
  const hint = meant
    ? `Did you mean ${meant}?`
    : `There are ${all.length}; store-conformance selfcheck shows them.`
  return new UsageError(`no ${kind} is called ${id}. ${hint}`)
}
