import { resolve } from 'node:path'
import type { Level } from '../interface/description.ts'
import { isGating } from '../judge/gating.ts'
import type { Judgement } from '../judge/judgement.ts'
import { untilInterrupted } from '../run/process/interrupt.ts'
import { enterFolder } from '../run/reported-run.ts'
import type { OpenRun } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'

/** A line on the error stream that the next text replaces. It appears only at a terminal. */
export function statusLine(): { show(text: string): void; end(): void } {
  const write = (text: string) => {
    if (process.stderr.isTTY === true && !process.env['CI']) process.stderr.write(`\r\u001b[2K${text}`)
  }
  return { show: text => write(`  ${text}`), end: () => write('') }
}

/** Counts the judged rules on the status line. */
export function progress(total: number, gate: Level) {
  const line = statusLine()
  const startedAt = performance.now()
  let done = 0
  let failed = 0
  return {
    step(judgement: Judgement) {
      done += 1
      if (judgement.outcome === 'failed' && isGating({ ...judgement, level: judgement.rule.level }, gate))
        failed += 1
      const failures = failed > 0 ? `, ${failed} failed` : ''
      if (done === total) line.end()
      else line.show(`${done} of ${total} rules judged${failures}${timeLeft(startedAt, done, total)}`)
    },
    end: line.end,
  }
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
  let bar: ReturnType<typeof progress> | undefined
  return untilInterrupted(configuration, signal =>
    perform({
      signal,
      undoPath: usesFolder ? resolve(reportsDir, 'undo.json') : undefined,
      began: ({ selection }) => {
        bar = progress(selection.rules.length, gate)
      },
      judged: judgement => bar?.step(judgement),
    }),
  ).finally(() => bar?.end())
}
