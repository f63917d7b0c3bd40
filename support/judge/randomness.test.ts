import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomness } from './randomness.ts'

const fresh = { challenge: 'a customer’s text', salt: 'salt-1' }
/** The values that a scenario gets. */
const valuesOf = (source: Parameters<typeof randomness>[0], title = 'a scenario') => {
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

describe('the randomness of a run', () => {
  it.each([1, fresh])('repeats for the same source', source => {
    expect(valuesOf(source)).toEqual(valuesOf(source))
  })

  it.each([
    ['another seed', valuesOf(2)],
    ['another scenario', valuesOf(1, 'another scenario')],
    ['a challenge of the same text', valuesOf({ challenge: '1', salt: '' })],
  ])('shares no value with %s', (_other, values) => {
    expect(values.filter(value => valuesOf(1).includes(value))).toEqual([])
  })

  it.each([
    { ...fresh, challenge: 'another text' },
    { ...fresh, salt: 'salt-2' },
  ])('follows challenge and salt', other => {
    expect(valuesOf(other).filter(value => valuesOf(fresh).includes(value))).toEqual([])
  })

  it('generates values from 256 bits of a challenge, whatever seed fast-check is given', () => {
    const { generatorFor } = randomness(fresh)
    const values = (seed: number) => {
      const randomType = generatorFor('a scenario')
      return fc.sample(fc.array(fc.integer()), { seed, numRuns: 30, ...(randomType && { randomType }) })
    }
    expect(values(1)).toEqual(values(2))
  })
})
