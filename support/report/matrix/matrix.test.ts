import { describe, expect, test } from 'vitest'
import { storeService } from '../../interface/store-service.ts'
import { report, rule } from '../testing/fixtures.ts'
import { collate, letterOf } from './collate.ts'
import { matrixMarkdown } from './markdown.ts'
import { matrixHtml } from './page.ts'

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
        'cancelOrder',
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
    expect(matrixMarkdown(one)).toContain('1 failed as expected')
    expect(one.operations[0]?.rows[0]?.differs).toBe(true)
    const reason = 'expected failure: the gateway is being replaced (Ada, until 2026-12-31)'
    expect(matrixHtml(one, storeService)).toContain(reason)
    expect(matrixMarkdown(one)).toContain('the gateway is being replaced')
  })

  test('are called A to Z, then AA', () => {
    expect([0, 25, 26, 27, 701, 702].map(letterOf)).toEqual(['A', 'Z', 'AA', 'AB', 'ZZ', 'AAA'])
  })
})

describe('hostile text in a report', () => {
  const nasty = `</style></script><script>alert(1)</script><img src=x onerror=alert(1)>" onload="x" \u202e\u001b[2J | \`x\` @all`
  const matrix = collate(
    [
      report([rule('a', 'failed', { title: nasty, message: nasty, clause: nasty })], {
        target: { baseUrl: nasty },
        profile: nasty,
        observations: [{ id: 'o', operation: 'x', clause: '2/order', title: nasty, saw: nasty }],
      }),
      report([rule(nasty, 'failed', { operation: nasty })]),
    ],
    storeService,
  )

  test('is text in the page, which loads nothing', () => {
    const page = matrixHtml(matrix, storeService)
    expect(page).not.toMatch(/<script|<img/i)
    expect(page.match(/<\/style>/g)).toHaveLength(1)
    for (const mark of ['\u202e', '\u001b', '"x"']) expect(page).not.toContain(mark)
    expect(page).not.toMatch(/\s(src|href)="(?!#)/)
    expect(page).toContain(`default-src &#39;none&#39;`)
    expect(page).toContain('&lt;script&gt;')
  })

  test('cannot end a cell of a Markdown table', () => {
    const rows = matrixMarkdown(matrix)
      .split('\n')
      .filter(line => line.startsWith('|'))
    const bars = (row: string) => row.replaceAll('\\|', '').split('|').length - 1
    for (const row of rows) {
      expect(row).not.toMatch(/(?<!\\)<script/)
      // The table of stores has seven bars in each row, the other tables have four.
      expect([7, 4]).toContain(bars(row))
    }
  })
})
