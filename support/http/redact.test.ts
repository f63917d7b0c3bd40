import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactDeep, redactor } from './redact.ts'

const KEY = 'Sk-live/9f+"A\\b=7Zq$(x)'
const redact = redactor([{ value: KEY, variable: 'STORE_API_KEY' }])
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('spellings', () => {
  it.each([
    ['as it is', KEY],
    ['in upper case', KEY.toUpperCase()],
    ['in lower case', KEY.toLowerCase()],
    ['url-encoded', encodeURIComponent(KEY)],
    ['url-encoded in lower case', encodeURIComponent(KEY).toLowerCase()],
    ['form-encoded', new URLSearchParams({ k: KEY }).toString().slice(2)],
    ['in a JSON string', JSON.stringify(KEY)],
    ['in base64', base64(KEY)],
    ['as a user name in base64', base64(`${KEY}:`)],
    ['as a password in base64', base64(`:${KEY}`)],
    ['in base64 without padding', base64(`${KEY}:`).replace(/=+$/, '')],
    ['in base64 for URLs', Buffer.from(KEY).toString('base64url')],
    ['without its last character', KEY.slice(0, -1)],
    ['without its first character', KEY.slice(1)],
    ['with a character added', `${KEY}x`],
    ['inside a word', `x${KEY}x`],
    ['twice', `${KEY}${KEY}`],
    ['cut off by an ellipsis', `${KEY.slice(0, 12)}…`],
  ])('%s', (_title, spelled) => {
    const shown = redact(`before ${spelled} after`)
    expect(shown).toMatch(/^before /)
    expect(shown).toMatch(/ after$/)
    expect(shown).toContain('$STORE_API_KEY')
    for (const part of [
      KEY.slice(1, -1),
      encodeURIComponent(KEY).slice(3, -3),
      base64(KEY).slice(0, -4),
      KEY.slice(0, 12),
    ])
      expect(shown.toLowerCase()).not.toContain(part.toLowerCase())
  })

  it('keys with a single quote, quoted for a shell', () => {
    const quoted = redactor([{ value: "ab'cd'ef-ghi", variable: 'K' }])
    expect(quoted(`-H 'x: ab'\\''cd'\\''ef-ghi'`)).toBe("-H 'x: $K'")
  })

  it('other text stays as it is', () => {
    expect(redact('Sk-live/9f+"A is not it, nor $(x), nor …')).toBe(
      'Sk-live/9f+"A is not it, nor $(x), nor …',
    )
  })
})

it('characters that mean something to a pattern stand for themselves', () => {
  const value = 'a.*+?^${}()|[]\\/-b'
  const shown = redactor([{ value, variable: 'K' }])
  expect(shown(`<${value}>`)).toBe('<$K>')
  expect(shown('<aXXXX-b>')).toBe('<aXXXX-b>')
})

it('a replacement pattern in the variable is no pattern', () => {
  expect(redactor([{ value: 'secret-value', variable: '&$1' }])('secret-value')).toBe('$&$1')
})

it('each secret shows its own variable, the longer one first', () => {
  const both = redactor([
    { value: 'token-1', variable: 'STORE_STATES_TOKEN' },
    { value: 'token-1-and-more', variable: 'STORE_API_KEY' },
  ])
  expect(both('token-1-and-more token-1')).toBe('$STORE_API_KEY $STORE_STATES_TOKEN')
})

describe('short and unlucky keys', () => {
  it.each(['a', 'E', '1', '$', 'ey'])('%s: text stays readable, and does not grow', value => {
    const text = 'expected 204 or 404, got 200; every key is required; E=mc'
    const shown = redactor([{ value, variable: 'STORE_API_KEY' }])(text.repeat(50))
    expect(shown.length).toBeLessThan(text.length * 50 * 3)
    expect(shown).toContain('required')
  })

  it('a short key is hidden where it stands alone', () => {
    expect(redactor([{ value: 'abc', variable: 'K' }])('Bearer abc, cab abcd')).toBe('Bearer $K, cab abcd')
  })

  it.each(['a', 'ab', 'abc', 'abcd', 'abcde'])('%s as the user name of Basic is hidden', value => {
    const shown = redactor([{ value, variable: 'K' }])(`Basic ${base64(`${value}:`)}`)
    expect(shown).toBe('Basic $K')
  })

  it.each(['STORE', 'STORE_API_KEY', '$STORE_API_KEY', 'API_KEY'])(
    '%s: what is put in is not looked at again',
    value => {
      const shown = redactor([
        { value, variable: 'STORE_API_KEY' },
        { value: 'STATES', variable: 'STORE_STATES_TOKEN' },
      ])
      expect(shown(`x ${value} x`)).toBe('x $STORE_API_KEY x')
    },
  )

  it('an empty secret redacts nothing', () => {
    expect(redactor([{ value: '', variable: 'STORE_REVOKED_API_KEY' }])('anything')).toBe('anything')
    expect(redactor([])('anything')).toBe('anything')
  })
})

it('no key of any kind survives anywhere', () => {
  const key = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
    minLength: 12,
  })
  fc.assert(
    fc.property(key, fc.string(), fc.string(), (value, before, after) => {
      const hide = redactor([{ value, variable: 'STORE_API_KEY' }])
      for (const spelled of [value, JSON.stringify(value), encodeURIComponent(value), base64(value)])
        expect(hide(before + spelled + after).toLowerCase()).not.toContain(value.toLowerCase())
    }),
  )
})

describe('redactDeep', () => {
  const hide = redactor([{ value: 'secret-key', variable: 'K' }])

  it('reaches every string, at any depth', () => {
    expect(
      redactDeep({ a: ['secret-key', { b: 'x secret-key' }], c: 1, d: null, e: true, f: undefined }, hide),
    ).toEqual({
      a: ['$K', { b: 'x $K' }],
      c: 1,
      d: null,
      e: true,
      f: undefined,
    })
  })

  it('a key that is one of our own words leaves the report in shape', () => {
    for (const value of ['passed', 'conformant', 'required', 'listOrders', '1.0.0', 'outcome', 'id']) {
      const rule = {
        id: 'a-id-passed',
        outcome: 'passed',
        level: 'required',
        operation: 'listOrders',
        exchanges: [1],
      }
      const report = { verdict: 'conformant', profile: '1.0.0', rules: [rule] }
      expect(redactDeep(report, redactor([{ value, variable: 'STORE_API_KEY' }]))).toEqual(report)
    }
  })
})
