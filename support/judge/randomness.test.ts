import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomness } from './randomness.ts'

type Source = Parameters<typeof randomness>[0]
const fresh = { challenge: 'a customer’s text', salt: 'salt-1' }
/** The values that a scenario gets. */
const valuesOf = (source: Source, title = 'a scenario') => {
  const { seedFor, integers, generatorFor, requestId } = randomness(source)
  const next = integers(title)
  const randomType = generatorFor(title)
  const parameters = { seed: seedFor(title), numRuns: 3, ...(randomType && { randomType }) }
  return [
    seedFor(title),
    next(2n ** 63n),
    next(2n ** 63n),
    requestId(title, 0),
    requestId(title, 1),
    ...fc.sample(fc.noBias(fc.bigInt(0n, 2n ** 64n)), parameters),
  ]
}

it.each<[string, Source, values: unknown[]]>([
  ['another seed', 1, valuesOf(2)],
  ['another scenario', 1, valuesOf(1, 'another scenario')],
  ['a challenge of the same text', 1, valuesOf({ challenge: '1', salt: '' })],
  ['another challenge', fresh, valuesOf({ ...fresh, challenge: 'another text' })],
  ['another salt', fresh, valuesOf({ ...fresh, salt: 'salt-2' })],
])('the values of a run are repeated, and none is shared with %s', (_other, source, values) => {
  expect(valuesOf(source)).toEqual(valuesOf(source))
  expect(values.filter(value => valuesOf(source).includes(value as string))).toEqual([])
})

it('values follow from 256 bits of a challenge, whatever seed fast-check is given', () => {
  const { generatorFor } = randomness(fresh)
  const values = (seed: number) => {
    const randomType = generatorFor('a scenario')
    return fc.sample(fc.array(fc.integer()), { seed, numRuns: 30, ...(randomType && { randomType }) })
  }
  expect(values(1)).toEqual(values(2))
})
