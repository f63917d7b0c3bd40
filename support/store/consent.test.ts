import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { INT64_MAX, INT64_MIN } from '../http/decimal.ts'
import { NotArranged } from '../judge/outcome.ts'
import { consent } from './consent.ts'
import { possibleIds } from './possible-ids.ts'
import { listing } from './testing/parts.ts'

interface Situation {
  readonly listed?: readonly (string | undefined)[]
  readonly granted?: readonly string[]
  readonly readOnly?: boolean
}

function consentFor({ listed, granted = [], readOnly = false }: Situation) {
  const permission = consent(readOnly)
  if (listed) {
    permission.order.note(listing('id', listed))
    permission.pet.note(listing('petId', listed))
  }
  for (const id of granted) {
    permission.order.grant(id)
    permission.pet.grant(id)
  }
  return permission
}

const allowed = (situation: Situation, segment: string): boolean => {
  const permission = consentFor(situation)
  try {
    permission.allow('DELETE', 'order', segment)
    permission.allow('PATCH', 'pet', segment)
    expect(permission.order.allows(segment)).toBe(true)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(NotArranged)
    return false
  }
}

const MIXED = { listed: ['12', '13', '1000', '9007199254740993'], granted: ['12'] }

describe('what may be sent', () => {
  it.each<[string, Situation, string]>([
    ['an id that was granted', MIXED, '12'],
    ['what reads as it', MIXED, '12abc'],
    ['an id that is not listed', MIXED, '4611686018427387901'],
    ['a text that reads as zero, if no order has the id 0', MIXED, 'abc'],
    ['anything, if the list is empty', { listed: [] }, '7'],
    ['what was granted but is not listed', { listed: ['1'], granted: ['7'] }, '7'],
    ['what was granted, without a list', { granted: ['7'] }, '7'],
    ['a fraction that was granted', { listed: ['12.5', '12'], granted: ['12.50'] }, '12.50'],
    ['its canonical form', { listed: ['12.5', '12'], granted: ['12.50'] }, '12.5'],
    ['another spelling of what was granted', MIXED, '012'],
  ])('%s', (_title, situation, segment) => expect(allowed(situation, segment)).toBe(true))
})

describe('what may not be sent', () => {
  it.each<[string, Situation, string]>([
    ['an id that is listed', MIXED, '13'],
    ['as a power', MIXED, '1e3'],
    ['with letters before', MIXED, 'abc13'],
    ['url-encoded twice', MIXED, '%2531%2533'],
    ['after an invalid percent-encoding', MIXED, '%zz13'],
    ['beside a granted one', MIXED, '12,13'],
    ['behind a granted one', MIXED, '12/../13'],
    ['grouped', MIXED, '1,000'],
    ['binary', MIXED, '0b1101'],
    ['octal', MIXED, '0o15'],
    ['octal with a leading zero', MIXED, '015'],
    [
      'a spelling of a granted one that is octal for another',
      { listed: ['10', '12'], granted: ['12'] },
      '012',
    ],
    [
      'a spelling of a granted one with the digits of another',
      { listed: ['12', '120'], granted: ['12'] },
      '12.0',
    ],
    ['in digits of another width', MIXED, '１３'],
    ['in digits of another script', MIXED, '%D9%A1%D9%A3'],
    ['what wraps at 64 bits', { listed: [String(2n ** 40n)] }, String(2n ** 64n + 2n ** 40n)],
    ['what is clamped to 32 bits', { listed: ['2147483647'] }, '99999999999'],
    ['what is clamped to 64 bits', { listed: [String(INT64_MAX)] }, '99999999999999999999999'],
    ['what is clamped below', { listed: [String(INT64_MIN)] }, '-99999999999999999999999'],
    ['a text that reads as zero', { listed: ['0'] }, 'abc'],
    ['a text that is listed', { listed: ['abc'] }, 'abc'],
    ['nothing: the collection', { listed: [] }, ''],
    ['the parent of the collection, encoded', { listed: [] }, '%2e%2E'],
    ['a slash', { listed: [] }, '%2F'],
    ['a wildcard', { listed: [] }, '*'],
    ['anything, if the list could not be read', {}, '4611686018427387901'],
    ['anything, if the run is read-only', { ...MIXED, readOnly: true }, '12'],
    ['a small id, if some entries show no id', { listed: ['12', undefined] }, '77'],
    ['what reads as a small id, if some entries show no id', { listed: [undefined] }, '77abc'],
  ])('%s', (_title, situation, segment) => expect(allowed(situation, segment)).toBe(false))

  it('says what to provide', () => {
    const permission = consentFor(MIXED)
    expect(() => permission.allow('DELETE', 'order', '13')).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('order 13'),
        need: 'name it with --pending-orders',
      }),
    )
    expect(() => permission.allow('PATCH', 'pet', '13')).toThrow(
      expect.objectContaining({ need: 'name it with --pets' }),
    )
    expect(() => consentFor({}).allow('PATCH', 'pet', '13')).toThrow(
      expect.objectContaining({ need: 'fix GET /inventory first' }),
    )
  })
})

