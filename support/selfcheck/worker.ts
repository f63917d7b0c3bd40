import { storeProof } from './store-proof.ts'
import { perform, type Task } from './task.ts'

process.on('message', (task: Task) => {
  perform(storeProof, task).then(
    result => process.send?.({ result }),
    (error: Error) => process.send?.({ error: `${task.kind} ${task.id}: ${error.stack ?? error.message}` }),
  )
})

// Without the process that asked, nobody waits for the result.
process.on('disconnect', () => process.exit())
