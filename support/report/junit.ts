import { secondsPerRule } from './measure.ts'
import { printable } from './printable.ts'
import { type Reading, readingOf } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import { failureText } from './text/failures.ts'
import {
  excuseText,
  notMet,
  REFERENCE,
  serverErrorText,
  standingWords,
  targetText,
  verdictSentence,
} from './words.ts'

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

type Kind = 'passed' | 'failure' | 'error' | 'skipped'

interface Case {
  readonly kind: Kind
  readonly seconds?: number
  readonly xml: string
}

interface Suite {
  readonly name: string
  readonly cases: readonly Case[]
}

/**
 * JUnit XML: a suite for each operation, a case for each rule. A violation is a failure; a gating rule that could not be determined,
 * and waits for no other rule, is an error. Every other rule that did not pass is skipped with its reason.
 */
export function junitXml(report: Report): string {
  const reading = readingOf(report)
  const seconds = secondsPerRule(report)
  const suites: Suite[] = [
    ...Object.keys(report.description.operations).map(operation => ({
      name: operation,
      cases: report.rules
        .filter(rule => rule.operation === operation)
        .map(rule => ruleCase(report, reading, rule, seconds(rule))),
    })),
    { name: 'server errors', cases: serverErrorCases(report) },
    { name: 'expected failures', cases: staleCases(report) },
    { name: 'verdict', cases: verdictCases(report) },
  ].filter(({ cases }) => cases.length > 0)
  const all = totals(suites.flatMap(({ cases }) => cases))
  const name = `store-conformance${report.target.reference ? ` of ${REFERENCE}` : ''}`
  const target = `<properties><property name="store" value="${escaped(targetText(report))}"/></properties>`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}" ${all} time="${report.durationMs / 1000}">`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${name}" ${totals(cases)} time="${timeOf(cases)}" timestamp="${report.startedAt}">`,
      `    ${target}`,
      ...cases.map(({ xml }) => `    ${xml}`),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function totals(cases: readonly Case[]): string {
  const count = (wanted: Kind) => cases.filter(({ kind }) => kind === wanted).length
  return `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
}

const timeOf = (cases: readonly Case[]): string =>
  cases.reduce((sum, { seconds = 0 }) => sum + seconds, 0).toFixed(3)

/** A rule that waits for another one is skipped, so that one cause fails one case. */
function kindOf(reading: Reading, rule: ReportedRule): Kind {
  if (rule.outcome === 'passed') return 'passed'
  if (!reading.isGating(rule)) return 'skipped'
  if (rule.outcome === 'failed') return 'failure'
  return rule.outcome === 'cantTell' && rule.behind === undefined ? 'error' : 'skipped'
}

function ruleCase(report: Report, reading: Reading, rule: ReportedRule, seconds: number): Case {
  const open = `<testcase classname="${rule.operation}.${rule.level}" name="${escaped(`${rule.id}: ${rule.title}`)}" time="${seconds.toFixed(3)}"`
  const kind = kindOf(reading, rule)
  if (kind === 'passed') return { kind, seconds, xml: `${open}/>` }
  const message = escaped(messageOf(reading, rule))
  if (kind === 'skipped') return { kind, seconds, xml: `${open}><skipped message="${message}"/></testcase>` }
  const exchanges = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
  const text = escaped(failureText(rule, exchanges))
  return {
    kind,
    seconds,
    xml: `${open}><${kind} message="${message}" type="${rule.outcome}">${text}</${kind}></testcase>`,
  }
}

function messageOf(reading: Reading, rule: ReportedRule): string {
  const { message = '', need, expectedFailure } = rule
  const excuse = expectedFailure ? `${excuseText(expectedFailure)}; ` : ''
  const standing = reading.standingOf(rule)
  const headline = standing === 'failed' ? notMet(rule) : standingWords[standing]
  return `${excuse}${headline}: ${message}${need ? ` (${need})` : ''}`
}

/** Server errors without effect on the verdict are skipped cases, so that they are listed in every run. */
const serverErrorCases = ({ serverErrors }: Report): Case[] =>
  serverErrors.map(each => ({
    kind: 'skipped',
    xml: `<testcase classname="server-errors" name="${escaped(serverErrorText(each))}"><skipped message="The store answered with a server error; entries ${each.exchanges.join(', ')} of exchanges.har"/></testcase>`,
  }))

/** A stale entry fails the run, so it is a failure here. */
const staleCases = ({ expectedFailures }: Report): Case[] =>
  (expectedFailures?.stale ?? []).map(({ rule, message }) => ({
    kind: 'failure',
    xml: `<testcase classname="expected-failures" name="${escaped(rule)}"><failure message="${escaped(message)}" type="stale"/></testcase>`,
  }))

/** CI servers show a file with only skipped cases as success, so an incomplete or unreachable run has an error of its own. */
function verdictCases(report: Report): Case[] {
  const { verdict } = report
  if (verdict !== 'incomplete' && verdict !== 'unreachable') return []
  const message = escaped(verdictSentence(report))
  return [
    {
      kind: 'error',
      xml: `<testcase classname="store-conformance" name="verdict"><error message="${message}" type="${verdict}"/></testcase>`,
    },
  ]
}
