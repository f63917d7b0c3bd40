import { describe, expect, test } from 'vitest'
import { storeService } from '../../interface/store-service.ts'
import { markdown } from '../markdown.ts'
import { report, rule } from '../testing/fixtures.ts'
import { collate, letterOf } from './collate.ts'
import { matrixDocument } from './print.ts'

describe('stores side by side', () => {
  const matrix = collate(
    [
      report([rule('a', 'passed'), rule('b', 'passed')]),
      report([rule('b', 'failed'), rule('c', 'untested', { operation: 'later' })]),
    ],
    storeService,
  )

  test('have a row for every rule of every store, by operation', () => {
    expect(
      matrix.operations.map(({ operation, rows }) => [
        operation,
        rows.map(({ item, cells, differs }) => [item.id, cells.map(cell => cell?.standing), differs]),
      ]),
    ).toEqual([
      [
        'listOrders',
        [
          ['a', ['passed', undefined], true],
          ['b', ['passed', 'failed'], true],
        ],
      ],
      ['later', [['c', [undefined, 'untested'], true]]],
    ])
  })

  test('show expected failures, which differ from other failures, with their reason', () => {
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

  test('are called A to Z, then AA', () => {
    expect([0, 25, 26, 27, 701, 702].map(letterOf)).toEqual(['A', 'Z', 'AA', 'AB', 'ZZ', 'AAA'])
  })
})
