import { expect, it } from 'vitest'
import { JsonSyntaxError } from './json.ts'
import { tryJson } from './read-json.ts'

const response = (body: string) => ({ status: 200, headers: [], body })
const list = (first: number) => `[${first}${',{"id":1}'.repeat(20_000)}]`

it.each([
  ['small', '[1,2]'],
  ['large', list(1)],
])('a %s body is parsed once, however often it is used', (_title, body) => {
  const one = response(body)
  expect(tryJson(one)).toBe(tryJson(one))
})

it('large bodies that are equal are read once', () => {
  expect(tryJson(response(list(2)))).toBe(tryJson(response(list(2))))
})

it('a large body is parsed again after many others, with the same result', () => {
  const one = response(list(3))
  const before = tryJson(one)
  for (let at = 0; at < 40; at += 1) tryJson(response(list(100 + at)))
  expect(tryJson(one)).not.toBe(before)
  expect(tryJson(one)).toEqual(before)
})

it('a syntax error is remembered, whatever the size of the body', () => {
  for (const body of ['[1', `[${'1,'.repeat(100_000)}`]) {
    const one = response(body)
    expect(tryJson(one)).toBeInstanceOf(JsonSyntaxError)
    expect(tryJson(one)).toBe(tryJson(one))
  }
})
