import { randomUUID } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { type OpenRun, openRun } from '../run/run.ts'
import { readConfiguration } from '../settings/environment.ts'
import { answerFor } from './answer.ts'

/**
 * Opens a run for `npx vitest --project conformance`, with the settings of the environment or `.env`. In watch mode, each rerun opens a
 * new run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const configured = readConfiguration({}, process.env, process.cwd())
  if ('mistakes' in configured) {
    throw new Error(configured.mistakes.map(({ setting, problem }) => `${setting}: ${problem}`).join('\n'))
  }
  const { configuration } = configured
  const channel = `store-conformance-${randomUUID()}`
  let current: { run: OpenRun; close(): void } | undefined

  const open = async () => {
    const run = await openRun(configuration)
    if (run.unreachable) {
      await run.close()
      throw new Error(`${run.unreachable.cause}. ${run.unreachable.advice}`)
    }
    current = { run, close: answerFor(channel, run, configuration.gate).close }
    project.provide('conformance', { channel, rules: run.selection.rules.map(({ id }) => id) })
  }
  const close = async () => {
    current?.close()
    await current?.run.close()
    current = undefined
  }
  await open()
  project.onTestsRerun(async () => {
    await close()
    await open()
  })
  return close
}
