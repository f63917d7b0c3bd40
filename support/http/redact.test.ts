import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactDeep, redactor, redactorAt } from './redact.ts'
import {
  anyComposition,
  anyEscape,
  anyKey,
  encodings,
  formsOf,
  partsOf,
  thirdOf,
} from './testing/encodings.ts'

const KEY = 'Sk-live/9f+"A\\b=7Zq$(x)'
const hiding = (value: string, variable = 'K') => redactor([{ value, variable, parts: true }])
const base64 = (text: string) => Buffer.from(text).toString('base64')
const html = (text: string) =>
  text.replace(/["=+/]/g, each => `&#x${Buffer.from(each).toString('hex').toUpperCase()};`)

it.each<readonly [string, string]>([
  ['in upper case', KEY.toUpperCase()],
  ['in lower case', KEY.toLowerCase()],
  ['as a user name in base64', base64(`${KEY}:`)],
  ['as a password in base64', base64(`user:${KEY}`)],
  ['in a JSON string of Gson', KEY.replace('"', '\\"').replace('\\b', '\\\\b').replace('=', '\\u003d')],
  ['in HTML of Mustache', html(KEY).replaceAll('&#x2B;', '+').replaceAll('&#x22;', '&quot;')],
  [
    'in base64 with every sign escaped',
    base64(KEY.replace(/\W/g, each => `&#x${encodings.hexadecimal(each)};`)),
  ],
  ['in a path', KEY.split('/').map(encodeURIComponent).join('/')],
  ['with a character added', `${KEY}x`],
  ['with another character in the middle', `${KEY.slice(0, 11)}9${KEY.slice(12)}`],
  ['twice', `${KEY}${KEY}`],
  ...Object.entries(encodings).map(([name, encode]) => [name, encode(KEY)] as const),
])('a key %s is hidden', (_title, written) => {
  expect(hiding(KEY)(`before ${written} after`)).toMatch(/^before [\w=]{0,7}\$K[\w=]{0,4} after$/)
})

it('no part of a third of a key survives, in any encoding inside another', () => {
  fc.assert(
    fc.property(anyKey, anyComposition, fc.nat(), fc.nat(), (value, encode, from, more) => {
      const third = thirdOf(value)
      const start = from % (value.length - third + 1)
      const part = value.slice(start, start + third + (more % value.length))
      // A part of three characters is hidden where it stands alone.
      const shown = hiding(value)(`x: ${encode(part.length > 3 ? `(${part})` : part)} .`)
      const left = partsOf(part, Math.max(third, 4)).flatMap(each => formsOf(encode, each))
      expect(left.filter(form => form.length > 3 && shown.includes(form))).toEqual([])
    }),
    { examples: [['!!!!!!!!!!!!!!!!!!!!!!!~', encodings.base64, 16, 0]] },
  )
})

it('a key is hidden whichever of its characters are escaped, once or twice, or in base64 or hexadecimal', () => {
  const anyInner = fc.oneof(
    anyEscape,
    fc.constantFrom(encodings.plain, encodings.hexadecimal, encodings.hexInCapitals),
  )
  fc.assert(
    fc.property(anyKey, anyInner, anyEscape, (value, inner, outer) => {
      const redact = hiding(value)
      expect(redact(`before ${outer(inner(value))} after`)).toBe('before $K after')
      expect(redact(outer(encodings.base64(value)))).toMatch(/^\$K.{0,27}$/)
    }),
  )
})

it('every secret is found escaped', () => {
  const all = ['two words', 'pässword', 'h3ader'].map(value => ({ value, variable: 'K' }))
  const shown = redactor(all)('two+words two%20words p%c3%A4ssword p&#228;ssword \\u00683ader %5cu00683ader')
  expect(shown).toBe('$K $K $K $K $K $K')
})

it('what is escaped and shows no secret stays as it is', () => {
  const text = '{\\"a\\":\\"%41%zz\\u0041\\u00\\"} &amp;&#43;&nosuch;&#x110000; %E2%82%AC \\\\ 100%'.repeat(9)
  expect(hiding(KEY)(text)).toBe(text)
  expect(hiding('abc')('%78abc%78 %20abc%20')).toBe('%78abc%78 %20$K%20')
})

describe('short and unlucky keys', () => {
  it.each(['a', '$', 'ey', 'test-key'])('with the key %s text stays readable', value => {
    const text =
      'expected 204 or 404, got 200; every API key of the store is required in the latest request; E=mc'
    const shown = hiding(value, 'STORE_API_KEY')(text)
    expect(shown.length).toBeLessThan(text.length * 2)
    expect(shown).toMatch(/required .* request/)
  })

  it.each([
    ['abc', 'Bearer abc, cab abcd', 'Bearer $K, cab abcd'],
    ['abcdefgh', 'abc*****, cde, xcdey, bcde5', '$K*****, $K, xcdey, $K5'],
    ['abcdefgh', 'abcd9fgh', '$K'],
    ['a.*+?^${}()|[]\\/-b', '<a.*+?^${}()|[]\\/-b> <aXXXX-b>', '<$K> <aXXXX-b>'],
    ['', 'anything', 'anything'],
  ])('%s', (value, text, shown) => {
    expect(hiding(value)(text)).toBe(shown)
  })

  it.each(['STORE', 'STORE_API_KEY', '$STORE_API_KEY', 'API_KEY'])(
    'the replacement of %s is not redacted again',
    value => {
      const secrets = [
        { value, variable: 'STORE_API_KEY' },
        { value: 'STATES', variable: 'STORE_STATES_TOKEN' },
      ]
      expect(redactor(secrets)(`x ${value} x`)).toBe('x $STORE_API_KEY x')
    },
  )
})

it('each secret shows its own variable, the longer one first, and parts only of a key', () => {
  const both = redactor([
    { value: 'token-1', variable: 'STORE_STATES_TOKEN' },
    { value: 'token-1-and-more', variable: 'STORE_API_KEY', parts: true },
    { value: 'header-value', variable: 'X_TENANT' },
  ])
  expect(both('token-1-and-more token-1 and-mo header-value header')).toBe(
    '$STORE_API_KEY $STORE_STATES_TOKEN $STORE_API_KEY $X_TENANT header',
  )
})

it.each([
  ['random', Array.from({ length: 1_000 }, (_, at) => base64(`${at * 7919}`).slice(0, 4)).join('')],
  ['of one character', 'a'.repeat(4_000)],
  ['of one piece', 'ab"/'.repeat(1_000)],
])('a key as long as a signed token, %s, is hidden in a long text', (_title, key) => {
  const filler = '{"id":1,"petId":2,"status":"ok"},'.repeat(5_000)
  const redact = hiding(key)
  for (const written of [key, encodings.url(key), encodings.json(key), encodings.hexadecimal(key)])
    expect(redact(`${filler} ${written} ${filler}`)).toBe(`${filler} $K ${filler}`)
  const half = redact(key.slice(2_000))
  expect(half.length).toBeLessThan(300)
})

describe('the address of the store', () => {
  it.each(['0', 'http', '24001', 'http://127.0.0.1:24001'])('with the key %s it stays an address', value => {
    const shown = redactorAt('http://127.0.0.1:24001', [{ value, variable: 'K' }])
    expect(shown('at http://127.0.0.1:24001/v1/0')).toMatch(/^at http:\/\/127\.0\.0\.1:24001\/v1\/(0|\$K)$/)
    expect(shown(`Bearer ${value}.`)).toBe(
      value.includes('://') ? 'Bearer http://127.0.0.1:24001.' : 'Bearer $K.',
    )
  })

  it.each([
    ['secret-path', 'https://pets.example/$K/v1'],
    ['pets', 'https://$K.example/secret-path/v1'],
    ['https://pets.example/secret', '$K-path/v1'],
  ])('the key %s in it is hidden if the address stays valid', (value, shown) => {
    const redact = redactorAt('https://pets.example', [{ value, variable: 'K' }])
    expect(redact('https://pets.example/secret-path/v1')).toBe(shown)
  })
})

describe('redactDeep', () => {
  it('reaches every string, at any depth', () => {
    expect(
      redactDeep(
        { a: ['secret-key', { b: 'x secret-key' }], c: 1, d: null, e: true, f: undefined },
        hiding('secret-key'),
      ),
    ).toEqual({ a: ['$K', { b: 'x $K' }], c: 1, d: null, e: true, f: undefined })
  })

  it.each(['passed', '1.0.0', 'id'])(
    'a key that is the word %s of the suite does not break the report',
    value => {
      const rule = { id: 'a-id-passed', outcome: 'passed', level: 'required', operation: 'listOrders' }
      const report = { verdict: 'conformant', profile: '1.0.0', rules: [rule] }
      expect(redactDeep(report, hiding(value))).toEqual(report)
    },
  )
})
