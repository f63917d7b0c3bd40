import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ListReader } from '../../suites/oracle/lists.ts'
import type { Exchange } from '../../suites/oracle/log.ts'
import { INT64_MAX, INT64_MIN, isOrderId } from '../interface/numbers.ts'
import { consent, possibleIds } from './consent.ts'

type Listed = readonly (string | null)[]

/** Consent after a list with these ids. Null stands for an element without one; no list for one that cannot be read. */
function consentFor(listed?: Listed, granted: readonly string[] = []) {
  const permission = consent()
  for (const [own, operation, name] of [
    [permission.order, 'listOrders', 'id'],
    [permission.pet, 'listInventory', 'petId'],
  ] as const) {
    const entries = listed?.map(id => (id === null ? '{}' : `{"${name}":${id}}`))
    const exchange = { ask: { operation }, response: { status: 200, headers: [], body: `[${entries}]` } }
    const list = entries && new ListReader().read(exchange as unknown as Exchange)
    if (list) own.note(list)
    granted.forEach(own.grant)
  }
  return permission
}

const isAllowed = (segment: string, listed?: Listed, granted?: readonly string[]): boolean => {
  const { order, pet } = consentFor(listed, granted)
  return [order.refusal('DELETE', segment), pet.refusal('PATCH', segment)].every(each => each === undefined)
}

/** Four ids are listed, and the first one is granted. */
const mixed = [['12', '13', '1000', '9007199254740993'], ['12']] as const
const digits = '9'.repeat(23)

it.each<[isAllowed: boolean, segments: string, listed?: Listed | undefined, granted?: readonly string[]]>([
  // As it was granted, what reads as it, and what reads as nothing.
  [true, '12 12abc 12,12 abc12 12%20or%200 4611686018427387901 abc null', ...mixed],
  [true, '7', []],
  [true, '7', ['1'], ['7']],
  [true, '7', undefined, ['7']],
  [true, '12.50', ['12.5', '12'], ['12.50']],
  // Listed, with letters, beside a granted one, grouped; and each spelling that is not one of the suite.
  [false, '13 1e3 abc13 %2531%2533 %zz13 12,13 12/../13 1,000 0b1101 0o15 015 １３ %D9%A1%D9%A3', ...mixed],
  // With the digits of another.
  [false, '12.0', ['12', '120'], ['12']],
  // Wrapped and clamped.
  [false, String(2n ** 64n + 2n ** 40n), [String(2n ** 40n)]],
  [false, '99999999999', ['2147483647']],
  [false, digits, [String(INT64_MAX)]],
  [false, `-${digits}`, [String(INT64_MIN)]],
  [false, 'abc', ['0']],
  // The collection, its parent, and all of it.
  [false, ' %2e%2E %2F *', []],
  [false, '4611686018427387901', undefined],
  [false, '77', ['12', null]],
  [false, '77abc', [null]],
])('it is %s that %j may be sent if %j are listed and %j granted', (expected, segments, listed, granted) => {
  const wrong = segments.split(' ').filter(each => isAllowed(each, listed, granted) !== expected)
  expect(wrong).toEqual([])
})

it('a refusal names what the user can provide, for orders and for pets with the same ids', () => {
  const { order, pet } = consentFor(...mixed)
  const reason = 'DELETE 13 could change order 13, which was not named or arranged'
  const refusal = { reason, need: 'name it with --pending-orders' }
  expect(pet.refusal('PATCH', '13')).toMatchObject({ need: 'name it with --pets' })
  expect(consentFor().pet.refusal('PATCH', '13')).toMatchObject({ need: 'fix GET /inventory first' })
  pet.grant('13')
  // It stays known if later lists do not show it.
  order.note({ items: [], byId: new Map(), hidesIds: false, wrongs: {} })
  expect([order.refusal('DELETE', '13'), pet.refusal('PATCH', '13')]).toEqual([refusal, undefined])
})

it.each<[bigint, Listed | undefined, boolean]>([
  [2n ** 62n, ['1', '2'], true],
  [2n ** 62n, [null, null], true],
  [1n, [null], false],
  [1n, undefined, false],
  [-1n, ['5'], true],
  [-1n, ['1'], false],
  [0n, ['-1'], false],
  [500_000n, ['1000'], false],
  [500_000n, ['1000', '9000000'], true],
  [1_500n, ['1000', '9000000'], false],
  [1_002_000n, ['1000'], true],
  [2n ** 53n + 1n, [String(2n ** 53n)], false],
  [2n ** 32n + 5n, ['5'], false],
])('%s is free beside %j: %s', (id, listed, free) => {
  expect(consentFor(listed).order.isFree(String(id))).toBe(free)
  expect(consentFor(listed, [String(id)]).order.isFree(String(id))).toBe(false)
})

/** Ways in which stores misread a path segment. */
const misreadings: readonly ((text: string) => number | bigint)[] = [
  Number,
  Number.parseInt,
  Math.fround as never,
  BigInt,
  text => Math.round(Number(text)),
  text => Math.ceil(Number(text)),
  text => Math.abs(Number.parseInt(text, 10)),
  text => Number(text) | 0,
  text => Number(text) >>> 0,
  text => BigInt.asIntN(64, BigInt(text)),
  text => BigInt.asUintN(32, BigInt(text)),
  text => BigInt(decodeURIComponent(text)),
  text => BigInt(text.replace(/\D/g, '')),
  text => BigInt(/\d+/.exec(text)?.[0] ?? 'none'),
  text => BigInt(/\d+$/.exec(text)?.[0] ?? 'none'),
  text => (isOrderId(text) ? BigInt(text) : 0n),
  text => BigInt(text.replace(/^\+?0(?=[0-7]+$)/, '0o')),
]
const id = fc.oneof(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), fc.bigInt({ min: -20n, max: 3000n }))
const before = fc.constantFrom('', '+', '0', '-', '0x', '%20', 'a', '00', 'order-')
const after = fc.constantFrom('', '.0', '.5', 'abc', 'e0', 'e2', '%20', ',1', '_0', '/')
const segments = fc.tuple(before, id, after).map(parts => parts.join(''))

it('a request is refused if any misreading of it hits a listed id that was not granted', () => {
  const property = fc.property(segments, fc.constantFrom(...misreadings), (text, read) => {
    let hit = ''
    try {
      hit = String(BigInt(read(text)))
    } catch {
      fc.pre(false)
    }
    expect([text, hit, isAllowed(text, [hit])]).toEqual([text, hit, false])
  })
  fc.assert(property, { numRuns: 1_000 })
})

it('no segment makes it throw', () => {
  const character = fc.nat(0xffff).map(code => String.fromCharCode(code))
  const text = fc.string({ unit: fc.oneof(character, fc.constantFrom(...'%0123e.- '.split(''))) })
  const property = fc.property(text, segment => possibleIds(segment).length > 0)
  fc.assert(property, { examples: [['9'.repeat(2_000)], ['1 '.repeat(1_000)]] })
})
