import type { AskedExchange } from '../access/inputs.ts'
import { inProcess } from '../http/in-process.ts'
import { randomness } from '../judge/randomness.ts'
import type { Report } from '../report/report.ts'
import { openRun } from '../run/run.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { type Configuration, GENERATED_CASES } from '../settings/configuration.ts'
import { type Compare, replayInputs } from './inputs.ts'
import type { RecordedSettings, Recording } from './recording.ts'
import { brief, Refused } from './refused.ts'

/**
 * Runs the scenarios with the recording in place of the store, and judges again.
 * @throws {Refused} if the run asks for other inputs than were recorded
 */
export async function replayRun(recording: Recording, compare: Compare = sameRequest): Promise<Report> {
  const { settings, startedAt } = recording
  const { provider, baseUrl, reference, seed } = settings
  const { inputs, expectAllTaken } = replayInputs(recording, compare, randomness(seed))
  const run = await openRun(subject, configurationOf(settings), {
    inputs,
    transport: inProcess(never, new URL(baseUrl).origin),
    ...(provider === undefined ? {} : { provider: { name: provider, setup: never, teardown: never } }),
    env: {},
    reference,
    startedAt,
  })
  const report = await run.finish()
  expectAllTaken()
  return report
}

/** Every response of the store, and every answer of the provider, is recorded. */
const never = () => Promise.reject(new Error('a replay sends nothing'))

/** Everything that a scenario asks for, as it is recorded. */
export function askedEvent({ scenario, operation, step, on, wire }: AskedExchange) {
  const { method, target, headers, version, writing, body, repeatable } = wire
  return {
    scenario,
    operation,
    step,
    on,
    repeatable,
    request: {
      method,
      target,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      version,
      writing,
      body: body === undefined ? undefined : Buffer.from(body).toString('utf8'),
    },
  }
}

/** Every request has to be the recorded one, to the last byte. */
const sameRequest: Compare = (event, asked, place) => {
  const derived = askedEvent(asked)
  for (const name of Object.keys(derived) as (keyof typeof derived)[]) {
    const [is, has] = [derived[name], event[name]].map(each => JSON.stringify(each))
    if (is !== has)
      throw new Refused(`${place}.${name}`, `recorded is ${brief(has)}, the run sends ${brief(is)}`)
  }
}

const configurationOf = ({
  reference: _reference,
  provider: _provider,
  expectedFailures,
  ...settings
}: RecordedSettings): Configuration => ({
  ...settings,
  ...(expectedFailures ? { expectedFailures } : {}),
  target: 'base',
  runs: GENERATED_CASES,
  // Answers come from the recording, so the time that a replay takes must have no effect.
  statesTimeoutMs: 600_000,
  maxDurationMs: 600_000,
  reportsDir: '',
  otherSecrets: [],
  notes: [],
})
