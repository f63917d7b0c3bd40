import { existsSync, statSync, watch } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Misconfigured } from '../judge/outcome.ts'
import { exitCodes } from '../judge/verdict.ts'
import { compareReports } from '../report/diff/compare.ts'
import { conclusion, kindsOfChange } from '../report/diff/print.ts'
import { mark } from '../report/document.ts'
import { screenText } from '../report/formats.ts'
import { printable } from '../report/printable.ts'
import type { Report } from '../report/report.ts'
import { plainLine, rowsOf } from '../report/terminal.ts'
import { headline, plural } from '../report/words.ts'
import { judgeUntil, writeAll } from '../run/reported-run.ts'
import type { OpenRun } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'
import { hasColour } from './judge-and-report.ts'
import { judging } from './judging.ts'

/** Milliseconds for the first answer of a store that is restarting, unless --wait is given. */
const RESTART_MS = 30_000

/**
 * Judges the store, and again each time it restarts, a file below the path changes, or Enter is pressed. Ctrl-C ends it.
 * @returns the exit code of the last run
 */
export async function judgeOnEachChange(given: Configuration, path: string | undefined): Promise<number> {
  if (path !== undefined && !existsSync(path))
    throw new Misconfigured(`There is no file or folder ${path} to watch.`)
  const configuration = { ...given, waitMs: given.waitMs ?? RESTART_MS }
  const last = await judging(configuration, async ({ signal, began, judged }) => {
    const changes = changesOf(configuration, path, signal)
    for (let last: Report | undefined; ; ) {
      const before = last
      last = await judgeUntil(signal, configuration, {
        async begun(run) {
          if (run.unreachable) return
          await judgeOpenFirst(run, before)
          began(run)
        },
        judged,
      })
      const problem = writeAll(last, configuration.reportsDir)
      process.stdout.write(screen(last, before, configuration, path))
      if (problem) throw problem
      if (signal.aborted || !(await changes.next())) return last
    }
  })
  return exitCodes[last.verdict]
}

/** What failed or had no result in the run before, because that is what the user works on. */
async function judgeOpenFirst(run: OpenRun, before: Report | undefined): Promise<void> {
  const open = before?.rules.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'inapplicable') ?? []
  const first = run.selection.rules.filter(({ id }) => open.some(each => each.id === id))
  const judged = await Promise.all(first.map(run.judge))
  const passed = judged.filter(({ outcome }) => outcome === 'passed').length
  if (first.length > 0)
    process.stdout.write(
      `${passed} of ${first.length} rules that had not passed pass now. Judging the others …\n`,
    )
}

/** Size of a terminal that does not tell it. */
const ROWS = 40
const COLUMNS = 80
/** Rows of the footer and the prompt. */
const OTHER_ROWS = 6

function screen(
  report: Report,
  before: Report | undefined,
  configuration: Configuration,
  path: string | undefined,
): string {
  const { isTTY } = process.stdout
  const [rows, columns] = [process.stdout.rows || ROWS, process.stdout.columns || COLUMNS]
  const changed = before ? changeText(report, before) : []
  const above = [printable(headline(report)), '', ...changed, ...usedUp(report, configuration)]
  const rest = Math.max(rows - rowsOf(above, columns) - OTHER_ROWS, 1)
  const ways = [
    ...(isPortWatched(configuration) ? ['the store restarts'] : []),
    ...(path === undefined ? [] : [`${path} changes`]),
    'Enter is pressed',
  ]
  return [
    // Clears the terminal.
    ...(isTTY ? ['\u001b[2J\u001b[3J\u001b[H'] : ['']),
    ...above,
    screenText(report, hasColour(), isTTY ? rest : Number.POSITIVE_INFINITY, columns),
    '',
    `Judged at ${new Date().toTimeString().slice(0, 8)}. Runs again when ${ways.join(', or ')}. Ctrl-C ends it.`,
    '',
  ].join('\n')
}

/** Kinds of changes on the screen. `diff` shows the others. */
const SHOWN_CHANGES = 4
const NAMED = 4

function changeText(report: Report, before: Report): string[] {
  const difference = compareReports(before, report)
  const lines = kindsOfChange(difference)
    .slice(0, SHOWN_CHANGES)
    .map(([title, standing, items]) => {
      const ids = items.slice(0, NAMED).map(({ id }) => id)
      const more = items.length > NAMED ? ` and ${items.length - NAMED} more` : ''
      return `  ${plainLine(mark(standing))} ${title}: ${printable(ids.join(', '))}${more}`
    })
  return [`Since the last run: ${conclusion(difference)}`, ...lines, '']
}

