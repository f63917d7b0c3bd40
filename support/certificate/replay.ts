import type { AskedExchange } from '../access/inputs.ts'
import { inProcess } from '../http/in-process.ts'
import type { ExpectedFailures } from '../judge/expected-failures.ts'
import { type Randomness, randomness } from '../judge/randomness.ts'
import type { Report } from '../report/report.ts'
import { openRun } from '../run/run.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import type { Configuration } from '../settings/configuration.ts'
import { suiteDigest } from './digest.ts'
import { type Compare, replayInputs } from './inputs.ts'
import type { RecordedSettings, Recording, Waiver } from './recording.ts'
import { brief, Refused } from './refused.ts'

/**
 * Runs the scenarios with the recording in place of the store, and judges again.
 * @throws {Refused} if the run asks for other inputs than were recorded
 */
export async function replayRun(recording: Recording, compare: Compare = sameRequest): Promise<Report> {
  const { settings, startedAt, challenge } = recording
  const { provider, baseUrl, reference } = settings
  const random = randomnessOf(settings, challenge)
  const { inputs, expectAllTaken } = replayInputs(recording, compare, random)
  const run = await openRun(subject, configurationOf(settings), {
    inputs,
    transport: inProcess(never, new URL(baseUrl).origin),
    ...(provider === undefined ? {} : { provider: { name: provider, setup: never, teardown: never } }),
    env: {},
    reference,
    randomness: random,
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

/** The values of a challenge also follow from the suite, the store and the settings: the same challenge serves no other run. */
export function randomnessOf(
  settings: Pick<Configuration, 'seed' | 'baseUrl' | 'profile' | 'runs' | 'storeName' | 'storeVersion'>,
  challenge: string | undefined,
): Randomness {
  const { seed, baseUrl, profile, runs, storeName = null, storeVersion = null } = settings
  const salt = JSON.stringify([suiteDigest(), baseUrl, profile, runs, storeName, storeVersion])
  return randomness(challenge === undefined ? seed : { challenge, salt })
}

const configurationOf = ({
  reference: _reference,
  provider: _provider,
  waivers,
  ...settings
}: RecordedSettings): Configuration => ({
  ...settings,
  ...(waivers ? { expectedFailures: waived(waivers) } : {}),
  target: 'base',
  readOnly: false,
  // Answers come from the recording, so the time that a replay takes must have no effect.
  statesTimeoutMs: 600_000,
  maxDurationMs: 600_000,
  reportsDir: '',
  otherSecrets: [],
  notes: [],
})

/** A waiver is an expected failure that a customer accepted. */
export const waived = (waivers: readonly Waiver[]): ExpectedFailures => ({
  file: 'waivers',
  entries: waivers.map((each, at) => ({ ...each, lines: [at + 1, at + 1] })),
})
