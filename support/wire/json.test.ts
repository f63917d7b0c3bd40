import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, JsonBeyondReading, JsonNumber, type JsonObject, parseJson, printJson } from './json.ts'

const value = (text: string): Json => parseJson(text).value

it.each(['9007199254740993', '5.0', '5e0', '12.50', '-0', '1E400'])('%s keeps its text', source => {
  expect(value(source)).toEqual(new JsonNumber(source))
  expect(printJson(value(`[${source}]`))).toBe(`[${source}]`)
})

it.each([
  ['with different values', '{"id":1,"id":2,"a":1,"a":2}', '$.id'],
  ['spelled with an escape', '{"id":1,"\\u0069d":1}', '$.id'],
  ['deep within', '{"a":{"b":[{"c":1,"c":2}]}}', '$.a.b[0].c'],
  ['__proto__', '{"__proto__":1,"__proto__":2}', '$.__proto__'],
  ['in two objects', '[{"id":1},{"id":1},{"a":{"id":2},"id":3}]', undefined],
])('a repeated name %s: the first is noted', (_title, text, path) => {
  expect(parseJson(text).repeatedName).toBe(path)
})

it('__proto__ is a member, and changes no prototype', () => {
  const parsed = value('{"__proto__":{"polluted":true}}') as JsonObject
  expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
  expect(printJson(parsed)).toBe('{"__proto__":{"polluted":true}}')
})

it.each([
  ['[1,\u001b[31m', 'expected a value, found "\\u001b" at offset 3'],
  ['[1', "expected ',' or ']', found the end at offset 2"],
  ['{"a" 1}', 'at offset 5'],
])('says what was expected and found, and where, without control characters: %j', (text, message) => {
  expect(() => parseJson(text)).toThrow(message)
})

describe('hostile sizes', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const list = (items: number) => `[${'0,'.repeat(items - 1)}0]`
  const MANY = 5_000_000

  it.each([
    ['200 levels', nested(200), nested(202)],
    ['brackets without end', '[]', '['.repeat(MANY)],
    ['objects without end', '{}', '{"a":'.repeat(MANY / 5)],
    ['two million values', list(1_999_999), list(2_000_000)],
  ])('%s: accepts them, and not more', (_title, accepted, refused) => {
    expect(() => parseJson(accepted)).not.toThrow()
    expect(() => parseJson(refused)).toThrow(JsonBeyondReading)
  })

  it('reads a number of many digits, a string of escapes alone, and white space', () => {
    expect(printJson(value('9'.repeat(MANY)))).toHaveLength(MANY)
    expect(value(`"${'\\n'.repeat(MANY / 2)}"`)).toHaveLength(MANY / 2)
    expect(value(' '.repeat(MANY) + 1)).toEqual(new JsonNumber('1'))
  })
})

describe('beside JSON.parse', () => {
  /** What it reads of a text, or undefined if it refuses it. */
  const read = <Read>(parse: (text: string) => Read, text: string) => {
    try {
      return { value: parse(text) }
    } catch {
      return undefined
    }
  }
  const expectSame = (text: string): void => {
    const found = read(value, text)
    const again = found && { value: JSON.parse(printJson(found.value)) }
    expect({ text, found: again }).toEqual({ text, found: read(JSON.parse, text) })
  }

  it('reads every value that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        expectSame(JSON.stringify(json, undefined, indent))
      }),
    )
  })

  it.each([
    ...`01 .5 5. - +5 1.e5 NaN １ 'a' [1,] {"a":1,} {a:1} [1} []x nullx \ufeff[] "\u2028" "\n"`.split(' '),
    ...String.raw`"\ud800" "\"\\\/\b\f\n\r\t" "\x41" "\u12" "\ `.split(' '),
  ])('reads %j or refuses it', expectSame)

  it('accepts and refuses the same texts', () => {
    const piece = fc.constantFrom(...'{}[],:"\\01-.e5 \n\ufeff', '"a"', '"b"', 'null', 'true', 'u0041')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), pieces => expectSame(pieces.join(''))),
      { numRuns: 5_000 },
    )
  })
})
