import { judgeMutant, type Task } from './judge-mutant.ts'

// A mutant may reject where nobody waits for it. That is its affair, and no reason to take the others down.
process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})

process.on('message', async (task: Task) => {
  process.send?.(await judgeMutant(task))
})
