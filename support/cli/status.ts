import { count } from '../report/words.ts'
import type { Progress } from '../run/run.ts'

const isTerminal = (): boolean => process.stderr.isTTY === true && !process.env['CI']

/** Replaces the last line of the error stream, at a terminal only. Without a text, the line is empty. */
export function showStatus(text = ''): void {
  if (!isTerminal()) return
  process.stderr.write(`\r\u001b[2K${text && `  ${text}`}`)
}

/** Milliseconds between two lines about the progress, where there is no terminal. */
const SELDOM = 10_000

/** Shows how far a run is: `wrong keys, 212 of about 1,200 requests, about 9 s left`. */
export function progressShown(): (progress: Progress) => void {
  const startedAt = performance.now()
  let printedAt = startedAt
  return ({ title, requests, of }) => {
    const now = performance.now()
    const seconds = Math.round((((now - startedAt) / requests) * (of - requests)) / 1000)
    const left = seconds >= 2 ? `, about ${seconds} s left` : ''
    const line = `${title}, ${count(requests)} of about ${count(Math.round(of / 10) * 10)} requests${left}`
    if (isTerminal()) return showStatus(line)
    if (now - printedAt < SELDOM) return
    printedAt = now
    process.stderr.write(`${line}\n`)
  }
}
