import type { Freedom } from '../index.ts'
import * as orders from './orders.ts'
import * as responses from './responses.ts'
import * as stock from './stock.ts'
import * as transfer from './transfer.ts'

/** All freedoms. Several are applied in this order, because a compressed body cannot be changed afterwards. */
export const freedoms: readonly Freedom[] = [orders, stock, responses, transfer].flatMap(
  each => each.freedoms,
)
