import { workerData } from 'node:worker_threads'
import { showRules } from './show-rules.ts'

await showRules(workerData)
