import { describe, expect, it } from 'vitest'
import { canonicalDecimal, readInt64 } from './numbers.ts'

describe('an int64', () => {
  it.each(['0', '1', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    'reads %s',
    text => {
      expect(readInt64(text)).toBe(BigInt(text))
    },
  )

  it.each([
    '',
    '-',
    '-0',
    '+1',
    '01',
    '1.0',
    '1e0',
    ' 1',
    '1 ',
    '12abc',
    '0x1',
    '9223372036854775808',
    '-9223372036854775809',
  ])('does not read "%s"', text => {
    expect(readInt64(text)).toBeUndefined()
  })
})

describe('a decimal', () => {
  it.each([
    ['12.50', '12.5'],
    ['1e2', '100'],
    ['1E+2', '100'],
    ['125e-1', '12.5'],
    ['0.0', '-0'],
    ['0e99', '0'],
  ])('%s is %s', (one, other) => {
    expect(canonicalDecimal(one)).toBeDefined()
    expect(canonicalDecimal(one)).toBe(canonicalDecimal(other))
  })

  it.each([
    ['9007199254740993', '9007199254740992'],
    ['1', '-1'],
    ['10', '1'],
    ['0.1', '0.10000000000000000001'],
    ['5e-400', '0'],
  ])('%s is not %s', (one, other) => {
    expect(canonicalDecimal(one)).not.toBe(canonicalDecimal(other))
  })

  it.each(['', '.5', '5.', '+5', '05', '1e', 'NaN', '12abc', '1'.repeat(401)])(
    '"%s" is not a number',
    text => {
      expect(canonicalDecimal(text)).toBeUndefined()
    },
  )
})
