import { EventEmitter } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { signalsKept } from './signals.ts'

const EVENTS = ['SIGINT', 'SIGTERM', 'unhandledRejection'] as const

it('takes away what is added while it lasts, and nothing that was there, or came later', async () => {
  const process = new EventEmitter()
  const [earlier, between, once, later] = [() => 1, () => 2, () => 3, () => 4]
  for (const event of EVENTS) process.on(event, earlier)
  const end = signalsKept(process)
  for (const event of [...EVENTS, 'exit']) process.on(event, between).once(event, once)
  await turn()
  for (const event of EVENTS) expect(process.listeners(event)).toEqual([earlier])
  expect(process.listeners('exit')).toEqual([between, once])
  end()
  for (const event of EVENTS) process.on(event, later)
  await turn()
  for (const event of EVENTS) expect(process.listeners(event)).toEqual([earlier, later])
})
