export * from './authoring.ts'
export { type ServedStore, type ServeOptions, serve } from './serve.ts'
export type { ProviderStates, StateParams, StateValues } from './states.ts'
export { DEFAULT_API_KEY, type ReferenceStore, referenceStore, type StoreOptions } from './store.ts'
