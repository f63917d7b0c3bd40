import type { Freedom } from '../fault.ts'
import * as dates from './dates.ts'
import * as errors from './errors.ts'
import * as headers from './headers.ts'
import * as orders from './orders.ts'
import * as stock from './stock.ts'
import * as traffic from './traffic.ts'
import * as transfer from './transfer.ts'
import * as writing from './writing.ts'

/** Everything that a conformant store may do otherwise than the reference store does. */
export const freedoms: readonly Freedom[] = [
  ...errors.freedoms,
  ...headers.freedoms,
  ...transfer.freedoms,
  ...writing.freedoms,
  ...dates.freedoms,
  ...orders.freedoms,
  ...stock.freedoms,
  ...traffic.freedoms,
]
