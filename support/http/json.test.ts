import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, JsonBeyondReading, JsonNumber, type JsonObject, parseJson, printJson } from './json.ts'

const value = (text: string): Json => parseJson(text).value

describe('numbers', () => {
  it.each(['9007199254740993', '5.0', '5e0', '12.50', '-0', '1E400', '9'.repeat(10_000)])(
    '%s keeps its text',
    source => {
      expect(value(source)).toEqual(new JsonNumber(source))
      expect(printJson(value(`[${source}]`))).toBe(`[${source}]`)
    },
  )
})

describe('repeated names', () => {
  const repeated = (text: string) => parseJson(text).repeatedName

  it.each([
    ['with different values', '{"id":1,"id":2}', '$.id'],
    ['spelled with an escape', '{"id":1,"\\u0069d":1}', '$.id'],
    ['deep within', '{"a":{"b":[{"c":1,"c":2}]}}', '$.a.b[0].c'],
    ['__proto__', '{"__proto__":1,"__proto__":2}', '$.__proto__'],
  ])('%s: the first is noted', (_title, text, path) => {
    expect(repeated(text)).toBe(path)
  })

  it('the same name in two objects is not a duplicate', () => {
    expect(repeated('[{"id":1},{"id":1},{"a":{"id":2},"id":3}]')).toBeUndefined()
  })
})

describe('members named like those of every object', () => {
  it('__proto__ is a member, and changes no prototype', () => {
    const parsed = value('{"__proto__":{"polluted":true}}') as JsonObject
    expect(Object.hasOwn(parsed, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(printJson(parsed)).toBe('{"__proto__":{"polluted":true}}')
  })
})

it('says what was expected and found, and where, without control characters', () => {
  expect(() => parseJson('[1,\u001b[31m')).toThrow('expected a value, found "\\u001b" at offset 3')
  expect(() => parseJson('[1')).toThrow("expected ',' or ']', found the end at offset 2")
  expect(() => parseJson('{"a" 1}')).toThrow('at offset 5')
})

describe('hostile sizes', () => {
  it('accepts 200 levels of nesting, and not one more', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(() => parseJson(nested(200))).not.toThrow()
    expect(() => parseJson(nested(202))).toThrow('nested deeper than 200 levels')
    expect(() => parseJson('['.repeat(5_000_000))).toThrow(JsonBeyondReading)
    expect(() => parseJson('{"a":'.repeat(1_000_000))).toThrow(JsonBeyondReading)
    expect(() => parseJson('[['.repeat(50))).not.toThrow(JsonBeyondReading)
  })

  it('accepts two million values, and not one more', () => {
    const list = (items: number) => `[${'0,'.repeat(items - 1)}0]`
    expect(() => parseJson(list(1_999_999))).not.toThrow()
    expect(() => parseJson(list(2_000_000))).toThrow(JsonBeyondReading)
  })

  const MANY = 5_000_000
  it.each([
    ['a string of escapes alone', `"${'\\n'.repeat(MANY / 2)}"`],
    ['a number of many digits', '1'.repeat(MANY)],
    ['white space', ' '.repeat(MANY) + 1],
  ])('%s', (_title, text) => {
    const read = value(text)
    if (typeof read === 'string') expect(read.length).toBe((JSON.parse(text) as string).length)
    else expect((read as JsonNumber).source.length).toBe(text.trim().length)
  })
})

describe('beside JSON.parse', () => {
  it('reads every value that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const text = JSON.stringify(json, undefined, indent as never)
        expect(JSON.parse(printJson(value(text)))).toEqual(JSON.parse(text))
      }),
    )
  })

  const accepts = (read: (text: string) => unknown, text: string) => {
    try {
      read(text)
      return true
    } catch {
      return false
    }
  }

  it.each([
    ...[
      '01',
      '.5',
      '5.',
      '-',
      '+5',
      '1.e5',
      'NaN',
      '１',
      '"\\ud800"',
      '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
      '"\u2028"',
      '"\n"',
    ],
    ...[
      '"\\x41"',
      '"\\u12"',
      '"\\',
      "'a'",
      '',
      '[1,]',
      '{"a":1,}',
      '{a:1}',
      '[1}',
      '[]x',
      'nullx',
      '\ufeff[]',
    ],
  ])('reads %j or refuses it', text => {
    expect(accepts(parseJson, text)).toBe(accepts(JSON.parse, text))
    if (accepts(JSON.parse, text)) expect(value(text)).toBe(JSON.parse(text))
  })

  it('accepts and refuses the same texts', () => {
    const piece = fc.constantFrom(...'{}[],:"\\01-.e5 \n\ufeff', '"a"', '"b"', 'null', 'true', 'u0041')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
        const text = pieces.join('')
        expect([text, accepts(parseJson, text)]).toEqual([text, accepts(JSON.parse, text)])
      }),
      { numRuns: 5_000 },
    )
  })
})
