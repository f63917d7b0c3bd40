import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Attachment, ContentType, LinkType, Stage, Status, type TestResult } from 'allure-js-commons'
import type { Category } from 'allure-js-commons/sdk'
import {
  getEnvironmentLabels,
  getHostLabel,
  getSuiteLabels,
  InMemoryWriter,
  ReporterRuntime,
  stringifyEnvInfo,
} from 'allure-js-commons/sdk/reporter'
import type { Exchange } from '../../http/exchange.ts'
import { type Level, sectionOf } from '../../interface/description.ts'
import { isGating } from '../../judge/gating.ts'
import type { Suite } from '../../judge/rule.ts'
import { cutBody } from '../cut-bodies.ts'
import { clauseAnchor } from '../html/references.ts'
import { plain } from '../markdown.ts'
import { secondsPerRule } from '../measure.ts'
import { type Standing, standingOf } from '../reading.ts'
import type { Report, ReportedRule } from '../report.ts'
import { failureText } from '../text/failures.ts'
import {
  capital,
  excuseText,
  notMet,
  openText,
  serverErrorText,
  standingWords,
  targetText,
} from '../words.ts'

const FOLDER = 'allure-results'
const PARTIAL = `.${FOLDER}.partial`

/** Categories of Allure 2. The first that matches takes a result; skipped results differ by the beginning of their message. */
const categories: Category[] = [
  { name: 'Failed', matchedStatuses: [Status.FAILED] },
  { name: capital(standingWords.cantTell), matchedStatuses: [Status.BROKEN] },
  { name: 'Expected failures', matchedStatuses: [Status.SKIPPED], messageRegex: '^expected failure: .*' },
  ...(['advice', 'newer', 'untested', 'inapplicable', 'cantTell'] as const).map(standing => ({
    name: `${capital(standingWords[standing])}${standing === 'cantTell' ? ' (no effect on the verdict)' : ''}`,
    matchedStatuses: [Status.SKIPPED],
    messageRegex: `^${standingWords[standing]}: .*`,
  })),
]

const severities: Readonly<Record<Level, string>> = {
  required: 'critical',
  implied: 'normal',
  advisory: 'minor',
}

/** Exchanges that a result has at most. A generated scenario has hundreds. */
const SHOWN = 6

/** Characters of each body in an attachment. */
const BODY_SHOWN = 16_000

/** Writes `allure-results`: a result for each rule. The folder appears when all of its files are complete. */
export function writeAllureResults(report: Report, suites: readonly Suite[], folder: string): void {
  const temporary = join(folder, PARTIAL)
  removeAllureResults(folder)
  try {
    mkdirSync(temporary, { recursive: true })
    for (const [name, content] of allureFiles(report, suites)) writeFileSync(join(temporary, name), content)
    renameSync(temporary, join(folder, FOLDER))
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    throw error
  }
}

export function removeAllureResults(folder: string): void {
  for (const name of [FOLDER, PARTIAL]) rmSync(join(folder, name), { recursive: true, force: true })
}

function allureFiles(report: Report, suites: readonly Suite[]): Map<string, string | Uint8Array> {
  const written = new InMemoryWriter()
  const runtime = new ReporterRuntime({ writer: written })
  const shared = [...getEnvironmentLabels(), getHostLabel()]
  const seconds = secondsPerRule(report)
  const families = new Map(suites.flatMap(({ name, rules }) => rules.map(({ id }) => [id, name] as const)))
  const start = Date.parse(report.startedAt)
  const attached = new Map<string, Attachment>()
  for (const rule of report.rules) {
    const result = resultOf(report, rule, families.get(rule.id) ?? '')
    const uuid = runtime.startTest({ ...result, labels: [...result.labels, ...shared], start })
    const exchanges = shownExchanges(report, rule)
    const name = titleOf(exchanges)
    const known = attached.get(name)
    // Rules of the same scenario often show the same exchanges.
    if (known) runtime.updateTest(uuid, ({ attachments }) => attachments.push(known))
    else if (exchanges.length > 0) {
      const body = Buffer.from(JSON.stringify(exchanges, null, 2))
      runtime.writeAttachment(uuid, null, name, body, { contentType: ContentType.JSON })
      runtime.updateTest(uuid, ({ attachments: [own] }) => own && attached.set(name, own))
    }
    runtime.stopTest(uuid, { duration: Math.round(seconds(rule) * 1000) })
    runtime.writeTest(uuid)
  }
  const environment = {
    Store: targetText(report),
    Profile: report.profile,
    Gate: report.gate,
    Seed: String(report.seed),
    Suite: report.suite.version,
    // Allure has no place for requests that belong to no rule.
    ...(report.serverErrors.length > 0
      ? { ServerErrors: report.serverErrors.map(serverErrorText).join(', ') }
      : {}),
  }
  return new Map<string, string | Uint8Array>([
    ...written.tests.map(result => [`${result.uuid}-result.json`, JSON.stringify(result)] as const),
    ...Object.entries(written.attachments),
    ['categories.json', JSON.stringify(categories)],
    ['environment.properties', stringifyEnvInfo(environment)],
  ])
}

