import { expect, it } from 'vitest'
import { bodyKeeper } from './kept-bodies.ts'

const SIZE = 100_000
const response = (body: string) => ({ status: 200, headers: [], body })
const large = (first: string) => first.repeat(SIZE)

it('holds what fits, and nothing beyond', () => {
  const keep = bodyKeeper(2 * SIZE)
  expect(keep(response(large('a')))).toEqual(response(large('a')))
  expect(keep(response(large('b')))).toEqual(response(large('b')))
  expect(keep(response(large('c')))).toBeUndefined()
})

it('equal large bodies take room once, small bodies take none', () => {
  const keep = bodyKeeper(SIZE)
  for (let times = 0; times < 5; times += 1) expect(keep(response(large('a')))).toBeDefined()
  expect(keep(response('[]'))).toEqual(response('[]'))
  expect(keep(response(large('b')))).toBeUndefined()
})

it('characters beyond Latin-1 count double', () => {
  expect(bodyKeeper(2 * SIZE - 1)(response(large('é')))).toBeDefined()
  expect(bodyKeeper(2 * SIZE - 1)(response(large('€')))).toBeUndefined()
})

it('bytes that are not UTF-8 count in addition to the text', () => {
  const keep = bodyKeeper(2 * SIZE)
  const both = { ...response(large('a')), bodyBase64: large('b') }
  expect(keep(both)).toEqual(both)
  expect(keep(response(large('c')))).toBeUndefined()
})
