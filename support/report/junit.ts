import { isGating } from '../judge/gating.ts'
import { failureText } from './formats.ts'
import { printable } from './printable.ts'
import { byOperation, groupBy, standingOf } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import { notMet, openText, REFERENCE, targetText, verdictSentence } from './words.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
/** XML 1.0 §2.2 forbids control characters and lone surrogates even as references, so they become visible text. */
const escaped = (text: string): string =>
  printable(text, true).replace(/[&<>"']/g, each => entities[each] ?? each)

interface Case {
  readonly suite: string
  readonly classname: string
  readonly name: string
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped'
  readonly message?: string
  readonly type?: string
  readonly text?: string
}

/**
 * JUnit XML: a suite for each operation, a case for each rule. A violation is a failure; a gating rule that could not be determined,
 * and waits for no other rule, is an error. Every other rule that did not pass is skipped with its reason.
 */
export function junitXml(report: Report): string {
  const cases = casesOf(report)
  const name = `store-conformance${report.target.reference ? ` of ${REFERENCE}` : ''}`
  const target = `<properties><property name="store" value="${escaped(targetText(report))}"/></properties>`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    // Jenkins' xUnit plugin refuses `skipped` here.
    `<testsuites name="${name}" ${totals(cases)} time="${(report.durationMs / 1000).toFixed(3)}">`,
    ...[...groupBy(cases, ({ suite }) => suite)].flatMap(([suite, own]) => [
      `  <testsuite name="${suite}" ${totals(own)} skipped="${countOf(own, 'skipped')}" time="${timeOf(report, suite)}" timestamp="${report.startedAt}">`,
      `    ${target}`,
      ...own.map(each => `    ${caseXml(each)}`),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

const countOf = (cases: readonly Case[], wanted: Case['kind']): number =>
  cases.filter(({ kind }) => kind === wanted).length

const totals = (cases: readonly Case[]): string =>
  `tests="${cases.length}" failures="${countOf(cases, 'failure')}" errors="${countOf(cases, 'error')}"`

/** The requests of an operation took as long together. */
const timeOf = ({ exchanges }: Report, operation: string): string =>
  (
    exchanges
      .filter(each => each.operation === operation)
      .reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000
  ).toFixed(3)

function caseXml({ classname, name, kind, message = '', type, text }: Case): string {
  const open = `<testcase classname="${classname}" name="${escaped(name)}"`
  if (kind === 'passed') return `${open}/>`
  const result = `<${kind} message="${escaped(message)}"${type === undefined ? '' : ` type="${type}"`}`
  return `${open}>${text === undefined ? `${result}/>` : `${result}>${escaped(text)}</${kind}>`}</testcase>`
}

function casesOf(report: Report): Case[] {
  const { verdict, expectedFailures } = report
  const cases = byOperation(report).flatMap(([, rules]) => rules.map(rule => ruleCase(report, rule)))
  for (const { rule: name, message } of expectedFailures?.stale ?? []) {
    const own = { suite: 'expected failures', classname: 'expected-failures', type: 'stale' }
    // A stale entry fails the run.
    cases.push({ ...own, name, kind: 'failure', message })
  }
  // CI servers show a file with only skipped cases as success.
  if (verdict === 'incomplete' || verdict === 'unreachable') {
    const own = { suite: 'verdict', classname: 'store-conformance', name: 'verdict', type: verdict }
    cases.push({ ...own, kind: 'error', message: verdictSentence(report) })
  }
  return cases
}

/** A rule that waits for another one is skipped, so that one cause fails one case. */
function kindOf(rule: ReportedRule, gate: Report['gate']): Case['kind'] {
  if (rule.outcome === 'passed') return 'passed'
  if (!isGating(rule, gate)) return 'skipped'
  if (rule.outcome === 'failed') return 'failure'
  return rule.outcome === 'cantTell' && rule.behind === undefined ? 'error' : 'skipped'
}

function ruleCase(report: Report, rule: ReportedRule): Case {
  const { id, title, operation, level, outcome } = rule
  const kind = kindOf(rule, report.gate)
  const standing = standingOf(rule, report.gate)
  return {
    suite: operation,
    classname: `${operation}.${level}`,
    name: `${id}: ${title}`,
    kind,
    message: standing === 'failed' ? `${notMet(rule)}: ${rule.message}` : openText(rule, standing),
    ...(kind === 'failure' || kind === 'error' ? { type: outcome, text: failureText(rule, report) } : {}),
  }
}
