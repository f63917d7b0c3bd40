import { expect, it } from 'vitest'
import { randomness } from './randomness.ts'

/** The values that a scenario gets. */
const valuesOf = (seed: number, title = 'a scenario') => {
  const { seedFor, integers, requestId } = randomness(seed)
  const next = integers(title)
  return [seedFor(title), next(2n ** 63n), next(2n ** 63n), requestId(title, 0), requestId(title, 1)]
}

it.each<[string, values: unknown[]]>([
  ['another seed', valuesOf(2)],
  ['another scenario', valuesOf(1, 'another scenario')],
])('the values of a run are repeated, and none is shared with %s', (_other, values) => {
  expect(valuesOf(1)).toEqual(valuesOf(1))
  expect(values.filter(value => valuesOf(1).includes(value as string))).toEqual([])
})
