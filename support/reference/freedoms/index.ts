import type { Freedom } from '../fault.ts'
import * as dates from './dates.ts'
import * as errors from './errors.ts'
import * as headers from './headers.ts'
import * as orders from './orders.ts'
import * as stock from './stock.ts'
import * as traffic from './traffic.ts'
import * as transfer from './transfer.ts'
import * as writing from './writing.ts'

/**
 * Everything that a conformant store may do otherwise than the reference store does. Where several are taken, it is in this
 * order: what is compressed cannot be rewritten any more.
 */
export const freedoms: readonly Freedom[] = [
  ...dates.freedoms,
  ...orders.freedoms,
  ...stock.freedoms,
  ...traffic.freedoms,
  ...errors.freedoms,
  ...writing.freedoms,
  ...headers.freedoms,
  ...transfer.freedoms,
]

/** Whether these can be taken together: one of a topic at most. */
export const goTogether = (chosen: readonly Freedom[]): boolean => {
  const topics = chosen.flatMap(({ topic }) => topic ?? [])
  return new Set(topics).size === topics.length
}
