import { dirname, join } from 'node:path'
import { z } from 'zod'
import { shellWord } from '../http/curl.ts'
import { MEGABYTE, readInput, type Unreadable } from '../http/read-input.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { printable } from './printable.ts'
import { reportPath } from './read.ts'
import { standings } from './reading.ts'
import type { ReportedRule, ReportFile } from './report.ts'
import { notMet, targetText } from './words.ts'

const header = z.object({ name: z.string(), value: z.string() })

/** What a sequence needs of an entry of `exchanges.har`. */
const savedEntry = z.object({
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(header),
    postData: z.object({ text: z.string() }).optional(),
  }),
  response: z.object({ status: z.int() }),
  _scenario: z.string().default(''),
  _step: z.string().default(''),
  _curl: z.string(),
})
const har = z.object({ log: z.object({ entries: z.array(savedEntry) }) })

type SavedEntry = z.infer<typeof savedEntry>

/** The requests of a rule in a run, in order. */
type Sequence = ReturnType<typeof readSequence>

/**
 * @param given the `conformance.json` of the report, or its folder
 * @throws {Misconfigured} if `exchanges.har` beside it does not have the requests
 */
export function readSequence(given: string, report: ReportFile, rule: ReportedRule) {
  const path = join(dirname(reportPath(given)), 'exchanges.har')
  const all = entriesIn(path)
  const entries = rule.exchanges.flatMap(index => all[index] ?? [])
  if (entries.length < rule.exchanges.length)
    throw new Misconfigured(`${path} is not of the same run as ${given}; give both files of one run`)
  const whole = rule.exchanges.flatMap(index => {
    const entry = all[index] as SavedEntry
    const before = all.slice(0, index).filter(({ _scenario }) => _scenario === entry._scenario)
    const count = entry._curl.split(' --next ').length - 1
    return [...(count === 0 ? [] : before.slice(-count)), entry]
  })
  // The curl commands of the entries contain those that went before on their connections.
  return { report, rule, entries, whole: [...new Set(whole)] }
}

function entriesIn(path: string): readonly SavedEntry[] {
  try {
    return har.parse(JSON.parse(readInput(path, 256 * MEGABYTE).toString('utf8'))).log.entries
  } catch (error) {
    const why =
      error instanceof SyntaxError || error instanceof z.ZodError
        ? 'was not written by this suite'
        : (error as Unreadable).message
    throw new Misconfigured(`${path} ${why}; it contains the requests of the rule`)
  }
}

/** A shell script that sends the requests again. */
export function shellScript(sequence: Sequence): string {
  const { entries } = sequence
  return [
    // An altered key is written with substitutions that POSIX shells lack.
    '#!/usr/bin/env bash',
    ...about(sequence).map(line => `# ${line}`),
    ...variablesIn(entries).map(name => `: "\${${name}:?is not set}"`),
    ...entries.flatMap((entry, at) => [
      '',
      `echo; echo ${shellWord(`${at + 1}. ${stepText(entry)}`)}`,
      entry._curl,
    ]),
    'echo',
    '',
  ].join('\n')
}

/** The requests for the HTTP clients of editors: VS Code REST Client, JetBrains IDEs. */
export function httpFile(sequence: Sequence): string {
  const { entries, whole } = sequence
  const names = variablesIn(entries)
  // Longer names first, because one may begin with another.
  const inTurn = [...names].sort((a, b) => b.length - a.length)
  const withVariables = (text: string) =>
    inTurn.reduce(
      (shown, name) => shown.replaceAll(`\${${name}}`, `{{${name}}}`).replaceAll(`$${name}`, `{{${name}}}`),
      text,
    )
  return [
    ...about(sequence).map(line => `# ${line}`),
    ...names.map(name => `@${name} = {{$processEnv ${name}}}`),
    ...whole.flatMap((entry, at) => {
      const { method, url, headers, postData } = entry.request
      const shown = headers.filter(({ name }) => !SENT_ANYWAY.includes(name.toLowerCase()))
      return [
        '',
        `### ${at + 1}. ${stepText(entry)}`,
        ...shown
          .filter(isComputed)
          .map(({ value }) => `# Put what bash prints in place of {{COMPUTED}}: echo "${value}"`),
        withVariables(`${method} ${url}`),
        ...shown.map(each =>
          isComputed(each) ? `${each.name}: {{COMPUTED}}` : withVariables(`${each.name}: ${each.value}`),
        ),
        ...(postData ? ['', withVariables(postData.text)] : []),
      ]
    }),
    '',
  ].join('\n')
}

/** Whether only a shell can make the value, as of an altered key. The client would send the text of the substitution itself. */
const isComputed = ({ value }: z.infer<typeof header>): boolean => /\$\(|\$\{\w+[^\w}]|\\.*\$\{/.test(value)

const SENT_ANYWAY = ['host', 'content-length', 'accept-encoding', 'x-request-id']

function about({ report, rule, entries }: Sequence): string[] {
  const outcome = rule.outcome === 'failed' ? notMet(rule) : `${rule.title}: ${standings[rule.outcome].words}`
  return [
    outcome,
    `${rule.id}${rule.message ? `: ${rule.message}` : ''}`,
    `From the run of ${report.startedAt} on ${targetText(report)}.`,
    ...(entries.some(({ request }) => request.method !== 'GET')
      ? [
          'It sends changes to the store, and does not undo them. An order that was cancelled is not pending any more.',
        ]
      : []),
  ].map(line => printable(line))
}

const stepText = ({ request, response, _step }: SavedEntry): string => {
  const step = _step === '' ? `${request.method} ${request.url}` : _step
  return printable(`${step} (the store answered ${response.status === 0 ? 'nothing' : response.status})`)
}

/** The variables that stand for secrets: a curl command has them in double quotes, and all else in single quotes, `'…'` or `$'…'`. */
const variablesIn = (entries: readonly SavedEntry[]): string[] => [
  ...new Set(
    entries.flatMap(({ _curl }) =>
      [..._curl.replaceAll(/\$'(?:\\.|[^\\'])*'|'[^']*'/g, '').matchAll(/\$\{?([A-Z][A-Z0-9_]*)/g)].map(
        ([, name = '']) => name,
      ),
    ),
  ),
]
