import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonical, INT64_MAX, INT64_MIN, isInt64Text, sameNumber, toInteger } from './decimal.ts'

it.each<[string, string]>([
  ['5.', '5'],
  ['12.50', '12.5'],
  ['1.2E-3', '0.0012'],
  ['-0.000', '0'],
  ['0e999999999999', '0'],
  ['1.50e500', '15e499'],
  ['1e400000000', '1e400000000'],
  ['1e-400000000', '1e-400000000'],
  ...['', '12abc', '.5', '1e', '0x10', '１２', '1e99999999999'].map((text): [string, string] => [text, text]),
])('the canonical form of %j is %j', (text, wanted) => expect(canonical(text)).toBe(wanted))

it('the canonical form takes linear time for zeros in the middle', () => {
  const zeros = '0'.repeat(2_000_000)
  expect(canonical(`0.${zeros}1`)).toBe('1e-2000001')
  expect(canonical(`1${zeros}.${zeros}10`)).toHaveLength(2 * zeros.length + 3)
  expect(canonical(`${zeros}.${zeros}`)).toBe('0')
})

it.each([
  ['1e500', '10e499', true],
  ['1e500', `1${'0'.repeat(500)}`, true],
  ['1e-402', `0.${'0'.repeat(401)}1`, true],
  ['1e500', '1e501', false],
])('%s and %s are the same number: %s', (one, other, same) => expect(sameNumber(one, other)).toBe(same))

it.each<[string, bigint?]>([
  ...['5.5', '1e-1', 'abc', '', '1e-500', '1e999999'].map((text): [string] => [text]),
  ['-0', 0n],
  ['1e500', 10n ** 500n],
  [`1${'0'.repeat(500)}`, 10n ** 500n],
])('%s as an integer is %s', (text, value) => expect(toInteger(text)).toBe(value))

it.each([
  ['-9223372036854775809', false],
  ['-9223372036854775808', true],
  ['9223372036854775807.0', true],
  ['9223372036854775808', false],
])('%s has 64 bits: %s', (text, fits) => expect(isInt64Text(text)).toBe(fits))

describe('any integer of 64 bits', () => {
  const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX })

  it('is the same in every spelling', () => {
    fc.assert(
      fc.property(int64, fc.nat(18), fc.nat(30), (value, at, zeros) => {
        const [, sign, digits = ''] = /^(-?)(.*)$/.exec(String(value)) ?? []
        const padded = digits.padStart(at + 1, '0')
        const point = padded.length - at
        const filled = '0'.repeat(zeros)
        for (const text of [
          `${sign}${filled}${padded.slice(0, point)}.${padded.slice(point)}${filled}e${at}`,
          `${sign}${digits}${filled}E-${zeros}`,
        ]) {
          expect(canonical(text)).toBe(String(value))
          expect(toInteger(text)).toBe(value)
        }
      }),
    )
  })

  it('differs from its neighbours', () => {
    fc.assert(
      fc.property(int64, fc.bigInt({ min: -2n, max: 2n }), (value, by) => {
        expect(sameNumber(String(value), String(value + by))).toBe(by === 0n)
      }),
    )
  })
})
