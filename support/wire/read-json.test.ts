import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, type JsonSyntaxError, type ParsedJson, parseJson, printJson } from './json.ts'
import { Cutter } from './part.ts'
import { type JsonBody, type JsonList, readJson } from './read-json.ts'

/** Reads a body as a large one that arrives in chunks of this size. */
function read(body: Uint8Array | string, chunk = 10_000): JsonBody | JsonSyntaxError {
  const bytes = Buffer.from(body)
  const cutter = new Cutter()
  for (let at = 0; at < bytes.length; at += chunk) cutter.write(bytes.subarray(at, at + chunk))
  return readJson({ status: 200, headers: [], body: '…', wholeLength: bytes.length, parts: cutter.end() })
}

const listed = (body: string, chunk?: number): JsonList => (read(body, chunk) as JsonBody).list as JsonList
const partsOf = (body: string, chunk?: number) => listed(body, chunk).parts.map(({ part }) => part)

const value = fc.oneof(
  fc.integer({ min: -3, max: 20 }).map(String),
  fc.string({ unit: 'grapheme' }).map(text => JSON.stringify(text)),
  fc.constantFrom('7.0', '70e-1', '9007199254740993', '-0', '1e400', 'null', '[{},{"a":[1]}]', '{"id":1}'),
  fc.constantFrom('},{', '"},{"', '\\', ']', '"a":1.5').map(text => JSON.stringify(text)),
)
const name = fc.constantFrom('id', 'id', 'quantity', 'note', '__proto__', 'toString')
const object = fc
  .array(fc.tuple(name, value), { maxLength: 4 })
  .map(members => `{${members.map(([name, json]) => `"${name}": ${json}`).join(',')}}`)
const elements = fc.array(fc.oneof({ weight: 8, arbitrary: object }, value), { maxLength: 12 })
const anyList = fc
  .tuple(elements, fc.constantFrom('', ' ', '\n  ', '\t'), fc.integer({ min: 1, max: 900 }))
  .map(([all, gap, times]) => `[${gap}${Array(times).fill(all).flat().join(`${gap},${gap}`)}${gap}]`)
const broken = fc
  .tuple(anyList, fc.nat(), fc.constantFrom('', ',', '}', ']', '"', 'x', '\u0001'))
  .map(([body, at, put]) => body.slice(0, at % body.length) + put + body.slice((at % body.length) + 1))

it('a list has the elements or the error that its whole text has, however it is written and arrives', () => {
  fc.assert(
    fc.property(fc.oneof(anyList, broken), fc.integer({ min: 900, max: 200_000 }), (body, chunk) => {
      const found = read(body, chunk)
      let whole: ParsedJson
      try {
        // A broken text may contain half of a character, which UTF-8 replaces.
        whole = parseJson(Buffer.from(body).toString())
      } catch (error) {
        expect(found).toMatchObject({ name: (error as JsonSyntaxError).name })
        return
      }
      const { list, repeatedName } = found as JsonBody
      expect(list?.parts.flatMap(({ part }) => part.elements)).toEqual(whole.value)
      expect(list?.length).toBe((whole.value as Json[]).length)
      expect(repeatedName).toBe(whole.repeatedName)
    }),
    { numRuns: 150 },
  )
})

