import { expect, test } from 'vitest'
import { storeService } from '../interface/store-service.ts'
import { markdown } from './markdown.ts'
import { letterOf, matrixDocument } from './matrix.ts'
import type { ReportFile } from './report.ts'
import { report, rule } from './testing/fixtures.ts'

const text = (...reports: ReportFile[]) => markdown(matrixDocument(reports, storeService))

test('every rule of every store has a row, and the stores are called A to Z, then AA', () => {
  const [, ...operations] = text(
    report([rule('a', 'passed'), rule('b', 'passed')]),
    report([rule('b', 'failed'), rule('c', 'untested', { operation: 'later' })]),
  ).split('<summary>')
  const shown = operations.map(each => each.match(/^\w+|`.`.*/gm))
  expect(shown).toEqual([
    ['listOrders', '`a` required, §4.1 | ✅ |  |', '`b` required, §4.1 | ✅ | ❌ |'],
    ['later', '`c` required, §4.1 |  | ⚪ |'],
  ])
  expect([0, 25, 26, 701, 702].map(letterOf)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA'])
})

test('an expected failure differs from other failures, and is shown with its reason', () => {
  const expectedFailure = { reason: 'the gateway is being replaced', owner: 'Ada', expires: '2026-12-31' }
  const shown = text(report([rule('a', 'failed')]), report([rule('a', 'failed', { expectedFailure })]))
  expect(shown).toContain('### Where they differ \\(1\\)')
  expect(shown).toContain('1 failed as expected')
  expect(shown).toContain('expected failure: the gateway is being replaced')
})
