import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { type Answer, answersChanged, bodyText, withBody, withHeader } from '../reference/index.ts'
import { summaryText } from '../report/formats.ts'
import type { Report } from '../report/report.ts'
import { writeReports } from '../report/write.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { type JudgeOptions, judge, type Override, referenceStore } from './index.ts'

/** The report of a store, with one request at a time, so that those of two runs are in the same order. */
function judged(apiKey: string, overrides: readonly Override[], selection: JudgeOptions): Promise<Report> {
  const { fetch, states } = referenceStore({ apiKey, overrides })
  const options = { baseUrl: 'http://localhost:9003/v1', concurrency: 1, seed: 1, gate: 'advisory' } as const
  return judge({ ...options, fetch, apiKey, states, ...selection })
}

/** The report in each format, without times and the id of the run. */
function textsOf(report: Report): Record<string, string> {
  const still: Report = {
    ...{ ...report, startedAt: '2026-11-21T10:00:00.000Z', durationMs: 0, latency: [] },
    exchanges: report.exchanges.map(each => ({ ...each, startedAt: 0, durationMs: 0 })),
  }
  const files = writeReports(still, newFolder()).map(path => [basename(path), readFileSync(path, 'utf8')])
  const all = [...files, ['terminal', summaryText(still, { colour: false, whole: true })]]
  return Object.fromEntries(
    all.map(([name, text]) => [name, text?.replaceAll(/[0-9a-f]{8}-(?=[0-9])/g, 'run-')]),
  )
}

/** Another key with letters and digits at the same places, so that the same requests can be made of it. */
const otherKey = (key: string): string =>
  key
    .replace(/[a-z]/g, (letter, at) => 'bcdfghjklmnpqrstv'.charAt((letter.charCodeAt(0) * 7 + at * 5) % 17))
    .replace(/[0-9]/g, (digit, at) => String((Number(digit) + at + 3) % 10))

/** Violates rules with words that a key may be, in values, headers and texts. */
function wordy(answer: Answer): Answer {
  const body = bodyText(answer)
    .replaceAll('"sold"', '"pending"')
    .replaceAll(/"shipDate":"[^"]*"/g, '"shipDate":"pending, true, 5"')
    .replaceAll(/"message":"[^"]*"/g, '"message":"store: not available at localhost, key 123456"')
    .replaceAll('"status":404', '"status":"store-available"')
  const headed = withHeader(answer, 'WWW-Authenticate', 'Basic realm="store", charset="pending"')
  const named = withHeader(headed, 'Server', 'store-key at localhost')
  return body === '' ? named : withBody(named, body)
}

it.each(['available', 'pending', 'store', '5', 'localhost-available-99'])(
  'the words of the key %s stay in every report',
  async key => {
    const overrides = [answersChanged({}, wordy)]
    // They are judged without orders and pets of the run.
    const some = { only: ['auth-*', 'order-ship-*', 'inventory-*', 'cancel-unknown-404'] }
    const [one, other] = [await judged(key, overrides, some), await judged(otherKey(key), overrides, some)]
    expect(one.counts.failed).toBeGreaterThan(3)
    expect(textsOf(one)).toEqual(textsOf(other))
  },
)
