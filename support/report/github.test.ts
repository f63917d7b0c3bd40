import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { annotations, appendJobSummary } from './github.ts'
import type { Report } from './report.ts'
import { outOfDate, reportWith } from './testing/fixtures.ts'

const lines = (report: Report) => annotations(report).split('\n').slice(0, -1)

describe('annotations', () => {
  test('name a cause each with its operations, and are at most ten, the last of which counts the other failures', () => {
    const shown = lines({ ...reportWith({ failed: 60 }), gate: 'advisory' })
    expect(shown).toHaveLength(10)
    expect(shown[0]).toMatch(
      /^::error title=[a-z0-9-]+ \(§[\d.]+\)::Not met: .+: expected .+, got .+; also cancelOrder, listInventory, updateInventory$/,
    )
    expect(shown.at(-1)).toBe('::error title=6 more failures::The job summary shows them.')
  })

  test('leave out expected failures, and point at stale entries', () => {
    const report = reportWith({ failed: 1 })
    const [first, ...rest] = report.rules as [Report['rules'][number], ...Report['rules']]
    const shown = lines({
      ...report,
      rules: [{ ...first, expectedFailure: { reason: 'r', owner: 'o', expires: '2026-12-31' } }, ...rest],
      expectedFailures: outOfDate('a,b:c.yaml', 'x', 'remove it'),
    })
    expect(shown).toEqual([
      '::error title=x%3A expected failure out of date,file=a%2Cb%3Ac.yaml,line=3,endLine=7::remove it',
    ])
  })
})

describe('the job summary', () => {
  test('is appended to the summary of other steps; one that cannot be written does not fail the run', () => {
    const folder = newFolder()
    const path = join(folder, 'summary.md')
    expect(appendJobSummary(reportWith(), path)).toBeUndefined()
    expect(appendJobSummary(reportWith({ failed: 1 }), path)).toBeUndefined()
    expect(readFileSync(path, 'utf8').match(/^## /gm)).toHaveLength(2)
    expect(appendJobSummary(reportWith(), join(folder, 'no', 'such', 'folder'))).toMatch(/ENOENT/)
  })

  test('stays below the limit of GitHub, and ends with a whole line', () => {
    const path = join(newFolder(), 'summary.md')
    appendJobSummary({ ...reportWith(), warnings: Array(100).fill('ä€😀'.repeat(2_000)) }, path)
    const summary = readFileSync(path, 'utf8')
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(1024 * 1024)
    expect(summary).toMatch(/\n> Cut here: [^\n]*\n$/)
    expect(summary).not.toContain('\ufffd')
  })
})
