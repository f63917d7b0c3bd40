import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { untilInterrupted } from './interrupt.ts'

const stray = (error: unknown) => `${error} was thrown`
const until = (signal: AbortSignal) =>
  new Promise<string>(resolve => {
    signal.addEventListener('abort', () => resolve('restored'))
  })

it('an uncaught error stops the run, and is reported once', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const events = new EventEmitter()
  const run = untilInterrupted(until, stray, events)
  events.emit('uncaughtException', 'one')
  events.emit('uncaughtException', 'two')
  expect(await run).toBe('restored')
  expect(said.mock.calls.join()).toMatch(
    /^\nStopping: one was thrown\. Changed stock is being restored\. .*\n$/,
  )
  said.mockRestore()
})

it('after the run, while reports are written, an uncaught error or a first signal is only reported', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const events = new EventEmitter()
  expect(await untilInterrupted(async () => 'done', stray, events)).toBe('done')
  events.emit('uncaughtException', 'late')
  expect(said.mock.calls.join()).toBe('Note: late was thrown. The run was already over.\n')
  said.mockClear()
  events.emit('SIGTERM', 'SIGTERM')
  expect(said.mock.calls.join()).toMatch(/^\nThe run is over, and its reports are being written/)
  const ended = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  events.emit('SIGINT', 'SIGINT')
  expect(ended).toHaveBeenCalledWith(130)
  ended.mockRestore()
  said.mockRestore()
})
