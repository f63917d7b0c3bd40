import { isGating } from '../interface/verdict.ts'
import { escaped } from './document.ts'
import { failureText } from './formats.ts'
import { groupBy, standingOf } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import { notMet, openText, REFERENCE, targetText, verdictSentence } from './words.ts'

type Kind = 'passed' | 'failure' | 'error' | 'skipped'
type Case = Readonly<Record<'suite' | 'classname' | 'name' | 'message' | 'type' | 'text', string>> & {
  kind: Kind
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
    `<testsuites name="${name}" ${totals(cases)} time="${seconds(report.durationMs)}">`,
    ...[...groupBy(cases, ({ suite }) => suite)].flatMap(([suite, own]) => [
      `  <testsuite name="${escaped(suite)}" ${totals(own)} skipped="${countOf(own, 'skipped')}" time="${timeOf(report, suite)}" timestamp="${report.startedAt}">`,
      `    ${target}`,
      ...own.map(each => `    ${xmlOf(each)}`),
      '  </testsuite>',
    ]),
    '</testsuites>\n',
  ].join('\n')
}

const countOf = (cases: readonly Case[], wanted: Kind): number =>
  cases.filter(({ kind }) => kind === wanted).length

const totals = (cases: readonly Case[]): string =>
  `tests="${cases.length}" failures="${countOf(cases, 'failure')}" errors="${countOf(cases, 'error')}"`

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

/** The requests of an operation took as long together. */
const timeOf = ({ exchanges }: Report, operation: string): string =>
  seconds(exchanges.reduce((sum, each) => sum + (each.operation === operation ? each.durationMs : 0), 0))

function xmlOf({ classname, name, kind, message, type, text }: Case): string {
  const open = `<testcase classname="${escaped(classname)}" name="${escaped(name)}"`
  if (kind === 'passed') return `${open}/>`
  const about = `message="${escaped(message)}"${kind === 'skipped' ? '' : ` type="${type}"`}`
  return `${open}><${kind} ${about}>${escaped(text)}</${kind}></testcase>`
}

function casesOf(report: Report): Case[] {
  const { verdict: type, expectedFailures, rules } = report
  // A stale entry fails the run.
  const stale = (expectedFailures?.stale ?? []).map(({ rule: name, message }): Case => {
    const about = { suite: 'expected failures', classname: 'expected-failures', name, text: '' }
    return { ...about, kind: 'failure', message, type: 'stale' }
  })
  const about = { suite: 'verdict', classname: 'store-conformance', name: 'verdict', text: '', type }
  const verdict: Case = { ...about, kind: 'error', message: verdictSentence(report) }
  // CI servers show a file with only skipped cases as success.
  const isOpen = type === 'incomplete' || type === 'unreachable'
  return [...rules.map(rule => ruleCase(rule, report)), ...stale, ...(isOpen ? [verdict] : [])]
}

/** A rule that waits for another one is skipped, so that one cause fails one case. */
function kindOf(rule: ReportedRule, { gate }: Report): Kind {
  if (rule.outcome === 'passed') return 'passed'
  if (!isGating(rule, gate)) return 'skipped'
  if (rule.outcome === 'failed') return 'failure'
  return rule.outcome === 'cantTell' && rule.behind === undefined ? 'error' : 'skipped'
}

function ruleCase(rule: ReportedRule, report: Report): Case {
  const { operation: suite, level, outcome: type } = rule
  const [kind, standing] = [kindOf(rule, report), standingOf(rule, report.gate)]
  const message = standing === 'failed' ? `${notMet([rule])}: ${rule.message}` : openText(rule, standing)
  const text = kind === 'failure' || kind === 'error' ? failureText(rule, report) : ''
  return {
    suite,
    classname: `${suite}.${level}`,
    name: `${rule.id}: ${rule.title}`,
    kind,
    message,
    type,
    text,
  }
}
