import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { named, type PlainStore, plainStore } from '../cli/testing/store.ts'
import { BOMB, hostileAnswers, hostileStore } from './hostile-store.ts'
import { COMMAND, inFolder, node, VITEST } from './processes.ts'

/**
 * Development tool: experiments that take too long for a test, such as killed runs, full disks and stores that send too much. Each
 * argument is a part of a title, and selects experiments. Exit 1 if any trial did harm.
 *
 *     npm run chaos -- SIGKILL
 */

/**
 * What happens once, to a new store and in a new folder.
 * @param note receives the measurements
 * @returns the problems; empty if there are none
 */
type Trial = (
  store: PlainStore,
  folder: string,
  nth: number,
  note: (text: string) => void,
) => Promise<readonly string[]>

interface Experiment {
  readonly title: string
  /** Number of trials. */
  readonly times: number
  readonly trial: Trial
  /** Default: a store that conforms. */
  readonly open?: () => Promise<PlainStore>
}

const RUN = [COMMAND, 'run'] as const

/** Runs Node with these arguments in a folder, against a store. @param meanwhile receives the process when it has started */
const perform = (
  args: readonly string[],
  folder: string,
  store: PlainStore,
  meanwhile?: (child: ChildProcess) => void,
) =>
  node(args, {
    folder,
    env: { ...store.env, STORE_RUNS: '2', ...named },
    ...(meanwhile ? { meanwhile } : {}),
  })

/** The problems of one trial. Incomplete reports and changed stock are problems of every experiment. */
async function problemsOf(
  { trial, open = plainStore }: Experiment,
  nth: number,
  note: (text: string) => void,
): Promise<readonly string[]> {
  const store = await open()
  const before = JSON.stringify([...store.stock])
  try {
    const found = await inFolder(async folder => [
      ...(await trial(store, folder, nth, note)),
      ...brokenReports(folder),
    ])
    const after = JSON.stringify([...store.stock])
    return before === after ? found : [...found, `stock ${after} instead of ${before}`]
  } finally {
    await store.close()
  }
}

const ENDINGS: Readonly<Record<string, RegExp>> = {
  'conformance.json': /\}\s*$/,
  'conformance.html': /<\/html>\s*$/,
  'junit.xml': /<\/testsuites>\s*$/,
  'exchanges.har': /\}\s*$/,
}

/** The incomplete reports in the folder. */
const brokenReports = (folder: string): string[] =>
  Object.entries(ENDINGS).flatMap(([name, ending]) => {
    const path = join(folder, 'reports', name)
    return existsSync(path) && !ending.test(readFileSync(path, 'utf8')) ? [name] : []
  })

/** Milliseconds after the start. A run takes some seconds. */
const moment = (nth: number): number => 300 + ((nth * 7_919) % 6_000)

const killed =
  (args: readonly string[]): Trial =>
  async (store, folder, nth) => {
    await perform(args, folder, store, child => setTimeout(() => child.kill('SIGKILL'), moment(nth)))
    if (!existsSync(join(folder, 'reports', 'undo.json'))) return []
    const { code, stderr } = await perform([COMMAND, 'restore'], folder, store)
    return code === 0 ? [] : [`restore: ${stderr}`]
  }

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const stopped =
  (args: readonly string[]): Trial =>
  async (store, folder, nth) => {
    const signal = SIGNALS[nth % SIGNALS.length] ?? 'SIGINT'
    // After the start-up of the process, in which no signal handler is installed and nothing was sent.
    const { code, stdout, stderr } = await perform(args, folder, store, child =>
      setTimeout(() => child.kill(signal), moment(nth) + 700),
    )
    const hasVerdict = /Incomplete|Conformant|Not conformant/i.test(stdout + stderr)
    // Vitest starts more slowly, and ends with a code above 128.
    const endedEarly = code === null || (args === VITEST && code > 128)
    return hasVerdict || endedEarly ? [] : [`exit ${code} without a verdict: ${stderr}`]
  }

/** A folder with the name of the file makes every write of the file fail, even for root. */
const unwritable =
  (args: readonly string[]): Trial =>
  async (store, folder, nth) => {
    const name = ['undo.json.new', '.conformance.json.partial', '.exchanges.har.partial'][nth % 3] ?? ''
    const { code, stderr } = await perform(args, folder, store, () => {
      setTimeout(() => mkdirSync(join(folder, 'reports', name), { recursive: true }), moment(nth))
    })
    if (code === null) return ['it did not end']
    return stderr.includes('Internal error') ? [stderr] : []
  }

