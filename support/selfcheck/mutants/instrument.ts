import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import type { Mutant } from './mutant.ts'
import { isStore } from './sources.ts'

type Logger = ConstructorParameters<typeof Instrumenter>[0]

const no = () => false
const nothing = () => {}

const silent: Logger = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
}

export interface Instrumented {
  readonly mutants: readonly Mutant[]
  /** By path: the source with all mutants, each of which can be switched on. */
  readonly files: ReadonlyMap<string, string>
}

export async function instrument(paths: readonly string[]): Promise<Instrumented> {
  const contents = new Map(paths.map(path => [path, readFileSync(path, 'utf8')]))
  const { mutants, files } = await new Instrumenter(silent).instrument(
    [...contents].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  )
  return {
    files: new Map(files.map(({ name, content }) => [name, content])),
    mutants: mutants
      .map(({ id, fileName, mutatorName, location: { start, end }, replacement }) => {
        const lines = (contents.get(fileName) ?? '').split('\n')
        return {
          id,
          file: basename(fileName),
          within: declarationAt(lines, start.line),
          mutator: mutatorName,
          at: start.line + 1,
          original: brief(between(lines, start, end)),
          replacement: brief(replacement),
        }
      })
      .filter(isStore),
  }
}

interface Place {
  readonly line: number
  readonly column: number
}

const between = (lines: readonly string[], start: Place, end: Place): string => {
  const within = lines.slice(start.line, end.line + 1)
  within[within.length - 1] = within.at(-1)?.slice(0, end.column) ?? ''
  within[0] = within[0]?.slice(start.column) ?? ''
  return within.join('\n')
}

/** The declaration that contains the line, found by its indentation. */
function declarationAt(lines: readonly string[], line: number): string {
  const above = lines.slice(0, line + 1)
  const top = above.findLastIndex(text => /^[a-z]/i.test(text))
  const declared = /^(?:export )?(?:const|class) (\w+)|^(.{1,40})/.exec(lines[top] ?? '')
  const isObject = / = \{$|=> \(\{$/.test(lines[top] ?? '')
  const members = above.slice(top + 1).map(text => /^ {2}(\w+): /.exec(text)?.[1])
  const member = isObject ? members.findLast(name => name !== undefined) : undefined
  return [declared?.[1] ?? declared?.[2], member].filter(Boolean).join('.')
}

/** The beginning of the code, which is enough to recognise it. */
const brief = (code: string): string => {
  const text = code.replace(/\s+/g, ' ').trim()
  return text.length > 100 ? `${text.slice(0, 99)}…` : text
}
