import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { reportMarkdown } from './formats.ts'
import { annotations, appendJobSummary } from './github.ts'
import { judgement, outOfDate, reportOf, reportWith } from './testing/fixtures.ts'

test('annotations name a cause each with its operations, and are at most ten, the last of which counts the other failures', () => {
  const shown = annotations({ ...reportWith({ failed: 60 }), gate: 'advisory' })
    .trim()
    .split('\n')
  expect(shown).toHaveLength(10)
  expect(shown[0]).toMatch(
    /^::error title=[a-z0-9-]+ \(§[\d.]+\)::Not met: .+: expected .+, got .+; also cancelOrder, listInventory, updateInventory$/,
  )
  expect(shown.at(-1)).toBe('::error title=6 more failures::The job summary shows them.')
})

test('annotations leave out expected failures, and point at stale entries', () => {
  const expectedFailure = { reason: 'r', owner: 'o', expires: '2026-12-31' }
  const report = reportOf({
    judgements: [judgement('a', 'failed', { expectedFailure }), judgement('b', 'passed')],
  })
  expect(annotations({ ...report, expectedFailures: outOfDate('a,b:c.yaml', 'x', 'remove it') })).toBe(
    '::error title=x%3A expected failure out of date,file=a%2Cb%3Ac.yaml,line=3,endLine=7::remove it\n',
  )
})

test('the job summary is appended to that of other steps, and stays below the limit of GitHub, with whole lines', () => {
  const path = join(newFolder(), 'summary.md')
  const size = () => readFileSync(path).length
  expect(appendJobSummary(reportMarkdown(reportWith()), path)).toBeUndefined()
  const before = size()
  appendJobSummary(reportMarkdown({ ...reportWith(), warnings: Array(100).fill('ä€😀'.repeat(2_000)) }), path)
  expect(size() - before).toBeLessThanOrEqual(1024 * 1024)
  const text = readFileSync(path, 'utf8')
  expect(text.match(/^## /gm)).toHaveLength(2)
  expect(text).toMatch(/\n> Cut here: [^\n]*\n$/)
  expect(text).not.toContain('\ufffd')
  expect(appendJobSummary('', join(path, 'no', 'folder'))).toMatch(/ENOTDIR/)
})
