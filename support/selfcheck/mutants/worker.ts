import { judgeMutant, type Task } from './judge-mutant.ts'

// A mutant may cause an unhandled rejection, which must not end the process for the other mutants.
process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})

process.on('message', async (task: Task) => {
  process.send?.(await judgeMutant(task))
})
