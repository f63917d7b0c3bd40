import { operationIds } from '../interface/operations.ts'
import type { Report, ReportedRule } from './report.ts'
import { excuseText, isGating } from './sentence.ts'
import { failureText } from './text/failure.ts'

const NOT_XML =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 §2.2 allows none of these, however escaped
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const escaped = (text: string): string =>
  text.replace(NOT_XML, '\ufffd').replace(/[&<>"']/g, each => entities[each] ?? each)

/**
 * JUnit XML: a suite for each operation, a case for each rule. A violation of a gating rule is a failure, one that could not be told
 * an error; the rest that did not pass is skipped, with its reason; so is a failure that is expected.
 */
export function junitXml(report: Report): string {
  const suites = operationIds.flatMap(operation => {
    const rules = report.rules.filter(rule => rule.operation === operation)
    return rules.length === 0 ? [] : [suiteXml(report, operation, rules)]
  })
  const { tests, failures, errors, skipped } = totals(report, report.rules)
  const stale = report.expectedFailures?.stale ?? []
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="store-conformance" tests="${tests + stale.length}" failures="${failures + stale.length}" errors="${errors}" skipped="${skipped}" time="${report.durationMs / 1000}">`,
    ...suites,
    ...(stale.length > 0 ? [staleXml(report, stale)] : []),
    '</testsuites>',
    '',
  ].join('\n')
}

function suiteXml(report: Report, operation: string, rules: readonly ReportedRule[]): string {
  const { tests, failures, errors, skipped } = totals(report, rules)
  return [
    `  <testsuite name="${operation}" tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}" timestamp="${report.startedAt}">`,
    ...rules.map(rule => caseXml(report, rule)),
    '  </testsuite>',
  ].join('\n')
}

/** Entries that are out of date make the run red, so they are red here. */
function staleXml(report: Report, stale: NonNullable<Report['expectedFailures']>['stale']): string {
  return [
    `  <testsuite name="expected failures" tests="${stale.length}" failures="${stale.length}" errors="0" skipped="0" timestamp="${report.startedAt}">`,
    ...stale.map(
      ({ rule, message }) =>
        `    <testcase classname="expected-failures" name="${escaped(rule)}"><failure message="${escaped(message)}" type="stale"/></testcase>`,
    ),
    '  </testsuite>',
  ].join('\n')
}

type Kind = 'passed' | 'failure' | 'error' | 'skipped'

function kindOf(report: Report, rule: ReportedRule): Kind {
  if (rule.outcome === 'passed') return 'passed'
  if (isGating(report, rule) && rule.outcome === 'failed') return 'failure'
  return isGating(report, rule) && rule.outcome === 'cantTell' ? 'error' : 'skipped'
}

function totals(report: Report, rules: readonly ReportedRule[]) {
  const kinds = rules.map(rule => kindOf(report, rule))
  const count = (kind: Kind) => kinds.filter(each => each === kind).length
  return {
    tests: rules.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  }
}

function caseXml(report: Report, rule: ReportedRule): string {
  const open = `    <testcase classname="${rule.operation}.${rule.level}" name="${escaped(`${rule.id}: ${rule.title}`)}"`
  const kind = kindOf(report, rule)
  if (kind === 'passed') return `${open}/>`
  const excuse = rule.expectedFailure ? `${excuseText(rule.expectedFailure)}; ` : ''
  const message = `${excuse}${rule.outcome}: ${rule.message ?? ''}${rule.need ? ` (${rule.need})` : ''}`
  if (kind === 'skipped') return `${open}><skipped message="${escaped(message)}"/></testcase>`
  const exchanges = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
  return `${open}><${kind} message="${escaped(message)}" type="${rule.outcome}">${escaped(failureText(rule, exchanges))}</${kind}></testcase>`
}
