import type { Freedom } from '../fault.ts'

const iso = (date: Date): string => date.toISOString()
const basic = (date: Date): string =>
  iso(date)
    .replace(/\.\d+Z/, 'Z')
    .replace(/[-:]/g, '')
const DAY = 86_400_000

const ordinal = (date: Date): string => {
  const day = Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY) + 1
  return `${date.getUTCFullYear()}-${String(day).padStart(3, '0')}`
}

/** ISO 8601: a week belongs to the year of its Thursday. */
const week = (date: Date): string => {
  const weekday = date.getUTCDay() || 7
  const thursday = new Date(date.getTime() + (4 - weekday) * DAY)
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const number = Math.floor((thursday.getTime() - first) / DAY / 7) + 1
  return `${thursday.getUTCFullYear()}-W${String(number).padStart(2, '0')}-${weekday}`
}

const forms: readonly (readonly [id: string, title: string, form: (date: Date) => string])[] = [
  ['offset', 'with an offset', date => iso(date).replace('Z', '+05:30')],
  ['no-offset', 'without an offset', date => iso(date).replace('Z', '')],
  ['no-seconds', 'without seconds', date => iso(date).replace(/:\d\d\.\d+/, '')],
  ['nanoseconds', 'with nanoseconds', date => iso(date).replace('Z', '000001Z')],
  ['comma', 'with a comma before the fraction', date => iso(date).replace('.', ',')],
  ['basic', 'in the basic form', basic],
  ['lower-case', 'in lower case', date => iso(date).toLowerCase()],
  ['space', 'with a space, as RFC 3339 allows', date => iso(date).replace('T', ' ')],
  ['ordinal', 'with the day of the year', date => `${ordinal(date)}T${iso(date).slice(11)}`],
  ['week', 'with the week of the year', date => `${week(date)}T${iso(date).slice(11)}`],
  ['end-of-day', 'at 24:00', date => `${iso(date).slice(0, 10)}T24:00:00Z`],
  ['leap-second', 'in a leap second', () => '2016-12-31T23:59:60Z'],
  ['long-past', 'before the year 1', () => '-000001-01-01T00:00:00Z'],
]

/** Forms of a date-time in ISO 8601. */
export const freedoms: readonly Freedom[] = forms.map(([id, title, form]) => ({
  id: `date-${id}`,
  title: `shipDate is written ${title}`,
  clause: '§2: an ISO 8601 date-time; which of its forms is not shown',
  topic: 'date',
  override: () => ({ renderDate: form }),
}))
