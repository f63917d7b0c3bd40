import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { judge, type Report } from '../embed/index.ts'
import { withStore } from './judged-store.ts'
import { inProcesses } from './pool.ts'

/**
 * Script for authors: judges hundreds of changes of the compiled reference store, one line each, to find missing rules. It prints those
 * with which the store is still conformant. Many of them change no response, or one that the document leaves open.
 *
 *     npm run mutants                   all mutants
 *     npm run mutants -- operate.js     mutants whose file or line contains this text
 *
 * It starts itself again as the processes that judge the mutants.
 */
const [wanted = ''] = process.argv.slice(2)

/** Files that belong to the test or to faults, or have no code. Mutants in them would prove nothing. */
const LEFT_OUT = /^(authoring|demo|fault|index|states)\.js$/

/** Files that only a store behind a port uses. */
const ONLY_SERVED = /^(serve|wire)\.js$/

/** Milliseconds. */
const LIMIT_MS = 60_000

/** Each match on a line is replaced in a mutant of its own. */
const REPLACEMENTS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ (<|>) /g, ' $1= '],
  [/ (<|>)= /g, ' $1 '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \?\? .*?(?=[),;\]]|$)/g, ''],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/!(?=[a-zA-Z(])/g, ''],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<![\w.'[{,(/^-]|\(\?:)(\d+)(n?)(?![\w.'\]}-])/g, '($1$2 + 1$2)'],
  [/'[^']+'/g, "''"],
  [/\?\./g, '.'],
  [/\.(trim|toLowerCase|toUpperCase|reverse|sort|flat)\(\)/g, ''],
  [/\.(some|every)\(/g, '.find('],
  [/(?<=\/)\^|\$(?=\/[a-z]*[.,);])/g, ''],
  [/(?<=\bif \().*(?=\)( \{)?$)/g, 'true'],
  [/(?<=\bif \().*(?=\)( \{)?$)/g, 'false'],
  [/(?<=(?:=>|return|=) ).*(?= \? )/g, 'true'],
  [/(?<=(?:=>|return|=) ).*(?= \? )/g, 'false'],
  [/(?<=return ).+(?=;$)/g, 'undefined'],
  [/\[.+\]/g, '[]'],
  [/^(\s+)(?!return|const|let|break|throw|export|import|\}|\/\/|\/?\*)[\w.]+.*;$/g, '$1;'],
  [/^(\s+)(throw|break)\b.*;$/g, '$1;'],
]

interface Mutant {
  readonly file: string
  /** Counted from 0. */
  readonly line: number
  readonly replacement: string
  /** Its file and line, before and after. */
  readonly text: string
}

const reference = fileURLToPath(new URL('../reference/', import.meta.url))
const sources = new Map(
  readdirSync(reference)
    .filter(name => name.endsWith('.js'))
    .map(name => [name, readFileSync(join(reference, name), 'utf8').split('\n')] as const),
)

const mutantsOf = (file: string, lines: readonly string[]): readonly Mutant[] =>
  lines.flatMap((text, line) => {
    if (/^\s*(\/\/|\/?\*|import |export (\{|\*))/.test(text)) return []
    const replacements = REPLACEMENTS.flatMap(([pattern, replacement]) =>
      [...text.matchAll(pattern)].map(({ index }) => {
        // Replaces only the match that begins here.
        const here = new RegExp(pattern.source, 'y')
        here.lastIndex = index
        return text.replace(here, replacement)
      }),
    )
    return [...new Set(replacements)]
      .filter(changed => changed !== text)
      .map(changed => ({
        file,
        line,
        replacement: changed,
        text: `${file}:${line + 1}\n  ${text.trim()}\n  ${changed.trim()}`,
      }))
  })

/** A store to judge: the main module of a copy of `support/reference`. */
interface Task {
  readonly main: string
  /** Only a store behind a port uses the changed line. */
  readonly isOnlyServed: boolean
}

/** The verdict on the store, or the error: it could not be created, nothing could be arranged in it, or its process did not end in time. */
type Finding = Report['verdict'] | 'broken'

async function judgeMutant({ main }: Task, isServed: boolean): Promise<Finding> {
  try {
    const module: typeof import('../reference/index.ts') = await import(pathToFileURL(main).href)
    return await withStore(module, { overrides: [], isServed }, async (options, { states }) => {
      const { verdict } = await judge({ ...options, states, seed: 1 })
      return verdict
    })
  } catch {
    return 'broken'
  }
}

/** Judges the mutants that the parent process sends. */
function serveTasks(send: (answer: { readonly result: Finding }) => void): void {
  // A mutant may cause an unhandled rejection, which must not end the process for the other mutants.
  process.on('unhandledRejection', () => {})
  process.on('uncaughtException', () => {})
  process.on('message', async (task: Task) => {
    // In process first, which is faster, then over a port, which shows more.
    const first = task.isOnlyServed ? 'conformant' : await judgeMutant(task, false)
    send({ result: first === 'conformant' ? await judgeMutant(task, true) : first })
  })
  process.on('disconnect', () => process.exit())
}

/** Judges a copy of the store for each mutant, beside the original, so that its imports of other folders work. */
async function judgeAll(
  mutants: readonly Mutant[],
  onFinding: (finding: Finding, mutant: Mutant) => void,
): Promise<void> {
  const tasks = new Map<Task, Mutant>()
  const copied = function* () {
    for (const [nth, mutant] of mutants.entries()) {
      const folder = join(reference, '..', `mutant-${process.pid}-${nth}`)
      mkdirSync(folder)
      for (const [name, lines] of sources) {
        const changed = name === mutant.file ? lines.with(mutant.line, mutant.replacement) : lines
        writeFileSync(join(folder, name), changed.join('\n'))
      }
      const task = { main: join(folder, 'index.js'), isOnlyServed: ONLY_SERVED.test(mutant.file) }
      tasks.set(task, mutant)
      yield task
    }
  }
  const remove = ({ main }: Task) => rmSync(dirname(main), { recursive: true, force: true })
  try {
    // A mutant may loop endlessly, or end its process.
    await inProcesses<Task, Finding>(new URL(import.meta.url), copied(), LIMIT_MS, (answer, task) => {
      remove(task)
      onFinding('error' in answer ? 'broken' : answer.result, tasks.get(task) as Mutant)
    })
  } finally {
    for (const task of tasks.keys()) remove(task)
  }
}

async function findSurvivors(): Promise<void> {
  const mutants = [...sources]
    .filter(([file]) => !LEFT_OUT.test(file))
    .flatMap(([file, lines]) => mutantsOf(file, lines))
    .filter(({ text }) => text.includes(wanted))
  const counts: Record<string, number> = {}
  await judgeAll(mutants, (finding, { text }) => {
    counts[finding] = (counts[finding] ?? 0) + 1
    if (finding === 'conformant') console.log(text)
  })
  console.log(mutants.length, 'mutants:', counts)
}

if (process.send) serveTasks(answer => process.send?.(answer))
else await findSurvivors()
