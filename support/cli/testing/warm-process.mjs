import { pathToFileURL } from 'node:url'

/**
 * Runs one command after the other in this process, as `warm.ts` asks. Every command evaluates the main file again; the other
 * modules are loaded and compiled once.
 */
const streams = { stdout: process.stdout, stderr: process.stderr }
const started = { exit: process.exit, folder: process.cwd() }
const emitters = [process, ...Object.values(streams)]
let count = 0

/** Thrown by `process.exit`, so that nothing after it is run. */
class Exit extends Error {}

process.on('disconnect', () => started.exit())
process.on('message', async task => {
  process.send(await performed(task))
})

async function performed({ main, args, env, folder }) {
  const ended = { code: null, stdout: '', stderr: '' }
  const listeners = emitters.map(listenersOf)
  process.chdir(folder)
  process.env = env
  process.argv = [process.execPath, main, ...args]
  process.exitCode = undefined
  for (const [name, stream] of Object.entries(streams)) {
    stream.write = (chunk, encoding, done = encoding) => {
      ended[name] += chunk
      if (typeof done === 'function') process.nextTick(done)
      return true
    }
  }
  process.exit = code => {
    if (ended.code !== null) throw new Exit()
    process.exitCode = code ?? process.exitCode ?? 0
    // What Node does at the end of a process: the listeners may change the exit code.
    for (const listener of process.listeners('exit')) listener(process.exitCode)
    ended.code = process.exitCode
    throw new Exit()
  }
  try {
    count += 1
    await import(`${pathToFileURL(main).href}?${count}`)
  } catch (error) {
    if (!(error instanceof Exit)) Object.assign(ended, { code: 1, stderr: `${ended.stderr}${error?.stack}` })
  }
  for (const stream of Object.values(streams)) stream.write = () => true
  for (const [nth, emitter] of emitters.entries()) removeAdded(emitter, listeners[nth])
  process.chdir(started.folder)
  return ended
}

const listenersOf = emitter => new Map(emitter.eventNames().map(name => [name, emitter.rawListeners(name)]))

function removeAdded(emitter, before) {
  for (const [name, listeners] of listenersOf(emitter))
    for (const listener of listeners) if (!before.get(name)?.includes(listener)) emitter.off(name, listener)
}
