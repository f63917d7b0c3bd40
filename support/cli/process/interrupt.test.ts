import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { untilInterrupted } from './interrupt.ts'

const stray = (error: unknown) => `${error} was thrown`
const until = (signal: AbortSignal) =>
  new Promise<string>(resolve => {
    signal.addEventListener('abort', () => resolve('put back'))
  })

it('an error that nobody waits for stops the run, and is said once', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const events = new EventEmitter()
  const run = untilInterrupted(until, stray, events)
  events.emit('uncaughtException', 'one')
  events.emit('uncaughtException', 'two')
  expect(await run).toBe('put back')
  expect(said.mock.calls.join()).toMatch(/^\nStopping: one was thrown\. What was changed is put back\. .*\n$/)
  said.mockRestore()
})

it('once the run is over, an error and a signal are said and change nothing, because reports are being written', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const events = new EventEmitter()
  expect(await untilInterrupted(async () => 'done', stray, events)).toBe('done')
  events.emit('uncaughtException', 'late')
  expect(said.mock.calls.join()).toBe('Note: late was thrown. The run was over.\n')
  said.mockClear()
  events.emit('SIGTERM', 'SIGTERM')
  expect(said.mock.calls.join()).toMatch(/^\nThe run is over\. Its reports are written first/)
  const ended = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  events.emit('SIGINT', 'SIGINT')
  expect(ended).toHaveBeenCalledWith(130)
  ended.mockRestore()
  said.mockRestore()
})
