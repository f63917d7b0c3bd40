import type { Schedule } from '../../suites/acts.ts'

/** What is being tried, and how many requests were sent of about how many. */
export interface Progress {
  readonly title: string
  readonly requests: number
  readonly of: number
}

/**
 * Estimates how many requests a run sends: those that were sent, and the counts of the schedules that are left, corrected by what the
 * ones before have sent.
 * @param sent how many requests were sent until now
 */
export function progressOf(
  schedules: readonly Pick<Schedule, 'title' | 'requests'>[],
  kind: 0 | 1 | 2,
  sent: () => number,
) {
  const first = sent()
  let current = 0
  let begun = first
  const counted = (from: number, to?: number): number =>
    schedules.slice(from, to).reduce((sum, { requests }) => sum + requests[kind], 0)
  return {
    /** The nth schedule begins. */
    enter(nth: number): void {
      current = nth
      begun = sent()
    },
    now(): Progress {
      const before = counted(0, current)
      const ratio = before === 0 ? 1 : (begun - first) / before
      const own = Math.max(sent() - begun, counted(current, current + 1) * ratio)
      return {
        title: schedules[current]?.title ?? '',
        requests: sent(),
        of: Math.round(begun + own + counted(current + 1) * ratio),
      }
    },
  }
}