it('reading is allowed, and so is a request that names no resource, unless the run is read-only', () => {
  expect(() => consentFor({ readOnly: true }).allow('GET', 'order', '13')).not.toThrow()
  expect(() => consentFor({}).allow('PROPFIND', 'none', '/x')).not.toThrow()
  expect(() => consentFor({ readOnly: true }).allow('PROPFIND', 'none', '/x')).toThrow(NotArranged)
})

it('an id that is granted for a pet is not granted for an order', () => {
  const permission = consent(false)
  permission.order.note(listing('id', ['12']))
  permission.pet.note(listing('petId', ['12']))
  permission.pet.grant('12')
  expect(permission.pet.allows('12')).toBe(true)
  expect(permission.order.allows('12')).toBe(false)
})

it('an id stays known if later lists do not have it', () => {
  const permission = consentFor({ listed: ['12'] })
  permission.order.note(listing('id', []))
  expect(permission.order.allows('12')).toBe(false)
})

describe('free ids', () => {
  it.each<[bigint, readonly (string | undefined)[], boolean]>([
    [2n ** 62n, ['1', '2'], true],
    [2n ** 62n, [undefined, undefined], true],
    [1n, [undefined], false],
    [-1n, ['5'], true],
    [-1n, ['1'], false],
    [0n, ['0'], false],
    [0n, ['-1'], false],
    [1_500n, ['1000'], false],
    [500_000n, ['1000'], false],
    [500_000n, ['1000', '9000000'], true],
    [1_002_000n, ['1000'], true],
    [2_001n, ['1000', '9000000'], true],
    [2n ** 53n + 1n, [String(2n ** 53n)], false],
    [2n ** 32n + 5n, ['5'], false],
  ])('%s beside %j: %s', (id, listed, free) =>
    expect(consentFor({ listed }).order.isFree(String(id))).toBe(free),
  )

  it('do not exist before a list has been read, and do not include granted ids', () => {
    expect(consentFor({}).order.isFree(String(5n))).toBe(false)
    expect(consentFor({}).pet.isFree('5')).toBe(false)
    expect(consentFor({ listed: [], granted: ['5'] }).order.isFree(String(5n))).toBe(false)
    expect(consentFor({ listed: [], granted: ['5'] }).pet.isFree('5.0')).toBe(false)
  })

  it.each([
    ['7', ['12.5'], true],
    ['12.50', ['12.5'], false],
    ['12', ['12.0'], false],
    ['1987654321', [undefined], true],
  ])('pet %s beside %j: %s', (id, listed, free) => expect(consentFor({ listed }).pet.isFree(id)).toBe(free))
})

describe('properties', () => {
  /** Ways in which stores misread a path segment. */
  const misreadings: readonly ((text: string) => unknown)[] = [
    text => Number(text),
    text => Number.parseInt(text, 10),
    text => Number.parseFloat(text),
    text => Math.round(Number(text)),
    text => Math.trunc(Number.parseFloat(text)),
    text => Math.ceil(Number(text)),
    text => Math.abs(Number.parseInt(text, 10)),
    text => Number(text) | 0,
    text => Number(text) >>> 0,
    text => Math.fround(Number(text)),
    text => BigInt(text),
    text => BigInt.asIntN(64, BigInt(text)),
    text => BigInt.asUintN(32, BigInt(text)),
    text => BigInt.asIntN(32, BigInt(text)),
    text => BigInt(decodeURIComponent(text)),
    text => BigInt(text.replace(/\D/g, '')),
    text => BigInt(/\d+/.exec(text)?.[0] ?? 'none'),
    text => BigInt(/\d+$/.exec(text)?.[0] ?? 'none'),
    text => BigInt(text.replace(/^\+?0(?=[0-7]+$)/, '0o')),
  ]
  const read = (how: (text: string) => unknown, text: string): string | undefined => {
    try {
      const value = how(text)
      if (typeof value === 'bigint') return String(value)
      return typeof value === 'number' && Number.isInteger(value) ? String(BigInt(value)) : undefined
    } catch {
      return undefined
    }
  }
  const id = fc.oneof(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), fc.bigInt({ min: -20n, max: 3000n }))
  const segment = fc
    .tuple(
      fc.constantFrom('', '+', '0', '-', '0x', '%20', 'a', '00', 'order-'),
      id,
      fc.constantFrom('', '.0', '.5', 'abc', 'e0', 'e2', '%20', ',1', '_0', '/'),
    )
    .map(parts => parts.join(''))

  it('a request is refused if any misreading of it hits a listed id that was not granted', () => {
    fc.assert(
      fc.property(segment, fc.nat(misreadings.length - 1), (text, at) => {
        const hit = read(misreadings[at] as (text: string) => unknown, text)
        fc.pre(hit !== undefined)
        expect([text, hit, allowed({ listed: [hit as string] }, text)]).toEqual([text, hit, false])
      }),
      { numRuns: 1_000 },
    )
  })

  it('no segment makes it throw', () => {
    const character = fc.nat(0xffff).map(code => String.fromCharCode(code))
    const text = fc.string({ unit: fc.oneof(character, fc.constantFrom(...'%0123e.- '.split(''))) })
    const long = ['9'.repeat(2_000), '1 '.repeat(1_000)]
    fc.assert(
      fc.property(text, segment => possibleIds(segment).length > 0),
      { examples: long.map(each => [each]) },
    )
  })
})
