import type { ExpectedFailures } from '../judge/expected-failures.ts'
import { type Randomness, randomness } from '../judge/randomness.ts'
import type { Report } from '../report/report.ts'
import { openRun } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { RecordedSettings, Recording, Waiver } from './recording.ts'
import { type Compare, noTransport, replayInputs } from './replay.ts'
import { suiteDigest } from './suite-digest.ts'

/**
 * Runs the scenarios with the recording in place of the store, and judges again.
 * @throws {ReplayMismatch} if the run asks for other inputs than were recorded
 */
export async function replayRun(recording: Recording, compare: Compare, challenge?: string): Promise<Report> {
  const { settings, startedAt } = recording
  const random = randomnessOf(settings, challenge)
  const { inputs, expectAllTaken } = replayInputs(recording, compare, random)
  const run = await openRun(configurationOf(settings), {
    inputs,
    transport: noTransport(new URL(settings.baseUrl).origin),
    ...(settings.provider === undefined ? {} : { provider: silentProvider(settings.provider) }),
    env: {},
    reference: settings.reference,
    unannounced: settings.unannounced,
    randomness: random,
    startedAt,
  })
  const report = await run.finish()
  expectAllTaken()
  return report
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
  unannounced: _unannounced,
  waivers,
  ...settings
}: RecordedSettings): Configuration => ({
  ...settings,
  ...(waivers ? { expectedFailures: waived(waivers) } : {}),
  target: 'base',
  readOnly: false,
  // Answers come from the recording, so this limit has no effect.
  statesTimeoutMs: settings.timeoutMs,
  maxDurationMs: 600_000,
  reportsDir: '',
  otherSecrets: [],
  notes: [],
})

/** Every answer of the provider is recorded. */
const silentProvider = (name: string) => ({
  name,
  setup: () => Promise.reject(new Error('a replay arranges nothing')),
  teardown: () => Promise.reject(new Error('a replay arranges nothing')),
})

/** A waiver is an expected failure that a customer accepted. */
export const waived = (waivers: readonly Waiver[]): ExpectedFailures => ({
  file: 'waivers',
  entries: waivers.map((each, at) => ({ ...each, lines: [at + 1, at + 1] })),
})
