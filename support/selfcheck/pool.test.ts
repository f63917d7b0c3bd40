import { expect, it } from 'vitest'
import { partOf } from './pool.ts'

const items = Array.from({ length: 11 }, (_, at) => at)

it('the parts have every item once', () => {
  const parts = ['1/4', '2/4', '3/4', '4/4'].flatMap(shard => partOf(items, shard) ?? [])
  expect(parts.sort((a, b) => a - b)).toEqual(items)
})

it.each(['0/4', '5/4', '1', '1/0', 'a/b', '1/4 '])('%j is no part', shard => {
  expect(partOf(items, shard)).toBeUndefined()
})
