/** What authors of faults import. It leaves out the store itself, so that commands that only name faults start fast. */
export { type Answer, bodyText, emptyAnswer, withBody, withHeader, withStatus } from './answer.ts'
export { jsonAnswer } from './answering.ts'
export type {
  CancelCase,
  ClientConnection,
  Context,
  Decisions,
  Found,
  Members,
  Override,
  ServedOperation,
} from './decisions.ts'
export { addEntry, type Entry, NumberText, type Order, type OrderState, stockKey } from './domain.ts'
export {
  answersChanged,
  authenticated,
  breaking,
  decidedFirst,
  dropped,
  errorsChanged,
  type Fault,
  type Freedom,
  leavingOpen,
  only,
  resultChanged,
  thirdChanged,
} from './fault.ts'
export { Refusal } from './refusal.ts'
export { messageOf, type Wire } from './wire.ts'
