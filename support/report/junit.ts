import type { Report, ReportedRule } from './report.ts'
import { excuseText, isGating, verdictSentence } from './sentence.ts'
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

type Kind = 'passed' | 'failure' | 'error' | 'skipped'

interface Case {
  readonly kind: Kind
  readonly xml: string
}

interface Suite {
  readonly name: string
  readonly cases: readonly Case[]
}

/**
 * JUnit XML: a suite for each operation, a case for each rule. A violation of a gating rule is a failure, one that could not be told
 * by itself an error; the rest that did not pass is skipped, with its reason; so is a failure that is expected.
 */
export function junitXml(report: Report): string {
  const suites: Suite[] = [
    ...Object.keys(report.description.operations).map(operation => ({
      name: operation,
      cases: report.rules.filter(rule => rule.operation === operation).map(rule => ruleCase(report, rule)),
    })),
    { name: 'expected failures', cases: staleCases(report) },
    { name: 'verdict', cases: verdictCases(report) },
  ].filter(({ cases }) => cases.length > 0)
  const all = totals(suites.flatMap(({ cases }) => cases))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="store-conformance" ${all} time="${report.durationMs / 1000}">`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${name}" ${totals(cases)} timestamp="${report.startedAt}">`,
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

/** A rule that waits for another is skipped: one cause is red once. */
function kindOf(report: Report, rule: ReportedRule): Kind {
  if (rule.outcome === 'passed') return 'passed'
  if (!isGating(report, rule)) return 'skipped'
  if (rule.outcome === 'failed') return 'failure'
  return rule.outcome === 'cantTell' && rule.behind === undefined ? 'error' : 'skipped'
}

function ruleCase(report: Report, rule: ReportedRule): Case {
  const open = `<testcase classname="${rule.operation}.${rule.level}" name="${escaped(`${rule.id}: ${rule.title}`)}"`
  const kind = kindOf(report, rule)
  if (kind === 'passed') return { kind, xml: `${open}/>` }
  const excuse = rule.expectedFailure ? `${excuseText(rule.expectedFailure)}; ` : ''
  const message = escaped(
    `${excuse}${rule.outcome}: ${rule.message ?? ''}${rule.need ? ` (${rule.need})` : ''}`,
  )
  if (kind === 'skipped') return { kind, xml: `${open}><skipped message="${message}"/></testcase>` }
  const exchanges = rule.exchanges.flatMap(index => report.exchanges[index] ?? [])
  const text = escaped(failureText(rule, exchanges))
  return {
    kind,
    xml: `${open}><${kind} message="${message}" type="${rule.outcome}">${text}</${kind}></testcase>`,
  }
}

/** Entries that are out of date make the run red, so they are red here. */
const staleCases = ({ expectedFailures }: Report): Case[] =>
  (expectedFailures?.stale ?? []).map(({ rule, message }) => ({
    kind: 'failure',
    xml: `<testcase classname="expected-failures" name="${escaped(rule)}"><failure message="${escaped(message)}" type="stale"/></testcase>`,
  }))

/** What was not tested is skipped, which servers show as success; a run that is no success must not look like one. */
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
