import type { Exchange, RecordedResponse } from '../http/exchange.ts'
import type { Judgement } from '../judge/judgement.ts'
import { shownExchange } from '../report/compose.ts'
import type { Report } from '../report/report.ts'
import { type OpenRun, openRun, type RunOptions } from '../run/run.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import type { Configuration } from '../settings/configuration.ts'
import { sha256 } from './digest.ts'
import { type RawEvent, recordInputs } from './inputs.ts'
import {
  cutToText,
  type ExchangeEvent,
  type InputEvent,
  type RecordedSettings,
  type Recording,
  recordedSettings,
} from './recording.ts'
import { orRefused, Refused } from './refused.ts'
import { askedEvent, randomnessOf, replayRun } from './replay.ts'
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

/** A run without a recording. */
export interface Unrecorded {
  readonly report: Report
  /** Why it cannot be judged again, if the report does not say it. */
  readonly problem?: string
}

/** Judges the store, records every input, and judges the recording. */
export async function recordRun(
  configuration: Configuration,
  { began, judged, challenge, ...options }: RecordOptions = {},
): Promise<RecordedRun | Unrecorded> {
  const randomness = randomnessOf(configuration, challenge)
  const { inputs, all } = recordInputs(randomness)
  const startedAt = Date.now()
  const run = await openRun(subject, configuration, {
    ...options,
    inputs,
    randomness,
    startedAt,
  })
  began?.(run)
  const report = await run.finish({ judged })
  if (run.unreachable) return { report }
  if (options.signal?.aborted) return { report, problem: 'the run was stopped' }
  const recording: Recording = {
    format: 'store-conformance-recording/1',
    startedAt,
    settings: settingsOf(configuration, options.reference, run.target.provider, report),
    challenge,
    ...eventsOf(all(), run.target.exchanges),
  }
  return withoutKey(report, recording, configuration.apiKey ?? '')
}

function settingsOf(
  configuration: Configuration,
  reference: boolean | undefined,
  provider: string | undefined,
  report: Report,
): RecordedSettings {
  const { apiKey = '', revokedApiKey, expectedFailures = {} } = configuration
  const waivers = waiversOf(expectedFailures, report)
  return {
    ...(Object.fromEntries(
      Object.entries(configuration).filter(([name]) => Object.hasOwn(recordedSettings.shape, name)),
    ) as RecordedSettings),
    reference: reference || undefined,
    apiKey: standIn(apiKey, 3),
    revokedApiKey: revokedApiKey && standIn(revokedApiKey, 4),
    provider,
    waivers: waivers.length > 0 ? waivers : undefined,
  }
}

/** Characters of one kind, in a fixed order. Rules treat the last letters of the alphabet apart from the others. */
const KINDS = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuv', 'wxyz', '0123456789'] as const

/**
 * A key of the same shape: as long, with letters, digits and other characters in the same places. Which requests can be made of a key,
 * and how they are encoded, depends only on its shape.
 * @param start distinguishes the stand-ins of several keys
 */
function standIn(key: string, start: number): string {
  const made = [...key].map((character, at) => {
    const kind = KINDS.find(each => each.includes(character))
    return kind === undefined ? character : kind[(at * 7 + start) % kind.length]
  })
  return made.join('')
}

/** The requests still contain the keys. */
function eventsOf(
  raw: readonly RawEvent[],
  exchanges: readonly Exchange[],
): Pick<Recording, 'events' | 'bodies'> {
  const bodies = new Map<string, Uint8Array>()
  const ofResponse = ({ status, headers, body, bodyBase64 }: RecordedResponse) => {
    const bytes = bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64')
    const digest = sha256(bytes)
    if (bytes.length > 0) bodies.set(digest, bytes)
    return {
      status,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: bytes.length > 0 ? digest : undefined,
    }
  }
  let sent = 0
  const events = raw.map((event): InputEvent => {
    if (event.kind === 'strayBytes') return event
    if (event.kind === 'state') {
      const { ids, declined, error } = event
      return {
        ...event,
        ids,
        declined: declined && cutToText(declined),
        error: error && { name: error.name, message: cutToText(error.message) },
      }
    }
    const exchange = exchanges[sent++] as Exchange
    const { response, problem } = shownExchange(whole(exchange), Number.POSITIVE_INFINITY)
    const { connection, repeatedAfter, startedAt, durationMs, waitedMs, echoesSecret } = exchange
    return {
      kind: 'exchange',
      nth: event.nth,
      ...askedEvent(event.asked),
      response: response && ofResponse(response),
      problem: problem && { kind: problem.kind, message: cutToText(problem.message) },
      connection,
      repeatedAfter: repeatedAfter && cutToText(repeatedAfter),
      startedAt,
      durationMs,
      waitedMs: Math.round(waitedMs),
      echoesKey: echoesSecret || undefined,
    }
  })
  return { events, bodies }
}

/** With the whole of a large body, of which the exchange has only the beginning as a text. */
const whole = (exchange: Exchange): Exchange => {
  const { response } = exchange
  if (!response?.parts) return exchange
  const bytes = Buffer.concat(response.parts.map(each => each.bytes))
  const body = bytes.toString('utf8')
  const exact = Buffer.from(body).equals(bytes) ? {} : { bodyBase64: bytes.toString('base64') }
  return { ...exchange, response: { ...response, body, ...exact } }
}

/**
 * The recording with the requests that follow from the stand-ins of the keys, so that they contain nothing of the keys themselves. It
 * has a problem if a request depends on more of the key than its shape, or if an outcome does.
 */
async function withoutKey(
  report: Report,
  recording: Recording,
  key: string,
): Promise<RecordedRun | Unrecorded> {
  const derived = new Map<unknown, ExchangeEvent>()
  const replaying = replayRun(recording, (event, asked, place) => {
    const made = askedEvent(asked)
    if (shapeOf(event.request, key) !== shapeOf(made.request, recording.settings.apiKey))
      throw new Refused(place, 'the request depends on more of the API key than its shape')
    derived.set(event, { ...event, ...made })
  })
  const replayed = await orRefused(replaying)
  if (replayed instanceof Refused) return { report, problem: notReproducible(replayed) }
  const brief = (rule: Report['rules'][number] | undefined) =>
    JSON.stringify([rule?.id, rule?.outcome, rule?.exchanges])
  const differing = report.rules.find((rule, at) => brief(rule) !== brief(replayed.rules[at]))
  const problem =
    'has another outcome without the API key in the responses; use a longer key, which no response holds by chance'
  if (differing) return { report, problem: notReproducible(new Refused(differing.id, problem)) }
  const events = recording.events.map(event => derived.get(event) ?? event)
  return { report, replayed, recording: { ...recording, events } }
}

export const notReproducible = ({ place, message }: Refused): string =>
  `it cannot be judged again from its recording: ${place}: ${message}`

/** An encoding of all bits has another shape for each key, so these count as the key. */
function shapeOf(request: ExchangeEvent['request'], key: string): string {
  const bytes = Buffer.from(key)
  const encoded = [
    Buffer.from(`${key}:${key}`).toString('base64'),
    bytes.toString('base64'),
    bytes.toString('hex').replace(/../g, '%$&'),
  ]
  const text = encoded.reduce((all, each) => all.replaceAll(each, () => key), JSON.stringify(request))
  return standIn(text, 0)
}
