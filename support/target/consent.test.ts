import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ListReader } from '../../suites/oracle/lists.ts'
import type { Exchange } from '../../suites/oracle/log.ts'
import { INT64_MAX, INT64_MIN } from '../interface/numbers.ts'
import { consent } from './consent.ts'
import { possibleIds } from './possible-ids.ts'

/** A list of elements with these ids. Undefined stands for an element without one. */
function listing(operation: 'listOrders' | 'listInventory', ids: readonly (string | undefined)[]) {
  const name = operation === 'listOrders' ? 'id' : 'petId'
  const entries = ids.map(id =>
    id === undefined ? '{}' : `{"${name}":${/^-?[0-9.]+$/.test(id) ? id : JSON.stringify(id)}}`,
  )
  const exchange = { ask: { operation }, response: { status: 200, headers: [], body: `[${entries}]` } }
  const list = new ListReader().read(exchange as unknown as Exchange)
  if (!list) throw new Error('this is no list')
  return list
}

interface Situation {
  readonly listed?: readonly (string | undefined)[]
  readonly granted?: readonly string[]
}

function consentFor({ listed, granted = [] }: Situation) {
  const permission = consent()
  if (listed) {
    permission.order.note(listing('listOrders', listed))
    permission.pet.note(listing('listInventory', listed))
  }
  for (const id of granted) {
    permission.order.grant(id)
    permission.pet.grant(id)
  }
  return permission
}

const allowed = (situation: Situation, segment: string): boolean => {
  const permission = consentFor(situation)
  const refusals = [permission.order.refusal('DELETE', segment), permission.pet.refusal('PATCH', segment)]
  return refusals.every(each => each === undefined)
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
    ['a small id, if some entries show no id', { listed: ['12', undefined] }, '77'],
    ['what reads as a small id, if some entries show no id', { listed: [undefined] }, '77abc'],
  ])('%s', (_title, situation, segment) => expect(allowed(situation, segment)).toBe(false))

  it('says what to provide', () => {
    const { order, pet } = consentFor(MIXED)
    expect(order.refusal('DELETE', '13')).toEqual({
      reason: 'DELETE 13 could change order 13, which was not named or arranged',
      need: 'name it with --pending-orders',
    })
    expect(pet.refusal('PATCH', '13')).toMatchObject({ need: 'name it with --pets' })
    expect(consentFor({}).pet.refusal('PATCH', '13')).toMatchObject({ need: 'fix GET /inventory first' })
  })
})

it('an id that is granted for a pet is not granted for an order', () => {
  const permission = consent()
  permission.order.note(listing('listOrders', ['12']))
  permission.pet.note(listing('listInventory', ['12']))
  permission.pet.grant('12')
  expect(permission.pet.refusal('PATCH', '12')).toBeUndefined()
  expect(permission.order.refusal('DELETE', '12')).toBeDefined()
})

it('an id stays known if later lists do not have it', () => {
  const permission = consentFor({ listed: ['12'] })
  permission.order.note(listing('listOrders', []))
  expect(permission.order.refusal('DELETE', '12')).toBeDefined()
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
    [3_049n, ['1000', '9000000'], true],
    [2n ** 53n + 1n, [String(2n ** 53n)], false],
    [2n ** 32n + 5n, ['5'], false],
  ])('%s beside %j: %s', (id, listed, free) =>
    expect(consentFor({ listed }).order.isFree(String(id))).toBe(free),
  )

  it('do not exist before a list has been read, and do not include granted ids', () => {
    expect(consentFor({}).order.isFree('5')).toBe(false)
    expect(consentFor({}).pet.isFree('5')).toBe(false)
    expect(consentFor({ listed: [], granted: ['5'] }).order.isFree('5')).toBe(false)
    expect(consentFor({ listed: [], granted: ['5'] }).pet.isFree('5')).toBe(false)
  })
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
