import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type JudgeOptions, judgeEach } from '../embed/index.ts'
import { isGatingLevel } from '../judge/gating.ts'
import { matchesGlob } from '../judge/selection.ts'
import { packageRoot } from '../report/package-root.ts'
import { withStore } from './judged-store.ts'
import { inProcesses } from './pool.ts'

/**
 * Script for authors: judges hundreds of changes of the compiled reference store, one line each, to find missing rules.
 *
 *     npm run mutants                   all mutants; fails if a survivor is not in survivors.json
 *     npm run mutants -- updating.js    mutants whose description contains this text
 *
 * It starts itself again as the processes that judge the mutants.
 */
const [wanted = ''] = process.argv.slice(2)

/** Files that belong to the test or to faults, or have no code. Mutants in them would prove nothing. */
const LEFT_OUT = /^(authoring|demo|fault|index|states)\.js$/

/** Files that only a store behind a port uses. */
const ONLY_SERVED = /^(serve|wire)\.js$/

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
  [/''/g, "'mutant'"],
  [/`[^`]+`/g, '``'],
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
  /** Identifies it whatever its line is. */
  readonly key: string
}

const reference = fileURLToPath(new URL('../reference/', import.meta.url))
const sources = new Map(
  readdirSync(reference)
    .filter(name => name.endsWith('.js'))
    .map(name => [name, readFileSync(join(reference, name), 'utf8').split('\n')] as const),
)

function mutantsOf(file: string, lines: readonly string[]): readonly Mutant[] {
  let within = ''
  return lines.flatMap((text, line) => {
    within = /^(?:export )?(?:const|class) (\w+)/.exec(text)?.[1] ?? within
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
        key: `${file} ${within}: ${text.trim()} ${change(text, changed)}`,
      }))
  })
}

/** The part that differs, before and after: `[true → false]`. */
function change(before: string, after: string): string {
  const isSame = (at: number) => before.at(at) === after.at(at)
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && isSame(start)) start += 1
  let end = 0
  while (end < most - start && isSame(-1 - end)) end += 1
  return `[${before.slice(start, before.length - end)} → ${after.slice(start, after.length - end)}]`
}

/** Mutants that may survive, with the reason. */
interface Known {
  /**
   * `equivalent`: no response differs. `open`: a response differs, but the document leaves it open. `unseen`: it violates the
   * interface, but no run can arrange the condition that shows it.
   */
  readonly kind: 'equivalent' | 'open' | 'unseen'
  readonly why: string
  /** Their number, so that no other mutant that the patterns match survives unnoticed. */
  readonly count: number
  /** Their keys, in which `*` stands for any text. */
  readonly mutants: readonly string[]
}

/** A store to judge: the main module of a copy of `support/reference`. */
interface Task {
  readonly main: string
  /** Only a store behind a port uses the changed line. */
  readonly isOnlyServed: boolean
}

interface Finding {
  /**
   * `killed`: a gating rule failed. `undecided`: none failed, but one could not be determined or tested, so the verdict is not
   * `conformant`. `broken`: the store could not be created, nothing could be arranged in it, or its process did not end in time.
   * `survived`: the verdict is `conformant`.
   */
  readonly status: 'killed' | 'undecided' | 'broken' | 'survived'
  /** The first gating rule that did not pass, or the error. */
  readonly by?: string
}

async function judgeMutant({ main }: Task, isServed: boolean): Promise<Finding> {
  try {
    const module: typeof import('../reference/index.ts') = await import(pathToFileURL(main).href)
    return await withStore(module, { overrides: [], isServed }, (options, { states }) =>
      firstFailure({ ...options, states, seed: 1 }),
    )
  } catch (error) {
    return { status: 'broken', by: String(error) }
  }
}

/** The first gating rule that fails. The run stops there. */
async function firstFailure(options: JudgeOptions): Promise<Finding> {
  let open: string | undefined
  for await (const { id, level, outcome } of judgeEach(options)) {
    if (!isGatingLevel(level, 'implied')) continue
    if (outcome === 'failed') return { status: 'killed', by: id }
    if (outcome === 'cantTell' || outcome === 'untested') open ??= id
  }
  return open === undefined ? { status: 'survived' } : { status: 'undecided', by: open }
}

/** Judges the mutants that the parent process sends. */
function serveTasks(send: (answer: { readonly result: Finding }) => void): void {
  // A mutant may cause an unhandled rejection, which must not end the process for the other mutants.
  process.on('unhandledRejection', () => {})
  process.on('uncaughtException', () => {})
  process.on('message', async (task: Task) => {
    // In process first, which is faster, then over a port, which shows more.
    const first = task.isOnlyServed ? undefined : await judgeMutant(task, false)
    send({ result: first && first.status !== 'survived' ? first : await judgeMutant(task, true) })
  })
  process.on('disconnect', () => process.exit())
}

/** Judges a copy of the store for each mutant, beside the original, so that its imports of other folders work. */
async function judgeAll(
  mutants: readonly (Mutant | undefined)[],
  limitMs: number,
  onFinding: (finding: Finding, mutant: Mutant | undefined) => void,
): Promise<void> {
  const tasks = new Map<Task, Mutant | undefined>()
  const copied = function* () {
    for (const [nth, mutant] of mutants.entries()) {
      const folder = join(reference, '..', `mutant-${process.pid}-${nth}`)
      mkdirSync(folder)
      for (const [name, lines] of sources) {
        const changed = name === mutant?.file ? lines.with(mutant.line, mutant.replacement) : lines
        writeFileSync(join(folder, name), changed.join('\n'))
      }
      const task = { main: join(folder, 'index.js'), isOnlyServed: ONLY_SERVED.test(mutant?.file ?? '') }
      tasks.set(task, mutant)
      yield task
    }
  }
  const remove = ({ main }: Task) => rmSync(dirname(main), { recursive: true, force: true })
  try {
    // A mutant may loop endlessly, or end its process.
    await inProcesses<Task, Finding>(new URL(import.meta.url), copied(), limitMs, (answer, task) => {
      remove(task)
      onFinding('error' in answer ? { status: 'broken', by: answer.error } : answer.result, tasks.get(task))
    })
  } finally {
    for (const task of tasks.keys()) remove(task)
  }
}

async function findSurvivors(): Promise<void> {
  const known: readonly Known[] = JSON.parse(
    readFileSync(new URL('support/selfcheck/survivors.json', packageRoot), 'utf8'),
  )
  const mutants = [...sources]
    .filter(([file]) => !LEFT_OUT.test(file))
    .flatMap(([file, lines]) => mutantsOf(file, lines))
    .filter(({ key }) => key.includes(wanted))
  const started = performance.now()
  await judgeAll([undefined], 120_000, ({ status, by }) => {
    if (status !== 'survived') throw new Error(`the store without a mutant does not pass: ${status}, ${by}`)
  })
  const limitMs = 10_000 + 10 * (performance.now() - started)
  const judged: (Mutant & Finding & { known?: Known | undefined })[] = []
  await judgeAll(mutants, limitMs, (finding, mutant) => {
    if (!mutant) return
    const reason = known.find(each => each.mutants.some(pattern => matchesGlob(pattern, mutant.key)))
    judged.push({ ...mutant, ...finding, ...(finding.status === 'survived' ? { known: reason } : {}) })
    if (process.stderr.isTTY) process.stderr.write(`\r${judged.length} of ${mutants.length}`)
  })

  const counts: Record<string, number> = {}
  for (const { status, known: reason } of judged) {
    const name = status === 'survived' ? `survived, ${reason?.kind ?? 'unexplained'}` : status
    counts[name] = (counts[name] ?? 0) + 1
  }
  const survivors = judged.filter(({ status }) => status === 'survived')
  const problems = [
    ...survivors.filter(each => !each.known).map(({ key }) => `survived: ${key}`),
    ...known.flatMap(entry => {
      const own = survivors.filter(each => each.known === entry).map(({ key }) => key)
      if (own.length > entry.count)
        return `${own.length} survivors instead of ${entry.count}: ${entry.why}\n  ${own.sort().join('\n  ')}`
      return entry.mutants
        .filter(pattern => wanted === '' && !own.some(key => matchesGlob(pattern, key)))
        .map(pattern => `stale in survivors.json: ${pattern}`)
    }),
  ]
  for (const problem of problems) console.log(problem)
  const summary = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  console.log(`${judged.length} mutants: ${summary.join('; ')}`)
  console.log(`${Math.round((performance.now() - started) / 1000)} s; full result in reports/mutants.json`)
  mkdirSync('reports', { recursive: true })
  writeFileSync('reports/mutants.json', `${JSON.stringify({ counts, problems, mutants: judged }, null, 2)}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

if (process.send) serveTasks(answer => process.send?.(answer))
else await findSurvivors()