function resultOf(report: Report, rule: ReportedRule, family: string) {
  const standing = standingOf(rule, report.gate)
  const says = report.description.clauses[rule.clause]?.says ?? ''
  return {
    name: standing === 'failed' ? notMet(rule) : rule.title,
    fullName: `${family}: ${rule.id}`,
    // The id of the rule, so that its history continues wherever the rules are judged.
    testCaseId: rule.id,
    historyId: rule.id,
    stage: Stage.FINISHED,
    ...statusOf(report, rule, standing),
    labels: [
      ...getSuiteLabels([family]),
      { name: 'epic', value: 'Store Service Interface' },
      { name: 'feature', value: rule.operation },
      { name: 'story', value: family },
      { name: 'severity', value: severities[rule.level] },
      { name: 'operation', value: rule.operation },
      { name: 'family', value: family },
      { name: 'level', value: rule.level },
      { name: 'clause', value: rule.clause },
      { name: 'ruleId', value: rule.id },
      { name: 'outcome', value: rule.outcome },
      { name: 'standing', value: standing },
      ...(rule.expectedFailure
        ? [
            { name: 'expected', value: 'yes' },
            { name: 'owner', value: rule.expectedFailure.owner },
          ]
        : []),
    ],
    links: [
      {
        url: `../conformance.html#${clauseAnchor(rule.clause)}`,
        name: `${sectionOf(rule.clause)} of the interface, in conformance.html`,
        type: LinkType.DEFAULT,
      },
    ],
    description: [
      `${sectionOf(rule.clause)}: ${says}`,
      ...(rule.because ? [rule.because] : []),
      ...outcomeLines(rule, standing),
    ].join('\n\n'),
  }
}

/**
 * A violation is failed. A gating rule that could not be determined is broken. Every other rule that did not pass is skipped with the
 * reason, so that it is not shown as passed.
 */
function statusOf(
  report: Report,
  rule: ReportedRule,
  standing: Standing,
): Pick<TestResult, 'status' | 'statusDetails'> {
  if (rule.outcome === 'passed') return { status: Status.PASSED, statusDetails: {} }
  if (standing === 'failed') {
    const message = failureText(rule, exchangesOf(report, rule).slice(0, SHOWN))
    return { status: Status.FAILED, statusDetails: { message } }
  }
  const why = openText(rule, standing)
  if (rule.outcome === 'cantTell' && isGating(rule, report.gate))
    return { status: Status.BROKEN, statusDetails: { message: why } }
  return { status: Status.SKIPPED, statusDetails: { message: why } }
}

/** The exchanges that show the outcome, or else the first of the scenario. */
function exchangesOf(
  { exchanges }: Report,
  { exchanges: cited, scenario }: ReportedRule,
): readonly Exchange[] {
  return cited.length > 0
    ? cited.flatMap(index => exchanges[index] ?? [])
    : exchanges.filter(each => each.scenario === scenario)
}

const shownExchanges = (report: Report, rule: ReportedRule): readonly Exchange[] =>
  exchangesOf(report, rule)
    .slice(0, SHOWN)
    .map(exchange =>
      exchange.response ? { ...exchange, response: cutBody(exchange.response, BODY_SHOWN) } : exchange,
    )

const titleOf = (exchanges: readonly Exchange[]): string =>
  `exchanges ${exchanges.map(({ index }) => index).join(', ')}: ${exchanges.map(inShort).join(', ')}`

const inShort = ({ request, response, problem }: Exchange): string =>
  `${request.method} ${URL.canParse(request.url) ? new URL(request.url).pathname : request.url} → ${response?.status ?? problem?.kind}`

/** Allure shows no reason for skipped tests. The text of the store is escaped, because Allure renders Markdown. */
const outcomeLines = (
  { outcome, message, need, expectedFailure }: ReportedRule,
  standing: Standing,
): string[] =>
  outcome === 'passed'
    ? []
    : [
        `**${capital(standingWords[standing])}**: ${plain([message, need].filter(Boolean).join('; '))}`,
        ...(expectedFailure ? [plain(excuseText(expectedFailure))] : []),
      ]