describe('a list', () => {
  it('has its parts in common with lists that differ in a few elements', () => {
    const orders = Array.from({ length: 20_000 }, (_, at) => `{"id":${at},"quantity":${at % 9}}`)
    const parts = new Set(partsOf(`[${orders}]`))
    for (const removed of [0, 9_000, 19_999]) {
      const others = partsOf(`[${orders.toSpliced(removed, 1)}]`)
      expect(others.filter(part => !parts.has(part)).length).toBeLessThan(others.length / 4)
    }
  })

  it.each([
    ['orders', '{"id":1,"note":"a"},'.repeat(40_000)],
    ['long strings', `"${'x'.repeat(300_000)}",`.repeat(5)],
    ['spaces', `0,${' '.repeat(500_000)}`],
  ])('is cut at the same places however it arrives: %s', (_title, elements) => {
    const body = `[${elements}1]`
    const [whole, ...others] = [body.length, 1_000, 70_000].map(chunk => partsOf(body, chunk))
    const textsOf = (parts = whole) => parts?.map(part => String(part.bytes))
    for (const parts of others) expect(textsOf(parts)).toEqual(textsOf())
  })

  it('finds elements by their id', () => {
    const list = listed(`[${Array.from({ length: 5_000 }, (_, at) => `{"id":${at}.0}`)},{"id":"x"},{}]`)
    expect(list.parts.length).toBeGreaterThan(1)
    expect(String(list.find('id', '4999')?.['id'])).toBe('4999.0')
    expect(list.find('id', 'x')).toEqual({ id: 'x' })
    expect(list.find('id', '5000')).toBeUndefined()
    expect(list.ids('id').size).toBe(5_000)
    expect(list.lacking('id', ['3', '5000'])).toEqual(['5000'])
    expect(list.missingIn(listed('[{"id":7}]'), 'id')).toHaveLength(4_999)
    expect([...list.entries()].at(-1)).toEqual({ at: 5_001, entry: {} })
  })
})

it.each([
  ['text with commas', { notes: 'x,'.repeat(1_500) }],
  ['objects', { items: Array.from({ length: 40 }, (_, at) => ({ sku: `a-${at}`, note: '},{"\\"' })) }],
])('a long list is read also if its elements have %s', (_title, members) => {
  const elements = Array.from({ length: 2_000 }, (_, id) => ({ id, ...members, quantity: 1 }))
  expect(read(JSON.stringify(elements))).toMatchObject({ list: { length: 2_000 } })
})

it.each([
  ['numbers', (at: number) => `${at}`],
  ['objects', (at: number) => `{"a":${at}}`],
  ['lists of objects', (at: number) => `[{"a":${at}},{"b":"},{"}]`],
])('a long object with many %s is one value', (_title, member) => {
  const body = `{${Array.from({ length: 20_000 }, (_, at) => `"name${at}":${member(at)}`)}}`
  expect(JSON.parse(printJson((read(body) as JsonBody).value as Json))).toEqual(JSON.parse(body))
})

describe('a body that', () => {
  const orders = Array.from({ length: 30_000 }, (_, at) => `{"id":${at},"note":"a},{b"}`).join(',')
  it.each([
    ['', 'expected a value, found the end at offset 0'],
    ['[1,]', 'expected a value, found "]" at offset 3'],
    [`[${orders}`, `expected ',' or ']', found the end at offset ${orders.length + 1}`],
    [`[${orders},NaN,${orders}]`, `expected a value, found "N" at offset ${orders.length + 2}`],
    [`[${orders}],${orders}]`, `expected the end of the text, found "," at offset ${orders.length + 2}`],
    [Buffer.from(`[${orders},{"a":"caf\xe9"},${orders}]`, 'latin1'), 'the bytes are not UTF-8'],
  ])('is no JSON: %#', (body, message) => {
    // The second time, its parts are known.
    for (const found of [read(body), read(body)])
      expect(found).toMatchObject({ name: 'JsonSyntaxError', message: expect.stringContaining(message) })
  })

  it.each([
    ['one long string', `["${'x'.repeat(3_000_000)}"]`],
    ['an object of very many names', `[{${Array.from({ length: 200_000 }, (_, at) => `"name${at}":1`)}}]`],
    ['a list within an object', `{"orders":[${'{"id":1},'.repeat(500_000)}{}]}`],
    ['brackets', '['.repeat(3_000_000)],
    ['elements that nest deeply', `[${'['.repeat(1000)}${']'.repeat(1000)}]`],
  ])('has %s is not read to its end', (_title, body) => {
    expect(read(body, 65_536)).toMatchObject({ name: 'JsonBeyondReading' })
  })

  it('begins with a byte order mark is not JSON', () => {
    expect(read('\ufeff[]')).toMatchObject({ message: 'it begins with a byte order mark (RFC 8259 §8.1)' })
  })

  it('has spaces is a list', () => {
    expect(listed(`[${' '.repeat(100_000)}{"id":1}${' '.repeat(100_000)}] \n`).length).toBe(1)
  })
})
