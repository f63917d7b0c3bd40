import { perform, type Task } from './prove.ts'
import { storeProof } from './store-proof.ts'

process.on('message', (task: Task) => {
  perform(storeProof, task).then(
    result => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.stack ?? error.message }),
  )
})

// Ends with the parent process, which would have received the results.
process.on('disconnect', () => process.exit())
