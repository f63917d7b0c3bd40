import { resolve } from 'node:path'
import { isGating } from '../judge/gating.ts'
import type { Judgement } from '../judge/judgement.ts'
import { untilInterrupted } from '../run/process/interrupt.ts'
import { enterFolder } from '../run/reported-run.ts'
import type { OpenRun } from '../run/run.ts'
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

/**
 * Prints the notes about the settings, and shows the progress of what judges a store, which Ctrl-C stops.
 * @param usesFolder whether reports or the stock to restore are written
 */
export async function judging<Result>(
  configuration: Configuration,
  perform: (watching: {
    readonly signal: AbortSignal
    readonly undoPath: string | undefined
    began(run: OpenRun): void
    judged(judgement: Judgement): void
  }) => Promise<Result>,
  usesFolder = true,
): Promise<Result> {
  const { reportsDir, gate, notes } = configuration
  if (usesFolder) await enterFolder(configuration)
  for (const note of notes) process.stderr.write(`Note: ${note}\n`)
  let [total, done, failed, startedAt] = [0, 0, 0, 0]
  return untilInterrupted(configuration, signal =>
    perform({
      signal,
      undoPath: usesFolder ? resolve(reportsDir, 'undo.json') : undefined,
      began({ selection }) {
        ;[total, done, failed, startedAt] = [selection.rules.length, 0, 0, performance.now()]
      },
      judged(judgement) {
        done += 1
        if (judgement.outcome === 'failed' && isGating({ ...judgement, level: judgement.rule.level }, gate))
          failed += 1
        const failures = failed > 0 ? `, ${failed} failed` : ''
        const status = `${done} of ${total} rules judged${failures}${timeLeft(startedAt, done, total)}`
        showStatus(done < total ? status : '')
      },
    }),
  ).finally(() => showStatus())
}