/** An undo journal that is cut, has a changed character, or an id that is no number. */
function damagedJournal(nth: number, baseUrl: string): string {
  const ids = ['1', '../store/orders/101', '1?x=1#', '1/../2', '%31', '1e0', '0x1']
  const whole = JSON.stringify({
    format: 'store-conformance-undo/1',
    baseUrl,
    pets: [{ petId: ids[nth % ids.length], quantity: '7' }],
  })
  const [at = 0, code = 0] = fc.sample(fc.nat(), { seed: nth, numRuns: 2 })
  const cut = at % whole.length
  return (
    [
      whole,
      whole.slice(0, cut),
      `${whole.slice(0, cut)}${String.fromCharCode(code % 256)}${whole.slice(cut + 1)}`,
    ][nth % 3] ?? ''
  )
}

const damaged: Trial = async (store, folder, nth) => {
  mkdirSync(join(folder, 'reports'))
  writeFileSync(join(folder, 'reports', 'undo.json'), damagedJournal(nth, store.baseUrl))
  const before = JSON.stringify([...store.orders])
  const ended = await perform([COMMAND, 'restore'], folder, store)
  const stray = store.requests.filter(
    ({ method, path }) =>
      method !== 'GET' && !(method === 'PATCH' && /^\/v1\/inventory\/[-+.0-9eE]+$/.test(path)),
  )
  return [
    ...(before === JSON.stringify([...store.orders]) ? [] : ['an order changed']),
    ...stray.map(({ method, path }) => `${method} ${path} was sent`),
    ...(ended.stderr.includes('Internal error') ? [ended.stderr] : []),
  ]
}

/** Other clients create, cancel and change all orders that the run does not own. */
const traffic: Trial = async (store, folder, nth) => {
  const own = new Set(Object.values(named).flatMap(ids => ids.split(',')))
  const others = [...store.orders.keys()].filter(id => !own.has(id))
  // New ids count upwards, as in most stores. A run uses no unknown id that is close above the largest listed one.
  let next = 300 + nth
  const busy = setInterval(() => {
    store.orders.set(String(next), next % 2 === 0 ? 'pending' : 'shipped')
    if (next > 340) store.orders.delete(String(next - 20))
    for (const id of others) store.orders.set(id, next % 3 === 0 ? 'pending' : 'shipped')
    next += 1
  }, 2)
  const ended = await perform(RUN, folder, store)
  clearInterval(busy)
  return ended.code === 0 ? [] : [`exit ${ended.code}: ${ended.stdout.slice(0, 2_000)}`]
}

const LIMIT_MB = 700

const hostile: Trial = async (store, folder, _nth, note) => {
  const { code, ms, peakMb } = await node(['--max-old-space-size=512', ...RUN], {
    folder,
    env: { ...store.env, STORE_RUNS: '2' },
  })
  note(`${peakMb} MB, ${Math.round(ms / 1000)} s, exit ${code}`)
  return [
    ...(existsSync(join(folder, 'reports', 'conformance.json')) ? [] : [`no report, exit ${code}`]),
    ...(peakMb > LIMIT_MB ? [`${peakMb} MB`] : []),
    ...(code === 0 ? ['called conformant'] : []),
  ]
}

const experiments: readonly Experiment[] = [
  { title: 'SIGKILL at a random moment, then restore', times: 20, trial: killed(RUN) },
  { title: 'SIGINT, SIGTERM or SIGHUP at a random moment', times: 20, trial: stopped(RUN) },
  { title: 'a report or the undo journal cannot be written', times: 12, trial: unwritable(RUN) },
  { title: 'Vitest: SIGKILL at a random moment, then restore', times: 20, trial: killed(VITEST) },
  { title: 'Vitest: SIGINT, SIGTERM or SIGHUP at a random moment', times: 20, trial: stopped(VITEST) },
  { title: 'Vitest: a report or the undo journal cannot be written', times: 12, trial: unwritable(VITEST) },
  { title: 'restore from a damaged or tampered undo journal', times: 21, trial: damaged },
  { title: 'other clients change all orders that the run does not own', times: 5, trial: traffic },
  ...[...Object.keys(hostileAnswers), BOMB].map(name => ({
    title: `hostile: ${name}`,
    times: 1,
    trial: hostile,
    open: () => hostileStore(name),
  })),
]

const selected = process.argv.slice(2)
let harms = 0
for (const experiment of experiments) {
  const { title, times } = experiment
  if (selected.length > 0 && !selected.some(part => title.includes(part))) continue
  let wrong = 0
  const notes: string[] = []
  for (let nth = 0; nth < times; nth += 1) {
    const problems = await problemsOf(experiment, nth, text => notes.push(text))
    if (problems.length === 0) continue
    wrong += 1
    console.log(`  ${title}, trial ${nth}: ${problems.join('; ')}`)
  }
  harms += wrong
  console.log(`${times - wrong} of ${times}  ${title}${notes.length > 0 ? `: ${notes.join('; ')}` : ''}`)
}
process.exitCode = harms === 0 ? 0 : 1
