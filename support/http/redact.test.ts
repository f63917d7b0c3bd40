import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactDeep, redactor, redactorAt } from './redact.ts'
import { anyComposition, anyKey, characterEncodings, encodedBy } from './testing/encodings.ts'

const KEY = 'Sk-live/9f+"A\\b=7Zq$(x)'
const redact = redactor([{ value: KEY, variable: 'STORE_API_KEY' }])
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
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
    ['in a JSON string with escaped slashes', JSON.stringify(KEY).replaceAll('/', '\\/')],
    ['in JSON within JSON', JSON.stringify(JSON.stringify({ key: KEY }))],
    ['in hexadecimal', Buffer.from(KEY).toString('hex')],
    ['in hexadecimal, in capitals', Buffer.from(KEY).toString('hex').toUpperCase()],
    ['in hexadecimal, within a header', Buffer.from(`Bearer ${KEY}x`).toString('hex')],
    ['in hexadecimal, without its last character', Buffer.from(KEY.slice(0, -1)).toString('hex')],
    ['in base64, in JSON within JSON', base64(KEY).replaceAll('/', '\\\\/')],
    ['with a backslash before each mark', characterEncodings.backslashes(KEY)],
    ['without its last character', KEY.slice(0, -1)],
    ['without its first character', KEY.slice(1)],
    ['with a character added', `${KEY}x`],
    ['inside a word', `x${KEY}x`],
    ['twice', `${KEY}${KEY}`],
    ['cut off by an ellipsis', `${KEY.slice(0, 12)}…`],
    ['in a JSON string, cut off by an ellipsis', `${inJson(KEY).slice(0, 14)}…`],
    ['in JSON within JSON, cut off by an ellipsis', `${inJson(inJson(KEY)).slice(0, 16)}…`],
    ['in hexadecimal, cut off by an ellipsis', `${Buffer.from(KEY).toString('hex').slice(0, 20)}…`],
  ])('%s', (_title, spelled) => {
    const shown = redact(`before ${spelled} after`)
    expect(shown).toMatch(/^before /)
    expect(shown).toMatch(/ after$/)
    expect(shown).toContain('$STORE_API_KEY')
    for (const part of [
      KEY.slice(1, -1),
      encodeURIComponent(KEY).slice(3, -3),
      base64(KEY).slice(0, -4),
      Buffer.from(KEY).toString('hex').slice(0, 20),
      inJson(KEY).slice(0, 12),
      inJson(inJson(KEY)).slice(0, 12),
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

it('characters with a meaning in a regular expression are ordinary characters', () => {
  const value = 'a.*+?^${}()|[]\\/-b'
  const shown = redactor([{ value, variable: 'K' }])
  expect(shown(`<${value}>`)).toBe('<$K>')
  expect(shown('<aXXXX-b>')).toBe('<aXXXX-b>')
})

it('a replacement pattern in the name of the variable has no effect', () => {
  expect(redactor([{ value: 'secret-value', variable: '&$1' }])('secret-value')).toBe('$&$1')
})

it('each secret shows its own variable, the longer one first', () => {
  const both = redactor([
    { value: 'token-1', variable: 'STORE_STATES_TOKEN' },
    { value: 'token-1-and-more', variable: 'STORE_API_KEY' },
  ])
  expect(both('token-1-and-more token-1')).toBe('$STORE_API_KEY $STORE_STATES_TOKEN')
})

describe('keys as long as a signed token', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."/+'
  let state = 7
  const character = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return alphabet[(state >>> 8) % alphabet.length]
  }
  const keys = [
    ['random', Array.from({ length: 4_000 }, character).join('')],
    ['of one character', 'a'.repeat(4_000)],
    ['of one piece', 'ab"/'.repeat(1_000)],
  ] as const

  it.each(keys)('%s: every spelling, in a long text', (_title, key) => {
    const hide = redactor([{ value: key, variable: 'STORE_API_KEY' }])
    const filler = '{"id":1,"petId":2,"status":"ok"},'.repeat(5_000)
    const spelled: readonly (readonly [string, string])[] = [
      [key, '$STORE_API_KEY'],
      [key.toUpperCase(), '$STORE_API_KEY'],
      [key.slice(0, -1), '$STORE_API_KEY'],
      [encodeURIComponent(key), '$STORE_API_KEY'],
      [JSON.stringify(key), '"$STORE_API_KEY"'],
      [base64(key), '$STORE_API_KEY'],
      [Buffer.from(key).toString('hex'), '$STORE_API_KEY'],
      [`${key.slice(0, 6)}…`, '$STORE_API_KEY…'],
      [`${key.slice(0, 3_000)}…`, '$STORE_API_KEY…'],
    ]
    for (const [each, shown] of spelled) {
      const [before, after, ...more] = hide(`${filler} ${each} ${filler}`).split(shown)
      expect([before, more]).toEqual([`${filler} `, []])
      // The last characters of a base64 text belong in part to what follows the key.
      expect(after?.replace(/^[A-Za-z0-9+/]{0,2}={0,2}/, '')).toBe(` ${filler}`)
    }
  })

  it('characters whose lower case is longer do not shift the result', () => {
    const hide = redactor([{ value: 'secret-key', variable: 'K' }])
    expect(hide('İİ Secret-Key İ ΣΑΣ ſ secret-key İ')).toBe('İİ $K İ ΣΑΣ ſ $K İ')
  })
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
    '%s: the replacement is not redacted again',
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

it('no key survives any composition of encodings', () => {
  fc.assert(
    fc.property(anyKey, anyComposition, (value, composition) => {
      const { text, beside } = encodedBy(composition, value)
      const shown = redactor([{ value, variable: 'K' }])(`before ${text} after`)
      expect(shown).toMatch(/^before .*\$K.* after$/s)
      expect(shown.length - 'before $K after'.length).toBeLessThanOrEqual(beside + 12 + text.length / 8)
    }),
    { numRuns: 2_000 },
  )
})

it('a key that stands between two parts of a long text is found', () => {
  const hide = redactor([{ value: 'secret+key/of=the=store', variable: 'K' }])
  const around = 1024 * 1024
  for (const before of [around - 60, around - 12, around - 1, around, around + 1]) {
    const text = `${' '.repeat(before)}secret\\u002bkey\\/of%3Dthe%3Dstore${' '.repeat(around)}`
    expect(hide(text)).toBe(`${' '.repeat(before)}$K${' '.repeat(around)}`)
  }
})

describe('the address of the store', () => {
  it.each(['0', 'http', '24001', 'http://127.0.0.1:24001'])('with the key %s it stays an address', value => {
    const shown = redactorAt('http://127.0.0.1:24001', [{ value, variable: 'K' }])
    expect(shown('at http://127.0.0.1:24001/v1/0')).toMatch(/^at http:\/\/127\.0\.0\.1:24001\/v1\/(0|\$K)$/)
    expect(shown(`Bearer ${value}.`)).toBe(
      value.includes('://') ? 'Bearer http://127.0.0.1:24001.' : 'Bearer $K.',
    )
  })

  it('a key in the path is hidden, and so is one in the origin if the address stays valid', () => {
    const shown = (value: string) =>
      redactorAt('https://pets.example', [{ value, variable: 'K' }])('https://pets.example/secret-path/v1')
    expect(shown('secret-path')).toBe('https://pets.example/$K/v1')
    expect(shown('pets')).toBe('https://$K.example/secret-path/v1')
    expect(shown('https://pets.example/secret')).toBe('$K-path/v1')
  })
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

  it('a key that is a word of the suite does not break the report', () => {
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
