import { isGating } from '../interface/verdict.ts'
import { escaped } from './document.ts'
import { failureText } from './formats.ts'
import { groupBy, type Standing, standingOf } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import { notMet, openText, targetText, verdictSentence } from './words.ts'

interface Case {
  readonly suite: string
  readonly classname?: string
  readonly name: string
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped'
  readonly message: string
  readonly text?: string
}

/**
 * JUnit XML: a suite for each operation, a case for each rule. A violation is a failure; a gating rule that could not be determined,
 * and waits for no other rule, is an error. Every other rule that did not pass is skipped with its reason.
 */
export function junitXml(report: Report): string {
  const { rules, verdict, expectedFailures, exchanges, durationMs, startedAt } = report
  const cases = rules.map((rule): Case => ruleCase(rule, report))
  // A stale entry fails the run.
  for (const { rule: name, message } of expectedFailures?.stale ?? [])
    cases.push({ suite: 'expected failures', name, kind: 'failure', message })
  // CI servers show a file with only skipped cases as success.
  if (verdict === 'incomplete' || verdict === 'unreachable')
    cases.push({ suite: 'verdict', name: 'verdict', kind: 'error', message: verdictSentence(report) })
  const suites = [...groupBy(cases, ({ suite }) => suite)].map(([suite, own]) => {
    // The requests of an operation took as long together.
    const times = exchanges.map(each => (each.operation === suite ? each.durationMs : 0))
    const skipped = `skipped="${countOf(own, 'skipped')}" timestamp="${startedAt}"`
    const total = times.reduce((sum, each) => sum + each, 0)
    return `  <testsuite ${totals(suite, own, total)} ${skipped}>\n${own.map(xmlOf).join('')}  </testsuite>\n`
  })
  // Jenkins' xUnit plugin refuses `skipped` here.
  const all = totals(`store-conformance of ${targetText(report)}`, cases, durationMs)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${all}>\n${suites.join('')}</testsuites>\n`
}

const countOf = (cases: readonly Case[], wanted: Case['kind']): number =>
  cases.filter(({ kind }) => kind === wanted).length

const totals = (name: string, cases: readonly Case[], ms: number): string =>
  `name="${escaped(name)}" tests="${cases.length}" failures="${countOf(cases, 'failure')}" errors="${countOf(cases, 'error')}" time="${(ms / 1000).toFixed(3)}"`

function xmlOf({ suite, classname = suite, name, kind, message, text = '' }: Case): string {
  const result = `<${kind} message="${escaped(message)}">${escaped(text)}</${kind}>`
  return `    <testcase classname="${escaped(classname)}" name="${escaped(name)}">${kind === 'passed' ? '' : result}</testcase>\n`
}

const kinds: Partial<Record<Standing, Case['kind']>> = { passed: 'passed', failed: 'failure' }

function ruleCase(rule: ReportedRule, report: Report): Case {
  const { id, title, operation: suite, level, outcome, behind } = rule
  const standing = standingOf(rule, report.gate)
  // A rule that waits for another one is skipped, so that one cause fails one case.
  const isOpen = outcome === 'cantTell' && behind === undefined && isGating(rule, report.gate)
  const kind = kinds[standing] ?? (isOpen ? 'error' : 'skipped')
  const message = kind === 'failure' ? `${notMet([rule])}: ${rule.message}` : openText(rule, standing)
  const text = kind === 'failure' || kind === 'error' ? failureText(rule, report) : ''
  return { suite, classname: `${suite}.${level}`, name: `${id}: ${title}`, kind, message, text }
}
