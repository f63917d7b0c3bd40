import { expect, test } from 'vitest'
import { storeService } from '../interface/store-service.ts'
import { markdown } from './markdown.ts'
import { collate, letterOf, matrixDocument } from './matrix.ts'
import { report, rule } from './testing/fixtures.ts'

test('every rule of every store has a row, and the stores are called A to Z, then AA', () => {
  const { operations } = collate(
    [
      report([rule('a', 'passed'), rule('b', 'passed')]),
      report([rule('b', 'failed'), rule('c', 'untested', { operation: 'later' })]),
    ],
    storeService,
  )
  expect(operations.map(({ operation }) => operation)).toEqual(['listOrders', 'later'])
  const rows = operations.flatMap(operation => operation.rows)
  expect(rows.map(({ item, cells }) => [item.id, ...cells.map(cell => cell?.standing)])).toEqual([
    ['a', 'passed', undefined],
    ['b', 'passed', 'failed'],
    ['c', undefined, 'untested'],
  ])
  expect([0, 25, 26, 701, 702].map(letterOf)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA'])
})

test('an expected failure differs from other failures, and is shown with its reason', () => {
  const expectedFailure = { reason: 'the gateway is being replaced', owner: 'Ada', expires: '2026-12-31' }
  const one = collate(
    [report([rule('a', 'failed')]), report([rule('a', 'failed', { expectedFailure })])],
    storeService,
  )
  expect(one.operations[0]?.rows[0]?.differs).toBe(true)
  const text = markdown(matrixDocument(one))
  expect(text).toContain('1 failed as expected')
  expect(text).toContain('expected failure: the gateway is being replaced')
})
