import { perform, type Task } from './task.ts'

process.on('message', (task: Task) => {
  perform(task).then(
    result => process.send?.({ result }),
    (error: Error) => process.send?.({ error: `${task.kind} ${task.id}: ${error.stack ?? error.message}` }),
  )
})

// Whoever asked is gone: nobody waits for what is being judged.
process.on('disconnect', () => process.exit())
