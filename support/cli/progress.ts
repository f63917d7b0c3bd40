import type { Level } from '../interface/description.ts'
import { isGating, weightOf } from '../judge/gating.ts'
import type { Judgement } from '../judge/judgement.ts'

/** A line on the error stream that counts judged rules. Printed only at a terminal. */
export interface Progress {
  step(judgement: Judgement): void
  end(): void
}

export function progress(total: number, gate: Level): Progress {
  const watched = process.stderr.isTTY === true && !process.env['CI']
  const startedAt = performance.now()
  let done = 0
  let failed = 0
  return {
    step(judgement) {
      done += 1
      if (judgement.outcome === 'failed' && isGating(weightOf(judgement), gate)) failed += 1
      if (watched)
        process.stderr.write(
          `\r\u001b[2K  ${done} of ${total} rules judged${failed > 0 ? `, ${failed} failed` : ''}${estimate((performance.now() - startedAt) / done, total - done)}`,
        )
    },
    end() {
      if (watched) process.stderr.write('\r\u001b[2K')
    },
  }
}

/** Non-terminals get a line after this many. */
const MANY = 10_000

/** Counts pets whose stock is sent back. */
export function counter(total: number): { step(done: number): void; end(): void } {
  const watched = process.stderr.isTTY === true && !process.env['CI']
  const startedAt = Date.now()
  return {
    step(done) {
      const text = `${done} of ${total} pets sent${estimate((Date.now() - startedAt) / done, total - done)}`
      if (watched) process.stderr.write(`\r\u001b[2K  ${text}`)
      else if (done % MANY === 0) process.stderr.write(`${text}\n`)
    },
    end() {
      if (watched) process.stderr.write('\r\u001b[2K')
    },
  }
}

/** Empty below two seconds. */
function estimate(msEach: number, left: number): string {
  const seconds = Math.round((msEach * left) / 1000)
  return seconds >= 2 ? `, about ${seconds} s left` : ''
}
