import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Json,
  JsonBeyondReading,
  JsonNumber,
  type JsonObject,
  JsonSyntaxError,
  parseJson,
  printJson,
} from './json.ts'

const value = (text: string): Json => parseJson(text).value
const member = (text: string, name: string): Json | undefined => (value(text) as JsonObject)[name]

/** The value as `JSON.parse` returns it: numbers become doubles. */
function lossy(json: Json): unknown {
  if (json instanceof JsonNumber) return Number(json.source)
  if (Array.isArray(json)) return json.map(lossy)
  if (json === null || typeof json !== 'object') return json
  const plain = {}
  for (const [name, each] of Object.entries(json)) {
    Object.defineProperty(plain, name, {
      value: lossy(each),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return plain
}

describe('numbers', () => {
  it.each([
    '9007199254740993',
    '-9223372036854775808',
    '18446744073709551616',
    '5',
    '5.0',
    '5e0',
    '5E+00',
    '12.50',
    '-0',
    '0',
    '-0.0',
    '1E400',
    '1e-400',
    '0.1',
    '9'.repeat(10_000),
  ])('%s keeps its text', source => {
    expect(value(source)).toEqual(new JsonNumber(source))
    expect(printJson(value(`[${source}]`))).toBe(`[${source}]`)
  })
})

describe('repeated names', () => {
  const repeated = (text: string) => parseJson(text).repeatedName

  it.each([
    ['with different values', '{"id":1,"id":2}', '$.id'],
    ['with equal values', '{"id":1,"id":1}', '$.id'],
    ['spelled with an escape', '{"id":1,"\\u0069d":1}', '$.id'],
    ['within a list', '[{"a":1},{"a":1},{"id":1,"b":2,"id":1}]', '$[2].id'],
    ['deep within', '{"a":{"b":[{"c":1,"c":2}]}}', '$.a.b[0].c'],
    ['at two places', '{"a":{"x":1,"x":1},"b":{"x":1,"x":1}}', '$.a.x'],
    ['__proto__', '{"__proto__":1,"__proto__":2}', '$.__proto__'],
    ['the empty name', '{"":1,"":1}', '$.'],
  ])('%s: the first is noted', (_title, text, path) => {
    expect(repeated(text)).toBe(path)
  })

  it('the same name in two objects is not a duplicate', () => {
    expect(repeated('[{"id":1},{"id":1},{"a":{"id":2},"id":3}]')).toBeUndefined()
  })

  it('names that differ in case differ', () => expect(repeated('{"id":1,"ID":1}')).toBeUndefined())

  it('the last value counts', () => {
    expect(member('{"id":1,"id":2}', 'id')).toEqual(new JsonNumber('2'))
  })

  it('names of the object prototype are not repeated by occurring once', () => {
    expect(repeated('{"constructor":1,"toString":2,"hasOwnProperty":3,"__proto__":4}')).toBeUndefined()
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

  it('constructor is a member', () => {
    expect(member('{"constructor":"x"}', 'constructor')).toBe('x')
  })
})

it('says what was expected and found, and where, without control characters', () => {
  expect(() => parseJson('[1,\u001b[31m')).toThrow('expected a value at offset 3, found "\\u001b"')
  expect(() => parseJson('[1')).toThrow("expected ',' or ']' at offset 2, found the end")
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

  it('a string that ends in a backslash', () => {
    expect(() => parseJson(`"${'x\\n'.repeat(MANY / 3)}\\`)).toThrow(JsonSyntaxError)
  })

  it('an array of two hundred thousand entries', () => {
    expect(value(`[${'{"id":1},'.repeat(200_000)}0]`)).toHaveLength(200_001)
  })

  it('an object of a hundred thousand members', () => {
    const text = `{${Array.from({ length: 100_000 }, (_, at) => `"n${at}":${at}`).join(',')}}`
    expect(Object.keys(value(text) as JsonObject)).toHaveLength(100_000)
  })
})

describe('beside JSON.parse', () => {
  it('reads every value that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const text = JSON.stringify(json, undefined, indent as never)
        expect(lossy(value(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('prints what it read, except the white space', () => {
    fc.assert(
      fc.property(fc.jsonValue(), json => {
        const text = JSON.stringify(json)
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
    ...['01', '-01', '.5', '5.', '-', '+5', '1e', '1.e5', '0x10', '1_000', 'NaN', '-Infinity', '1n', '１'],
    ...['"\\ud800"', '"\\udc00x"', '"\\uD83D\\uDE00"', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\u2028"', '"\u007f"'],
    ...['"\n"', '"\u0000"', '"\u001f"', '"\\x41"', '"\\u12"', '"\\u00g0"', '"\\', '"abc', "'a'"],
    ...['', ' \n', '[1,]', '[,1]', '{"a":1,}', '{a:1}', '{1:1}', '[1}', '1 1', '[]x', 'True', 'nullx'],
    ...['/* */1', '\ufeff[]', '\u00a0[]', '\f[]', '<!doctype html>'],
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

describe('printJson', () => {
  it('writes bigints as integers of any size', () =>
    expect(printJson(2n ** 70n)).toBe('1180591620717411303424'))
  it('escapes what has to be escaped', () => {
    expect(printJson({ 'a"\n': ['\u0000', '\ud800', true, null] })).toBe(
      '{"a\\"\\n":["\\u0000","\\ud800",true,null]}',
    )
  })
})
