import { basename } from 'node:path'
import { type Document, type ErrorCode, isNode, LineCounter, type Node, parseDocument } from 'yaml'
import { z } from 'zod'
import { MEGABYTE, readInput, type Unreadable } from '../http/read-input.ts'
import { operationIds } from '../interface/operations.ts'
import type { ExpectedFailures } from '../judge/expected-failures.ts'
import type { Mistake } from './mistake.ts'

const EXAMPLE = '- { rule: …, operation: …, reason: …, owner: …, expires: 2026-12-31 }'

const filled = z.string({ error: 'is missing' }).trim().min(1, 'is empty')

const members = {
  rule: filled,
  operation: filled.refine(text => (operationIds as readonly string[]).includes(text), {
    error: ({ input }) => `is ${JSON.stringify(input)}, not one of ${operationIds.join(', ')}`,
    abort: true,
  }),
  reason: filled,
  owner: filled,
  expires: filled.check(
    z.iso.date({ error: ({ input }) => `is ${JSON.stringify(input)}, not a date such as 2026-12-31` }),
  ),
}

const entries = z.array(
  z.strictObject(members, {
    error: issue =>
      issue.code === 'unrecognized_keys'
        ? `${JSON.stringify(issue.keys[0])} is unknown; an entry has ${Object.keys(members).join(', ')}`
        : `is not an entry; write it as ${EXAMPLE}`,
  }),
  `is not a list; write each known failure as ${EXAMPLE}`,
)

type Read = ExpectedFailures | { readonly mistakes: readonly Mistake[] }

const refused = (...problems: readonly string[]): Read => ({
  mistakes: problems.map(problem => ({ setting: '--expected-failures', problem })),
})

/** Instead of advice for programmers. */
const ownWords: Readonly<Partial<Record<ErrorCode, string>>> = {
  MULTIPLE_DOCS: 'a second document begins here; write one list, without a line ---',
}

/** Reads a file of `--expected-failures`. Every mistake in it is named, with its line. */
export function readExpectedFailures(file: string): Read {
  let text: string
  try {
    text = readInput(file, MEGABYTE).toString('utf8')
  } catch (error) {
    return refused(`${file} ${(error as Unreadable).message}`)
  }
  return parseExpectedFailures(text, file)
}

export function parseExpectedFailures(given: string, file: string): Read {
  const text = given.replace(/^\ufeff/, '')
  const counter = new LineCounter()
  // With `failsafe` each scalar stays text: `no` does not become false, and a date stays as it is written.
  const document = parseDocument(text, { lineCounter: counter, schema: 'failsafe', prettyErrors: false })
  const lineAt = (offset: number) => counter.linePos(offset).line
  const at = (line: number, problem: string) => `${basename(file)}:${line}: ${problem}`
  const broken = [...document.errors, ...document.warnings]
  if (broken.length > 0)
    return refused(...broken.map(({ pos, code, message }) => at(lineAt(pos[0]), ownWords[code] ?? message)))
  const linesOf = ({ range }: Node): [number, number] => {
    const [start = 0, end = 0] = range ?? []
    // The dash of an entry may stand on a line of its own.
    const dash = /-\s*$/.exec(text.slice(0, start))?.index ?? start
    return [lineAt(dash), lineAt(Math.max(dash, text.slice(0, end).trimEnd().length - 1))]
  }
  /** Of the node at the path, or of the nearest one around it. */
  const linesAt = (path: readonly PropertyKey[]): [number, number] => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true)
    return isNode(node) ? linesOf(node) : linesAt(path.slice(0, -1))
  }
  const read = entries.safeParse(contentOf(document) || [])
  if (!read.success) {
    const found = read.error.issues.map(({ path, message, ...issue }) => ({
      line: linesAt(issue.code === 'unrecognized_keys' ? [...path, ...issue.keys] : path)[0],
      problem: `${path.slice(1).join('.')} ${message}`.trim(),
    }))
    return refused(...found.sort((a, b) => a.line - b.line).map(({ line, problem }) => at(line, problem)))
  }
  const listed = read.data.map((entry, nth) => ({ ...entry, lines: linesAt([nth]) }))
  // A glob may be listed once for each operation.
  const twice = listed.flatMap(({ rule, operation, lines: [line] }) => {
    const first = listed.find(each => each.rule === rule && each.operation === operation)?.lines[0]
    return first === line ? [] : [at(line, `${rule} is listed on line ${first} already`)]
  })
  return twice.length > 0 ? refused(...twice) : { file, entries: listed }
}

/** No list if aliases expand to more than the parser allows. */
function contentOf(document: Document): unknown {
  try {
    return document.toJS()
  } catch {
    return {}
  }
}
