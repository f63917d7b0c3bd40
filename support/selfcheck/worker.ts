import { parentPort } from 'node:worker_threads'
import { perform, type Task } from './task.ts'

parentPort?.on('message', (task: Task) => {
  perform(task).then(
    result => parentPort?.postMessage({ result }),
    (error: Error) =>
      parentPort?.postMessage({ error: `${task.kind} ${task.id}: ${error.stack ?? error.message}` }),
  )
})
