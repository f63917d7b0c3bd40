import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { configure } from '../settings/configuration.ts'
import { untilInterrupted } from './process.ts'

const configuration = configure({ baseUrl: 'https://store.example/v1', apiKey: 'a-key' })

// biome-ignore format: a table
it.each<[event: string, unknown, text: string]>([
  ['uncaughtException', new Error('failed', { cause: new Error('refused') }), 'Error: failed (refused) was thrown'],
  ['uncaughtException', Object.create(null), '[Object: null prototype] {} was thrown outside of every request, by store-conformance itself'],
  ['SIGTERM', 'SIGTERM', 'Stopping: changed stock is being restored.'],
])('after the run, while reports are written, %s of %s is only reported; a second signal ends the process', async (event, given, text) => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const ended = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const events = new EventEmitter()
  expect(await untilInterrupted(configuration, async () => 'done', events)).toBe('done')
  events.emit(event, given)
  expect(said.mock.calls.join()).toContain(text)
  expect(ended).not.toHaveBeenCalled()
  for (const signal of ['SIGTERM', 'SIGINT']) events.emit(signal)
  expect(ended).toHaveBeenLastCalledWith(130)
  vi.restoreAllMocks()
})

it('an uncaught error stops the run as Ctrl-C does, and is reported once', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const events = new EventEmitter()
  const isStopped = untilInterrupted(
    configuration,
    async signal => {
      for (const error of [new Error('gone'), new Error('again')]) events.emit('uncaughtException', error)
      return signal.aborted
    },
    events,
  )
  expect(await isStopped).toBe(true)
  const text = /^\nStopping: Error: gone was thrown .*; changed stock is being restored\./
  expect(said.mock.calls).toEqual([[expect.stringMatching(text)]])
  vi.restoreAllMocks()
})
