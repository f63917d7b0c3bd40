import { secretsOf } from '../access/secrets.ts'
import { redactorAt } from '../http/redact.ts'
import type { Judgement } from '../judge/judgement.ts'
import type { Report } from '../report/report.ts'
import { type OpenRun, openRun, type RunOptions } from '../run/run.ts'
import type { Configuration } from '../settings/configuration.ts'
import { type RawEvent, recordInputs } from './record.ts'
import type { ExchangeEvent, InputEvent, RecordedSettings, Recording } from './recording.ts'
import { derivedEvent, redactedRecording } from './redacted.ts'
import { ReplayMismatch } from './replay.ts'
import { randomnessOf, replayRun } from './replay-run.ts'
import { standIn } from './stand-in.ts'
import { waiversOf } from './waivers.ts'

/** A run and its inputs. */
export interface RecordedRun {
  /** The report of the run on the store. */
  readonly report: Report
  /** The report of the recording. It is equal, except in texts that contained a secret. */
  readonly replayed: Report
  readonly recording: Recording
}

export interface RecordOptions extends Omit<RunOptions, 'inputs' | 'randomness'> {
  /** From which all values are derived, instead of the seed. */
  readonly challenge?: string | undefined
  readonly began?: (run: OpenRun) => void
  readonly judged?: (judgement: Judgement) => void
}

/** Why a run cannot be judged again from its recording. */
export class NotReproducible extends Error {
  override name = 'NotReproducible'
  readonly report: Report

  constructor(report: Report, problem: string) {
    super(problem)
    this.report = report
  }
}

/**
 * Judges the store, records every input, and judges the recording.
 * @throws {NotReproducible} if the recording leads to another outcome
 */
export async function recordRun(
  configuration: Configuration,
  { began, judged, challenge, ...options }: RecordOptions = {},
): Promise<RecordedRun | { readonly report: Report }> {
  const randomness = randomnessOf(configuration, challenge)
  const { inputs, events } = recordInputs(randomness)
  const startedAt = Date.now()
  const run = await openRun(configuration, {
    ...options,
    inputs,
    randomness,
    startedAt,
    unannounced: true,
  })
  began?.(run)
  if (!run.unreachable) await run.judgeAll(judged)
  const report = await run.finish()
  if (run.unreachable || options.signal?.aborted) return { report }
  const { baseUrl = '' } = configuration
  const redact = redactorAt(new URL(baseUrl).origin, secretsOf(configuration))
  const settings = settingsOf(configuration, options, run.target.provider, report)
  const recording = redactedRecording(events, run.target.exchanges, { startedAt, settings }, redact)
  const { replayed, derived } = await derive(report, recording, challenge)
  const complete = { ...recording, events: derived }
  expectSameRequests(report, events, derived, configuration.apiKey ?? '', settings.apiKey)
  expectSameOutcomes(report, replayed)
  return { report, replayed, recording: complete }
}

function settingsOf(
  configuration: Configuration,
  { reference }: Pick<RunOptions, 'reference'>,
  provider: string | undefined,
  report: Report,
): RecordedSettings {
  const { baseUrl = '', apiKey = '', revokedApiKey, profile, gate, seed, runs } = configuration
  const waivers = waiversOf(configuration.expectedFailures ?? {}, report)
  const { timeoutMs, concurrency, storeName, storeVersion, pendingOrders, shippedOrders, pets } =
    configuration
  return {
    baseUrl,
    ...(reference ? { reference: true as const } : {}),
    apiKey: standIn(apiKey, 3),
    ...(revokedApiKey === undefined ? {} : { revokedApiKey: standIn(revokedApiKey, 4) }),
    ...(provider === undefined ? {} : { provider }),
    ...(pendingOrders === undefined ? {} : { pendingOrders }),
    ...(shippedOrders === undefined ? {} : { shippedOrders }),
    ...(pets === undefined ? {} : { pets }),
    profile,
    gate,
    seed,
    runs,
    timeoutMs,
    concurrency,
    unannounced: true,
    ...(storeName === undefined ? {} : { storeName }),
    ...(storeVersion === undefined ? {} : { storeVersion }),
    ...(waivers.length > 0 ? { waivers } : {}),
  }
}

/** Derives the requests from the stand-ins of the keys, so that they contain nothing of the real keys. */
async function derive(report: Report, recording: Recording, challenge: string | undefined) {
  const requests = new Map<ExchangeEvent, ExchangeEvent>()
  const replayed = await replayRun(
    recording,
    (event, asked) => void requests.set(event, { ...event, ...derivedEvent(asked) }),
    challenge,
  ).catch(error => {
    if (!(error instanceof ReplayMismatch)) throw error
    throw new NotReproducible(report, `${error.place}: ${error.message}`)
  })
  const derived = recording.events.map(
    (event): InputEvent => (event.kind === 'exchange' ? (requests.get(event) ?? event) : event),
  )
  return { replayed, derived }
}

/** The sent requests must have the shape of the derived ones, so that nothing in them depends on more of a key than its shape. */
function expectSameRequests(
  report: Report,
  raw: readonly RawEvent[],
  derived: readonly InputEvent[],
  sentKey: string,
  derivedKey: string,
): void {
  raw.forEach((event, at) => {
    const made = derived[at]
    if (event.kind !== 'exchange' || made?.kind !== 'exchange') return
    if (shapeOf(derivedEvent(event.asked).request, sentKey) !== shapeOf(made.request, derivedKey))
      throw new NotReproducible(
        report,
        `the request ${made.nth + 1} of "${made.scenario}" depends on more of the API key than its shape`,
      )
  })
}

/** Base64 has another shape for each key, so the key as the user name of Basic counts as the key. */
function shapeOf(request: ExchangeEvent['request'], key: string): string {
  const basic = Buffer.from(`${key}:`).toString('base64')
  return standIn(
    JSON.stringify(request).replaceAll(basic, () => key),
    0,
  )
}

function expectSameOutcomes(report: Report, replayed: Report): void {
  const brief = ({ id, outcome, exchanges }: Report['rules'][number]) =>
    JSON.stringify([id, outcome, exchanges])
  const differing = report.rules.find((rule, at) => {
    const again = replayed.rules[at]
    return again === undefined || brief(rule) !== brief(again)
  })
  if (differing)
    throw new NotReproducible(
      report,
      `${differing.id} has another outcome without the API key in the responses; use a longer key, which no response holds by chance`,
    )
}
