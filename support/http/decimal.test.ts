import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical, INT64_MAX, INT64_MIN, isInt64, sameNumber, toInteger } from './decimal.ts'

describe('canonical', () => {
  it.each([
    ['5.', '5'],
    ['12.50', '12.5'],
    ['1.2E-3', '0.0012'],
    ['-0.000', '0'],
    ['0e999999999999', '0'],
    ['1.50e500', '15e499'],
  ])('%s is %s', (text, wanted) => expect(canonical(text)).toBe(wanted))

  it.each(['', '12abc', '.5', '1e', '0x10', '１２', '1e99999999999'])(
    '%j is not a comparable number, and stays unchanged',
    text => expect(canonical(text)).toBe(text),
  )

  it('takes linear time for zeros in the middle', () => {
    const zeros = '0'.repeat(2_000_000)
    expect(canonical(`0.${zeros}1`)).toBe('1e-2000001')
    expect(canonical(`1${zeros}.${zeros}10`)).toHaveLength(2 * zeros.length + 3)
    expect(canonical(`${zeros}.${zeros}`)).toBe('0')
  })

  it('does not expand a large exponent into gigabytes', () => {
    expect(canonical('1e400000000').length).toBeLessThan(20)
    expect(canonical('1e-400000000').length).toBeLessThan(20)
  })
})

describe('sameNumber', () => {
  it('compares numbers that are too large to be expanded', () => {
    expect(sameNumber('1e500', '10e499')).toBe(true)
    expect(sameNumber('1e500', `1${'0'.repeat(500)}`)).toBe(true)
    expect(sameNumber('1e-402', `0.${'0'.repeat(401)}1`)).toBe(true)
    expect(sameNumber('1e500', '1e501')).toBe(false)
  })
})

/** The same value in another spelling. */
const spellings = (value: bigint) =>
  fc.record({ zeros: fc.nat(5), fraction: fc.nat(5), shift: fc.integer({ min: -30, max: 30 }) }).map(how => {
    const sign = value < 0n ? '-' : ''
    const digits = String(value < 0n ? -value : value)
    if (how.shift >= 0) {
      const padded = digits.padStart(how.shift + 1, '0')
      const at = padded.length - how.shift
      return `${sign}${'0'.repeat(how.zeros)}${padded.slice(0, at)}.${padded.slice(at)}${'0'.repeat(how.fraction)}e${how.shift}`
    }
    return `${sign}${digits}${'0'.repeat(-how.shift)}e${how.shift}`
  })

describe('properties', () => {
  const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX })

  it('every spelling of an integer has its canonical form', () => {
    fc.assert(
      fc.property(
        int64.chain(value => fc.tuple(fc.constant(value), spellings(value))),
        ([value, text]) => {
          expect(canonical(text)).toBe(String(value))
          expect(toInteger(text)).toBe(value)
        },
      ),
    )
  })

  it('integers are the same number exactly where they are equal', () => {
    fc.assert(
      fc.property(int64, fc.bigInt({ min: -2n, max: 2n }), (value, by) => {
        expect(sameNumber(String(value), String(value + by))).toBe(by === 0n)
      }),
    )
  })
})

describe('toInteger', () => {
  it.each(['5.5', '1e-1', 'abc', '', '0.0000001', '1e-500', '1e999999'])('%s is not an integer', text => {
    expect(toInteger(text)).toBeUndefined()
  })
  it.each([
    ['-0', 0n],
    ['1e500', 10n ** 500n],
    [`1${'0'.repeat(500)}`, 10n ** 500n],
    ['9223372036854775808', 2n ** 63n],
  ])('%s is %s', (text, value) => expect(toInteger(text)).toBe(value))
})

describe('isInt64', () => {
  it('has exactly the range of 64 bits', () => {
    expect([INT64_MIN - 1n, INT64_MIN, 0n, INT64_MAX, INT64_MAX + 1n].map(isInt64)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
  })
})
