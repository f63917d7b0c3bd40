import type { Judgement } from '../judge/judgement.ts'

/** One line on the error stream that keeps counting, where a person watches; nothing elsewhere. */
export interface Progress {
  step(judgement: Judgement): void
  end(): void
}

export function progress(total: number): Progress {
  const watched = process.stderr.isTTY === true && !process.env['CI']
  let done = 0
  let failed = 0
  return {
    step({ outcome }) {
      done += 1
      if (outcome === 'failed') failed += 1
      if (watched)
        process.stderr.write(
          `\r\u001b[2K  ${done} of ${total} rules judged${failed > 0 ? `, ${failed} failed` : ''}`,
        )
    },
    end() {
      if (watched) process.stderr.write('\r\u001b[2K')
    },
  }
}
