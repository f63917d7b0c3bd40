import type { AskedExchange } from '../access/inputs.ts'
import type { Exchange, Header, RecordedResponse } from '../http/exchange.ts'
import type { Redact } from '../http/redact.ts'
import { bodyStore } from './bodies.ts'
import type { RawEvent } from './record.ts'
import {
  cutToText,
  type ExchangeEvent,
  type InputEvent,
  type Recording,
  type RecordingFile,
} from './recording.ts'

/** The recording of a run without its secrets. Its requests must then be derived from the stand-in of the key. */
export function redactedRecording(
  raw: readonly RawEvent[],
  exchanges: readonly Exchange[],
  head: Omit<RecordingFile, 'format' | 'events'>,
  redact: Redact,
): Recording {
  const { bodies, add } = bodyStore()
  let made = 0
  const events = raw.map((event): InputEvent => {
    if (event.kind === 'strayBytes') return event
    if (event.kind === 'exchange') {
      const exchange = exchanges[made] as Exchange
      made += 1
      return exchangeEvent(event, exchange, redact, add)
    }
    const { asked, nth, answer, error } = event
    return {
      kind: 'state',
      nth,
      action: asked.action,
      state: asked.state,
      params: { ...asked.params } as Record<string, string | number>,
      ...(answer && 'ids' in answer ? { ids: answer.ids.map(redact) } : {}),
      ...(answer && 'declined' in answer ? { ...answer, declined: cutToText(redact(answer.declined)) } : {}),
      ...(error ? { error: { name: error.name, message: cutToText(redact(error.message)) } } : {}),
    }
  })
  return { format: 'store-conformance-recording/1', ...head, events, bodies }
}

function exchangeEvent(
  { nth, asked }: Extract<RawEvent, { kind: 'exchange' }>,
  exchange: Exchange,
  redact: Redact,
  add: (bytes: Uint8Array) => string,
): ExchangeEvent {
  const { response, problem, connection, repeatedAfter, startedAt, durationMs, waitedMs, echoesSecret } =
    exchange
  return {
    kind: 'exchange',
    nth,
    ...askedOf(asked),
    request: { method: '', target: '', headers: [] },
    ...(response ? { response: redactedResponse(response, redact, add) } : {}),
    ...(problem ? { problem: { kind: problem.kind, message: cutToText(redact(problem.message)) } } : {}),
    connection,
    ...(repeatedAfter === undefined ? {} : { repeatedAfter: cutToText(redact(repeatedAfter)) }),
    startedAt,
    durationMs,
    waitedMs: Math.round(waitedMs),
    ...(echoesSecret ? { echoesKey: true as const } : {}),
  }
}

/** What a scenario asks for, apart from the request itself. */
const askedOf = ({ scenario, operation, step, on, wire }: AskedExchange) => ({
  scenario,
  ...(operation === undefined ? {} : { operation }),
  step,
  on,
  repeatable: wire.repeatable,
})

/** Everything that a scenario asks for, as it is recorded. */
export function derivedEvent(asked: AskedExchange) {
  const { method, target, headers, body } = asked.wire
  return {
    ...askedOf(asked),
    request: {
      method,
      target,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      ...(typeof body === 'string' ? { body } : {}),
      ...(body instanceof Uint8Array ? { bodyBase64: Buffer.from(body).toString('base64') } : {}),
    },
  }
}

function redactedResponse(response: RecordedResponse, redact: Redact, add: (bytes: Uint8Array) => string) {
  const bytes = redactedBytes(bytesOf(response), redact)
  return {
    status: response.status,
    headers: response.headers.map(([name, value]: Header): [string, string] => [redact(name), redact(value)]),
    ...(bytes.length > 0 ? { body: add(bytes) } : {}),
  }
}

function bytesOf({ body, bodyBase64, parts }: RecordedResponse): Uint8Array {
  if (parts) return Buffer.concat(parts.map(({ bytes }) => bytes))
  return bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64')
}

/** Bytes that are not UTF-8 are redacted character by character, and stay bytes. */
function redactedBytes(bytes: Uint8Array, redact: Redact): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8')
  if (Buffer.from(text).equals(bytes)) return Buffer.from(redact(text))
  return Buffer.from(redact(Buffer.from(bytes).toString('latin1')), 'latin1')
}
