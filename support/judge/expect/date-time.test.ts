import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dateTimeProblem, isRfc3339 } from './values.ts'

const FORMAT = 'not an ISO 8601 date-time'
const DAY = 'a day that is not in the calendar'
const WEEK = 'a week that is not in the calendar'

// The forms that are freedoms of the reference store are not repeated here.
it.each<[text: string, problem?: string]>([
  ['2026-11-21T10:00:00\u221202:00'],
  ['2026-325T10:00:00Z'],
  ['2024-366T00:00:00Z'],
  ['2026-366T10:00:00Z', DAY],
  ['2026-W53-7T00:00:00Z'],
  ['2020-W53-1T00:00:00Z'],
  ['2025-W53-1T10:00:00Z', WEEK],
  ['2026-13-01T10:00:00Z', 'a month that is not in the calendar'],
  // LocalDateTime.MAX and Instant.MAX of Java, which stand for never.
  ['+999999999-12-31T23:59:59.999999999'],
  ['+1000000000-12-31T23:59:59.999999999Z'],
  ['2026-11-21T24:00:00Z'],
  ['2026-11-21T24:00:00.5Z', 'an hour that no day has'],
  ['2026-11-21T25:00:00Z', 'an hour that no day has'],
  ['2026-11-21T10:60:00Z', 'a minute that no hour has'],
  ['2026-11-21T10:00:61Z', 'a second that no minute has'],
  ['2026-11-21T10:00:00+24:00', 'an offset that does not exist'],
  ...['', '1795255200', 'Sat, 21 Nov 2026 10:00:00 GMT', '21/11/2026T10:00:00Z', '2026-11-21T10:00:00Z '].map(
    (text): [string, string] => [text, FORMAT],
  ),
  ['2026-11-21T10:00:00Z[Europe/Berlin]', FORMAT],
  ['２０２６-11-21T10:00:00Z', FORMAT],
])('%j as a date-time of ISO 8601: %s', (text, problem) => expect(dateTimeProblem(text)).toBe(problem))

it('a hostile text takes little time', () => {
  const digits = '1'.repeat(1_000_000)
  for (const text of [digits, 'T'.repeat(1_000_000), `2026-11-21T10:00:00.${digits}x`])
    expect(dateTimeProblem(text)).toBe(FORMAT)
})

it('a day is in the calendar exactly if Date does not change it', () => {
  const two = (number: number) => String(number).padStart(2, '0')
  const part = (max: number) => fc.integer({ min: 0, max })
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 9999 }), part(14), part(33), (year, month, day) => {
      const date = new Date(Date.UTC(year, month - 1, day))
      const exists = month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
      expect(dateTimeProblem(`${year}-${two(month)}-${two(day)}T00:00:00Z`) === undefined).toBe(exists)
    }),
    { numRuns: 2_000 },
  )
})

it.each([
  ['2026-11-21t10:00:00.5+02:00', true],
  ['2026-11-21 10:00:00Z', true],
  ['2026-11-21T23:59:60Z', true],
  ['2026-11-21T24:00:00Z', false],
  ['2026-11-21t24:00:00.000+02:00', false],
  ['2026-11-21T10:00:00', false],
  ['2026-02-30T10:00:00Z', false],
])('%s as a date-time of RFC 3339: %s', (text, is) => expect(isRfc3339(text)).toBe(is))
