import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { configure } from '../settings/configuration.ts'
import { strayErrorText, untilInterrupted } from './process.ts'

const configured = configure({ baseUrl: 'https://store.example/v1', apiKey: 'Stray-Key-4711' })
if ('mistakes' in configured) throw new Error(JSON.stringify(configured.mistakes))
const { configuration } = configured

it('after the run, while reports are written, an uncaught error or a first signal is only reported', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const events = new EventEmitter()
  expect(await untilInterrupted(configuration, async () => 'done', events)).toBe('done')
  events.emit('uncaughtException', 'late')
  expect(said.mock.calls.join()).toMatch(/^\nStopping: 'late' was thrown .*; the run is over, .*\n$/)
  said.mockClear()
  events.emit('SIGTERM', 'SIGTERM')
  expect(said.mock.calls.join()).toMatch(/^\nStopping: the run is over, and its reports are being written/)
  const ended = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  events.emit('SIGINT', 'SIGINT')
  expect(ended).toHaveBeenCalledWith(130)
  ended.mockRestore()
  said.mockRestore()
})

it.each<[unknown, string]>([
  [new TypeError('no pool'), 'TypeError: no pool was thrown'],
  [new Error('failed', { cause: new Error('refused') }), 'Error: failed (refused) was thrown'],
  ['a text', "'a text' was thrown"],
  [undefined, 'undefined was thrown outside of every request, by store-conformance itself'],
  [Object.create(null), '[Object: null prototype] {} was thrown'],
  [new Error('with Stray-Key-4711'), 'Error: with $STORE_API_KEY was thrown'],
])('%s', (error, text) => {
  expect(strayErrorText(error, configuration)).toContain(text)
})
