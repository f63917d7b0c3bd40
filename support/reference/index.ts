/** The store, and what faults and freedoms are written with. */
export * from './answer.ts'
export type * from './decisions.ts'
export * from './domain.ts'
export * from './fault.ts'
export { type ServedStore, type ServeOptions, serve } from './serve.ts'
export type { ProviderStates, StateParams, StateValues } from './states.ts'
export { DEFAULT_API_KEY, type ReferenceStore, referenceStore, type StoreOptions } from './store.ts'
