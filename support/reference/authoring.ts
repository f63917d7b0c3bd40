/** What authors of faults and freedoms import. It leaves out the store itself, so that commands that only name faults start fast. */
export * from './answer.ts'
export { isObject } from './body.ts'
export type * from './decisions.ts'
export * from './domain.ts'
export * from './fault.ts'
export { messageOf, type Wire } from './wire.ts'
