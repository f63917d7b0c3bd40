import type { ReferenceStore } from '../../reference/index.ts'
import { inProcess } from '../../wire/in-process.ts'
import type { JudgeOptions } from '../options.ts'

const ORIGIN = 'http://store.test'

/** Options that judge this store without a port. */
export const optionsFor = (store: ReferenceStore): JudgeOptions => ({
  baseUrl: `${ORIGIN}/v1`,
  apiKey: store.apiKey,
  transport: inProcess((request, connection) => store.answer(request, { connection })),
  seed: 1,
})
