import { count } from '../report/words.ts'
import { untilInterrupted } from '../run/process/interrupt.ts'
import type { Progress } from '../run/progress.ts'
import { enterFolder } from '../run/reported-run.ts'
import type { Configuration } from '../settings/configuration.ts'

const isTerminal = (): boolean => process.stderr.isTTY === true && !process.env['CI']

/** Replaces the last line of the error stream, at a terminal only. Without a text, the line is empty. */
export function showStatus(text = ''): void {
  if (!isTerminal()) return
  process.stderr.write(`\r\u001b[2K${text && `  ${text}`}`)
}

/** Empty below two seconds. */
export function timeLeft(startedAt: number, done: number, total: number): string {
  const seconds = Math.round(((performance.now() - startedAt) / done) * ((total - done) / 1000))
  return seconds >= 2 ? `, about ${seconds} s left` : ''
}

/** Milliseconds between two lines about the progress, where there is no terminal. */
const SELDOM = 10_000

/** How far a run is: `wrong keys, 212 of about 1,200 requests, about 9 s left`. */
function progressLine({ title, requests, of }: Progress, startedAt: number): string {
  const about = Math.round(of / 10) * 10
  return `${title}, ${count(requests)} of about ${count(about)} requests${timeLeft(startedAt, requests, of)}`
}

/** Prints the notes about the settings, and shows the progress of what judges a store, which Ctrl-C stops. */
export async function judging<Result>(
  configuration: Configuration,
  perform: (watching: {
    readonly signal: AbortSignal
    progress(progress: Progress): void
  }) => Promise<Result>,
): Promise<Result> {
  await enterFolder(configuration)
  for (const note of configuration.notes) process.stderr.write(`Note: ${note}\n`)
  const startedAt = performance.now()
  let printedAt = startedAt
  return untilInterrupted(configuration, signal =>
    perform({
      signal,
      progress(progress) {
        const line = progressLine(progress, startedAt)
        if (isTerminal()) return showStatus(line)
        if (performance.now() - printedAt < SELDOM) return
        printedAt = performance.now()
        process.stderr.write(`${line}\n`)
      },
    }),
  ).finally(() => showStatus())
}
