import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storeServiceUnderTest } from '../../run/store-service.ts'
import { reportWith } from '../html/testing/reports.ts'
import type { Report, ReportedRule } from '../report.ts'
import { writeAllureResults } from './results.ts'

interface Result {
  readonly name: string
  readonly historyId: string
  readonly status: string
  readonly statusDetails: { readonly message?: string }
  readonly labels: readonly { readonly name: string; readonly value: string }[]
}

const { suites } = storeServiceUnderTest

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'store-conformance-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** The result of the first rule of the report, which has these members instead. */
function resultOf(members: Partial<ReportedRule>): Result {
  const report = reportWith()
  const [first, ...others] = report.rules as [ReportedRule, ...ReportedRule[]]
  const at = folder()
  writeAllureResults({ ...report, rules: [{ ...first, ...members }, ...others] } as Report, suites, at)
  const results = readdirSync(join(at, 'allure-results'))
    .filter(name => name.endsWith('-result.json'))
    .map(name => JSON.parse(readFileSync(join(at, 'allure-results', name), 'utf8')) as Result)
  expect(results).toHaveLength(report.rules.length)
  return results.find(({ historyId }) => historyId === first.id) ?? expect.fail('no result')
}

const categoryOf = ({ status, statusDetails: { message = '' } }: Result): string => {
  const at = folder()
  writeAllureResults(reportWith(), suites, at)
  const categories: { name: string; matchedStatuses: string[]; messageRegex?: string }[] = JSON.parse(
    readFileSync(join(at, 'allure-results', 'categories.json'), 'utf8'),
  )
  const found = categories.find(
    ({ matchedStatuses, messageRegex = '.*' }) =>
      matchedStatuses.includes(status) && new RegExp(`^(?:${messageRegex})$`, 's').test(message),
  )
  return found?.name ?? 'none'
}

describe('the Allure result of a rule', () => {
  it('that passed', () => {
    const result = resultOf({})
    expect(result).toMatchObject({ status: 'passed', statusDetails: {} })
    expect(result.labels).toContainEqual({ name: 'family', value: 'cancel-order' })
  })

  const failed = {
    outcome: 'failed',
    message: 'expected 401, got 200',
    expected: '401',
    actual: '200',
  } as const
  const excuse = { reason: 'bug 7', owner: 'ann', expires: '2030-01-01' }
  it.each<[string, Partial<ReportedRule>, string, RegExp, string]>([
    ['that failed', failed, 'failed', /401/, 'Failed'],
    [
      'that could not be determined',
      { outcome: 'cantTell', message: 'a reset' },
      'broken',
      /^could not be determined: a reset$/,
      'Could not be determined',
    ],
    [
      'of advice that was not followed',
      { ...failed, level: 'advisory' },
      'skipped',
      /^advice not followed: expected 401/,
      'Advice not followed',
    ],
    [
      'that is newer than the profile',
      { ...failed, newSince: '1.0.0' },
      'skipped',
      /^failed, but newer than the profile: /,
      'Failed, but newer than the profile',
    ],
    [
      'that failed as expected',
      { ...failed, expectedFailure: excuse },
      'skipped',
      /^expected failure: bug 7 \(ann, until 2030-01-01\); failed as expected: /,
      'Expected failures',
    ],
    [
      'that was not tested',
      { outcome: 'untested', message: 'it needs 2 pets', need: 'name 2 more pets' },
      'skipped',
      /^not tested: it needs 2 pets \(name 2 more pets\)$/,
      'Not tested',
    ],
  ])('%s', (_title, members, status, message, category) => {
    const result = resultOf(members)
    expect(result.status).toBe(status)
    expect(result.statusDetails.message).toMatch(message)
    expect(result.name.startsWith('Not met: ')).toBe(status === 'failed')
    expect(categoryOf(result)).toBe(category)
  })
})

it('replaces the results of an earlier run, and leaves no partial folder', () => {
  const at = folder()
  writeAllureResults(reportWith(), suites, at)
  const earlier = readdirSync(join(at, 'allure-results'))
  writeAllureResults(reportWith(), suites, at)
  expect(readdirSync(at)).toEqual(['allure-results'])
  const results = readdirSync(join(at, 'allure-results')).filter(name => name.endsWith('-result.json'))
  expect(results).not.toEqual([])
  expect(results.filter(name => earlier.includes(name))).toEqual([])
})

it('leaves no results if they cannot be written', () => {
  const at = join(folder(), 'a file in place of the folder')
  writeFileSync(at, '')
  expect(() => writeAllureResults(reportWith(), suites, at)).toThrow()
})

it('lists server errors with their requests in the environment', () => {
  const at = folder()
  const url = 'https://store.test/v1/inventory/7'
  const serverErrors = [
    { operation: 'updateInventory', method: 'PATCH', url, status: 500, count: 3, exchanges: [0] },
  ]
  writeAllureResults({ ...reportWith(), serverErrors }, suites, at)
  const environment = readFileSync(join(at, 'allure-results', 'environment.properties'), 'utf8')
  expect(environment).toMatch(/ServerErrors *= *3 × 500 to PATCH .*\/v1\/inventory\/7 \(updateInventory\)/)
})
