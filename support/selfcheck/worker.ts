import { perform, type Task } from './prove.ts'

process.on('message', (task: Task) => {
  perform(task).then(
    result => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.stack ?? error.message }),
  )
})

// Ends with the parent process, which would have received the results.
process.on('disconnect', () => process.exit())
