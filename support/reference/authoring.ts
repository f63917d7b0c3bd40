/** What authors of faults import. It leaves out the store itself, so that commands that only name faults start fast. */
export {
  type Answer,
  bodyText,
  emptyAnswer,
  type Header,
  withBody,
  withHeader,
  withStatus,
} from './answer.ts'
export { jsonAnswer } from './answering.ts'
export {
  answersChanged,
  entriesChanged,
  errorsChanged,
  oneEntryChanged,
  oneOrderChanged,
  only,
  ordersChanged,
  type Which,
} from './changes.ts'
export { authenticated, newConnection } from './context.ts'
export type {
  CancelCase,
  Check,
  Connection,
  Context,
  Decisions,
  Findings,
  Keys,
  Members,
  NumberPlace,
  Operation,
  Override,
} from './decisions.ts'
export {
  addEntry,
  addOrder,
  type Domain,
  type Entry,
  type Order,
  type OrderState,
  stockKey,
} from './domain.ts'
export { breaking, type Fault, type Freedom } from './fault.ts'
export { JsonNumber } from './numbers.ts'
export type { StateParams } from './parameters.ts'
export { Refusal } from './refusal.ts'
export { messageOf, type Wire } from './wire.ts'
