import { basename } from 'node:path'
import { type Document, isMap, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml'
import { z } from 'zod'
import { MEGABYTE, readInput, type Unreadable } from '../http/read-input.ts'
import { operationIds } from '../interface/operations.ts'
import type { ExpectedFailure, ExpectedFailures } from '../judge/expected-failures.ts'
import type { Mistake } from './mistake.ts'

const EXAMPLE = '- { rule: …, operation: …, reason: …, owner: …, expires: 2026-12-31 }'

const filled = z.string({ error: 'is missing' }).trim().min(1, 'is empty')

const entrySchema = z.strictObject({
  rule: filled,
  operation: filled.refine(text => (operationIds as readonly string[]).includes(text), {
    error: ({ input }) => `is ${JSON.stringify(input)}, not one of ${operationIds.join(', ')}`,
    abort: true,
  }),
  reason: filled,
  owner: filled,
  expires: filled.refine(isDate, {
    error: ({ input }) => `is ${JSON.stringify(input)}, not a date such as 2026-12-31`,
  }),
})

/** Reads a file of `--expected-failures`. Every mistake in it is named, with its line. */
export function readExpectedFailures(file: string): ExpectedFailures | { readonly mistakes: Mistake[] } {
  let text: string
  try {
    text = readInput(file, MEGABYTE).toString('utf8')
  } catch (error) {
    const problem = `${file} ${(error as Unreadable).message}`
    return { mistakes: [{ setting: '--expected-failures', problem }] }
  }
  const parsed = parseExpectedFailures(text)
  if ('entries' in parsed) return { file, entries: parsed.entries }
  const mistakes = parsed.mistakes.map(({ line, problem }) => ({
    setting: '--expected-failures',
    problem: `${basename(file)}:${line}: ${problem}`,
  }))
  return { mistakes }
}

type Parsed =
  | { readonly entries: readonly ExpectedFailure[] }
  | { readonly mistakes: readonly { readonly line: number; readonly problem: string }[] }

export function parseExpectedFailures(given: string): Parsed {
  const text = given.replace(/^\ufeff/, '')
  const counter = new LineCounter()
  // With `failsafe` each scalar stays text: `no` does not become false, and a date stays as it is written.
  const document = parseDocument(text, { lineCounter: counter, schema: 'failsafe', prettyErrors: false })
  const lineAt = (offset: number) => counter.linePos(offset).line
  const broken = [...document.errors, ...document.warnings]
  if (broken.length > 0) {
    return { mistakes: broken.map(({ pos, message }) => ({ line: lineAt(pos[0]), problem: message })) }
  }
  const { contents } = document
  if (contents === null || text.slice(contents.range[0], contents.range[1]).trim() === '')
    return { entries: [] }
  if (!isSeq(contents)) {
    const problem = `is not a list; write each known failure as ${EXAMPLE}`
    return { mistakes: [{ line: lineAt(contents.range[0]), problem }] }
  }
  const linesOf = ({ range }: Node): [number, number] => {
    const [start = 0, end = 0] = range ?? []
    // The dash of an entry may stand on a line of its own.
    const dash = /-\s*$/.exec(text.slice(0, start))?.index ?? start
    return [lineAt(dash), lineAt(Math.max(dash, text.slice(0, end).trimEnd().length - 1))]
  }
  const entries: ExpectedFailure[] = []
  const mistakes: { line: number; problem: string }[] = []
  for (const item of contents.items as Node[]) {
    const lines = linesOf(item)
    if (!isMap(item)) {
      mistakes.push({ line: lines[0], problem: `is not an entry; write it as ${EXAMPLE}` })
      continue
    }
    const read = entrySchema.safeParse(unfolded(item, document))
    if (!read.success) {
      mistakes.push(...problems(read.error, name => lineOf(item, name, lineAt) ?? lines[0]))
      continue
    }
    const twin = entries.find(({ rule }) => rule === read.data.rule)
    if (twin)
      mistakes.push({ line: lines[0], problem: `${twin.rule} is listed on line ${twin.lines[0]} already` })
    entries.push({ ...read.data, lines })
  }
  return mistakes.length > 0 ? { mistakes: mistakes.sort((a, b) => a.line - b.line) } : { entries }
}

/** Undefined if aliases expand to more than the parser allows. Then the entry is invalid. */
function unfolded(item: YAMLMap, document: Document): unknown {
  try {
    return item.toJS(document)
  } catch {
    return undefined
  }
}

function problems({ issues }: z.ZodError, lineFor: (name: string) => number) {
  return issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(name => ({
          line: lineFor(name),
          problem: `${JSON.stringify(name)} is unknown; an entry has ${Object.keys(entrySchema.shape).join(', ')}`,
        }))
      : [
          {
            line: lineFor(String(issue.path[0])),
            problem: `${issue.path.join('.')} ${issue.message}`.trim(),
          },
        ],
  )
}

function lineOf(entry: YAMLMap, name: string, lineAt: (offset: number) => number): number | undefined {
  const key = entry.items.map(pair => pair.key as Node).find(node => String(node) === name)
  return key?.range ? lineAt(key.range[0]) : undefined
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
