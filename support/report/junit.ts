import { isGating } from '../interface/verdict.ts'
import { failureText } from './formats.ts'
import { printable } from './printable.ts'
import { byOperation, standingOf } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import { notMet, openText, REFERENCE, targetText, verdictSentence } from './words.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
/** XML 1.0 §2.2 forbids control characters and lone surrogates even as references, so they become visible text. */
const escaped = (text: string): string =>
  printable(text, true).replace(/[&<>"']/g, each => ENTITIES[each] ?? each)

type Kind = 'passed' | 'failure' | 'error' | 'skipped'
type Case = readonly [kind: Kind, xml: string]
type Facts = Record<'classname' | 'name' | 'message', string> & { type?: string; text?: string }

/**
 * JUnit XML: a suite for each operation, a case for each rule. A violation is a failure; a gating rule that could not be determined,
 * and waits for no other rule, is an error. Every other rule that did not pass is skipped with its reason.
 */
export function junitXml(report: Report): string {
  const suites = suitesOf(report).filter(([, cases]) => cases.length > 0)
  const target = `<properties><property name="store" value="${escaped(targetText(report))}"/></properties>`
  const name = `store-conformance${report.target.reference ? ` of ${REFERENCE}` : ''}`
  const all = suites.flatMap(([, cases]) => cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    // Jenkins' xUnit plugin refuses `skipped` here.
    `<testsuites name="${name}" ${totals(all)} time="${seconds(report.durationMs)}">`,
    ...suites.flatMap(([suite, cases]) => [
      `  <testsuite name="${suite}" ${totals(cases)} skipped="${countOf(cases, 'skipped')}" time="${timeOf(report, suite)}" timestamp="${report.startedAt}">`,
      `    ${target}`,
      ...cases.map(([, xml]) => `    ${xml}`),
      '  </testsuite>',
    ]),
    '</testsuites>\n',
  ].join('\n')
}

const countOf = (cases: readonly Case[], wanted: Kind): number =>
  cases.filter(([kind]) => kind === wanted).length

const totals = (cases: readonly Case[]): string =>
  `tests="${cases.length}" failures="${countOf(cases, 'failure')}" errors="${countOf(cases, 'error')}"`

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/** The requests of an operation took as long together. */
const timeOf = ({ exchanges }: Report, operation: string): string =>
  seconds(exchanges.reduce((sum, each) => sum + (each.operation === operation ? each.durationMs : 0), 0))

function testcase(kind: Kind, { classname, name, message, type, text = '' }: Facts): Case {
  const open = `<testcase classname="${classname}" name="${escaped(name)}"`
  const about = `message="${escaped(message)}"${type === undefined ? '' : ` type="${type}"`}`
  return [
    kind,
    kind === 'passed' ? `${open}/>` : `${open}><${kind} ${about}>${escaped(text)}</${kind}></testcase>`,
  ]
}

function suitesOf(report: Report): (readonly [name: string, cases: readonly Case[]])[] {
  const { verdict: type, expectedFailures } = report
  // A stale entry fails the run.
  const stale = (expectedFailures?.stale ?? []).map(({ rule: name, message }) =>
    testcase('failure', { classname: 'expected-failures', name, message, type: 'stale' }),
  )
  const verdict = { classname: 'store-conformance', name: 'verdict', message: verdictSentence(report), type }
  const isOpen = type === 'incomplete' || type === 'unreachable'
  return [
    ...byOperation(report.rules).map(
      ([operation, rules]) => [operation, rules.map(rule => ruleCase(report, rule))] as const,
    ),
    ['expected failures', stale],
    // CI servers show a file with only skipped cases as success.
    ['verdict', isOpen ? [testcase('error', verdict)] : []],
  ]
}

/** A rule that waits for another one is skipped, so that one cause fails one case. */
function kindOf(rule: ReportedRule, gate: Report['gate']): Kind {
  if (rule.outcome === 'passed') return 'passed'
  if (!isGating(rule, gate)) return 'skipped'
  if (rule.outcome === 'failed') return 'failure'
  return rule.outcome === 'cantTell' && rule.behind === undefined ? 'error' : 'skipped'
}

function ruleCase(report: Report, rule: ReportedRule): Case {
  const { id, title, operation, level, outcome } = rule
  const kind = kindOf(rule, report.gate)
  const standing = standingOf(rule, report.gate)
  return testcase(kind, {
    classname: `${operation}.${level}`,
    name: `${id}: ${title}`,
    message: standing === 'failed' ? `${notMet(rule)}: ${rule.message}` : openText(rule, standing),
    ...(kind === 'failure' || kind === 'error' ? { type: outcome, text: failureText(rule, report) } : {}),
  })
}
