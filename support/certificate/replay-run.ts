import type { ExpectedFailures } from '../judge/expected-failures.ts'
import type { Challenge } from '../judge/randomness.ts'
import type { Report } from '../report/report.ts'
import { openRun } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { RecordedSettings, Recording, Waiver } from './recording.ts'
import { type Compare, noTransport, replayInputs } from './replay.ts'

/**
 * Runs the scenarios with the recording in place of the store, and judges again.
 * @throws {ReplayMismatch} if the run asks for other inputs than were recorded
 */
export async function replayRun(
  recording: Recording,
  compare: Compare,
  challenge?: Challenge,
): Promise<Report> {
  const { settings, startedAt } = recording
  const { inputs, expectAllTaken } = replayInputs(recording, compare)
  const run = await openRun(configurationOf(settings), {
    inputs,
    transport: noTransport(new URL(settings.baseUrl).origin),
    ...(settings.provider === undefined ? {} : { provider: silentProvider(settings.provider) }),
    env: {},
    reference: settings.reference,
    unannounced: settings.unannounced,
    challenge,
    startedAt,
  })
  const report = await run.finish()
  expectAllTaken()
  return report
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
