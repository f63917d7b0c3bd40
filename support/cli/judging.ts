import { untilInterrupted } from '../run/process/interrupt.ts'
import { enterFolder } from '../run/reported-run.ts'
import type { Progress } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'

/** Replaces the last line of the error stream, at a terminal only. Without a text, the line is empty. */
export function showStatus(text = ''): void {
  if (process.stderr.isTTY !== true || process.env['CI']) return
  process.stderr.write(`\r\u001b[2K${text && `  ${text}`}`)
}

/** Empty below two seconds. */
export function timeLeft(startedAt: number, done: number, total: number): string {
  const seconds = Math.round(((performance.now() - startedAt) / done) * ((total - done) / 1000))
  return seconds >= 2 ? `, about ${seconds} s left` : ''
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
  return untilInterrupted(configuration, signal =>
    perform({
      signal,
      progress: ({ requests, title, done, of }) =>
        showStatus(
          `${requests} requests, ${title} (${done + 1} of ${of})${done > 0 ? timeLeft(startedAt, done, of) : ''}`,
        ),
    }),
  ).finally(() => showStatus())
}
