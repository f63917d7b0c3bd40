import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactor } from './redact.ts'
import { anyKey, encodings, insideBase64 } from './testing/encodings.ts'

const KEY = 'Sk-live/9f+"A\\b=7Zq$(x)'
const hiding = (value: string) => redactor([{ value, shown: '$K' }])
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a secret is replaced whole', () => {
  it.each(Object.entries(encodings))('%s', (_name, encode) => {
    fc.assert(
      fc.property(anyKey, key => {
        const hide = hiding(key)
        for (const text of ['before SECRET after', '{"a":"SECRET"}', '<b>SECRET</b>', '/?k=SECRET&n=1'])
          expect(hide(text.replace('SECRET', () => encode(key)))).toBe(text.replace('SECRET', '$K'))
      }),
      { numRuns: 30, examples: [[KEY]] },
    )
  })

  it('in base64 inside a longer text', () => {
    fc.assert(
      fc.property(anyKey, fc.string(), fc.string(), (key, before, after) => {
        const shown = hiding(key)(base64(before + key + after))
        expect(shown).toContain('$K')
        expect(insideBase64(key).filter(each => shown.includes(each))).toEqual([])
      }),
    )
  })

  it('so that JSON stays JSON', () => {
    const key = fc.stringMatching(/^[!-[\]-~]{6,20}$/).map(text => `${text}k7${text}`)
    const around = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\n', ''))
    fc.assert(
      fc.property(key, around, around, (value, before, after) => {
        const text = JSON.stringify({ a: before + value + after, b: JSON.stringify([after, value, before]) })
        const shown = hiding(value)(text)
        expect(shown).not.toContain(value)
        expect(Object.values(JSON.parse(shown)).every(each => String(each).includes('$K'))).toBe(true)
      }),
    )
  })

  it.each([
    ['random', Array.from({ length: 5_000 }, (_, at) => base64(`${at * 7919}`).slice(0, 4)).join('')],
    ['of one character', 'a1'.repeat(4_000)],
    ['of many signs', 'ab-/1'.repeat(1_000)],
  ])('as long as a signed token, %s, in a long text', (_title, key) => {
    const filler = '{"id":1,"petId":2,"status":"ok"},'.repeat(5_000)
    for (const written of [key, encodings.url(key), encodings.jsonWithSlashes(key), base64(key)]) {
      const shown = hiding(key)(`${filler} ${written} ${filler}`)
      expect(shown === `${filler} $K ${filler}`, written.slice(0, 20)).toBe(true)
    }
  })
})

it('any part of a secret stays, and so does other text with escapes', () => {
  fc.assert(
    fc.property(anyKey, fc.nat(), fc.nat(), (key, from, to) => {
      const part = key.slice(from % key.length).slice(0, to % key.length)
      fc.pre(part.length < key.length)
      expect(hiding(key)(`x ${part}.`)).toBe(`x ${part}.`)
    }),
  )
  const text = '{\\"a\\":\\"%41%zz\\u0041\\u00\\"} &amp;&#43;&nosuch;&#x110000; %E2%82%AC \\\\ 100%'
  expect(hiding(KEY)(text.repeat(9))).toBe(text.repeat(9))
})

describe('a secret that a store may send by chance is replaced only after Bearer', () => {
  it.each([
    ...['available', 'true', '5', '$', 'keep-alive', 'shipped-order', 'application/json; charset=utf-8'],
    ...['-9223372036854775808', '2026-11-21T10:00:00Z', '1e308', '127.0.0.1:8080'],
  ])('%s', key => {
    const text = `HTTP/1.1 200 {"id":${key},"status":"${key}","a":"x${key}"} Bearer realm="${key}", ${base64(key)}`
    expect(hiding(key)(text)).toBe(text)
    expect(hiding(key)(`no key "Bearer ${key}", bearer ${key}.`)).toBe('no key "Bearer $K", bearer $K.')
  })

  it('also one that is part of an address that the user gave', () => {
    const secrets = [{ value: 'tenant-4711', shown: '$K' }]
    const redact = redactor(secrets, [undefined, 'https://tenant-4711.example/v1'])
    expect(redact('at https://tenant-4711.example/v1, Bearer tenant-4711')).toBe(
      'at https://tenant-4711.example/v1, Bearer $K',
    )
    expect(redactor(secrets, ['https://other.example/v1'])('tenant-4711.example')).toBe('$K.example')
  })
})

it('of several secrets, each shows its own name, a longer one first, and names are not replaced again', () => {
  const redact = redactor([
    { value: 'token-0001', shown: '$STORE_STATES_TOKEN' },
    { value: 'token-0001-and-more', shown: '$STORE_API_KEY_1' },
    { value: 'header value 1', shown: '$X_TENANT' },
    { value: 'token-0001', shown: '$ANOTHER_NAME' },
    { value: 'STORE_API_KEY_1', shown: '$OF_A_NAME' },
    { value: '', shown: '$EMPTY' },
  ])
  expect(redact('token-0001-and-more token-0001token-0001 header+value+1 header STORE_API_KEY_1')).toBe(
    '$STORE_API_KEY_1 $STORE_STATES_TOKEN$STORE_STATES_TOKEN $X_TENANT header $OF_A_NAME',
  )
})