/** A pending order can be cancelled only once, so the second run has none of those that the settings name. */
function usedUp({ rules }: Report, { pendingOrders }: Configuration): string[] {
  const waiting = rules.filter(
    ({ outcome, need }) => outcome === 'untested' && need?.includes('--pending-orders'),
  )
  if (pendingOrders === undefined || waiting.length === 0) return []
  return [
    `The named pending orders are used up: ${plural(waiting.length, 'rule has', 'rules have')} no result until the store has them again, as after a`,
    'restart with its test data (--start does that for each run). With provider states, every run gets new orders.',
    '',
  ]
}

/** With --start, each run starts the store itself. */
const isPortWatched = ({ baseUrl, start }: Configuration): boolean =>
  baseUrl !== undefined && start === undefined

/** Milliseconds without a further change, because editors and builds write several files. */
const QUIET_MS = 300
/** Runs in a row that may be due to changes during the run before. A store that writes below the path would cause endless runs. */
const MOST_IN_A_ROW = 2

function changesOf(configuration: Configuration, path: string | undefined, signal: AbortSignal) {
  let wake: () => void = () => undefined
  let isPending = false
  let inARow = 0
  const changed = () => {
    isPending = true
    wake()
  }
  if (path !== undefined) watchPath(path, configuration.reportsDir, changed, signal)
  if (isPortWatched(configuration)) watchPort(new URL(configuration.baseUrl as string), changed, signal)
  process.stdin.on('data', changed).unref()
  // Keeps the process alive if there is nothing but the terminal to wait for.
  const alive = setInterval(() => undefined, 2 ** 30)
  signal.addEventListener('abort', () => {
    clearInterval(alive)
    process.stdin.off('data', changed).pause()
    wake()
  })
  return {
    /** Waits for the next change. @returns false if the user ends the command */
    async next(): Promise<boolean> {
      inARow = isPending ? inARow + 1 : 0
      if (inARow > MOST_IN_A_ROW) {
        isPending = false
        process.stdout.write('Something changes during each run, so the next run waits for another change.\n')
      }
      while (!isPending && !signal.aborted) await new Promise<void>(resolve => (wake = resolve))
      while (isPending && !signal.aborted) {
        isPending = false
        await sleep(QUIET_MS)
      }
      return !signal.aborted
    },
  }
}

/** Reports and what tools write are no changes of the store. */
const IGNORED = ['node_modules', '.git']

function watchPath(path: string, reportsDir: string, changed: () => void, signal: AbortSignal): void {
  const isFolder = statSync(path).isDirectory()
  // Editors replace a file, so its folder is watched.
  const folder = isFolder ? path : dirname(path)
  const reports = resolve(reportsDir)
  watch(folder, { recursive: isFolder, signal }, (_event, name) => {
    if (name === null || (!isFolder && name !== basename(path))) return
    const file = resolve(join(folder, name))
    const isReport = file === reports || file.startsWith(`${reports}${sep}`)
    const parts = relative(folder, file).split(sep)
    if (!isReport && !parts.some(part => IGNORED.includes(part))) changed()
  }).on('error', () => undefined)
}

/** Milliseconds between two attempts to reach a store that has ended. */
const ATTEMPT_MS = 200

/**
 * Keeps a connection open on which nothing is sent: it ends with the process of the store. A server may also close an idle
 * connection, so a restart is one after which the port refuses connections for a time.
 */
function watchPort({ hostname, port, protocol }: URL, changed: () => void, signal: AbortSignal): void {
  let wasDown = false
  let socket: Socket | undefined
  const attempt = () => {
    if (signal.aborted) return
    let isOpen = false
    const host = hostname.replace(/^\[|\]$/g, '')
    socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) }, () => {
      isOpen = true
      if (wasDown) changed()
      wasDown = false
    })
    socket.on('error', () => undefined).resume()
    socket.once('close', () => {
      wasDown ||= !isOpen
      // An idle connection that was closed is opened again at once, to see whether the store still listens.
      setTimeout(attempt, isOpen ? 0 : ATTEMPT_MS)
    })
  }
  signal.addEventListener('abort', () => socket?.destroy())
  attempt()
}
