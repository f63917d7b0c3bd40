import type { Freedom } from '../fault.ts'
import * as errors from './errors.ts'
import * as headers from './headers.ts'
import * as orders from './orders.ts'
import * as stock from './stock.ts'
import * as traffic from './traffic.ts'
import * as transfer from './transfer.ts'
import * as writing from './writing.ts'

/** All freedoms. Several are applied in this order, because a compressed body cannot be changed afterwards. */
export const freedoms: readonly Freedom[] = [
  orders,
  stock,
  traffic,
  errors,
  writing,
  headers,
  transfer,
].flatMap(each => each.freedoms)
