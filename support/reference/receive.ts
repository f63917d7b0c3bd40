import type { Answer } from './answer.ts'
import type { ClientConnection, Context, Decisions, Keys } from './decisions.ts'
import { operationAt } from './dispatching.ts'
import type { Domain } from './domain.ts'
import { bodyInvalid, methodWrong, Refusal, storeBroken } from './refusal.ts'
import { answerStates, type ProviderStates, plainly } from './states.ts'
import { readBody, type StoreRequest } from './store-request.ts'
import type { Wire } from './wire.ts'

/** The parts of one store that every request needs. */
export interface StoreParts {
  readonly decide: Decisions
  readonly domain: Domain
  readonly keys: Keys
  readonly states: ProviderStates
  readonly statesToken: string | undefined
  readonly onError: (error: unknown) => void
}

/** Where a request came from. Without a wire, it was received in process. */
export interface RequestSource {
  readonly connection: ClientConnection
  readonly wire?: Wire | undefined
}

const STATES_PATH = '/provider-states'

const lastSegment = ({ pathname }: URL): string | undefined => {
  try {
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1))
  } catch {
    return undefined
  }
}

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Undefined if the target or the Host header is malformed. A request of HTTP/1.0 may have no Host. */
const urlOf = (target: string, host: string): URL | undefined => {
  if (/[\s/?#@\\]/.test(host)) return undefined
  try {
    return new URL(target.startsWith('/') ? `http://${host}${target}` : target)
  } catch {
    return undefined
  }
}

const contextOf = (
  { method, headers: sent, body }: StoreRequest,
  url: URL,
  headers: Headers,
  { decide, domain, keys }: StoreParts,
  connection: ClientConnection,
  operation: Context['operation'],
): Context => ({
  operation,
  method,
  url,
  headers,
  headerNames: sent.map(([name]) => name),
  segment: lastSegment(url),
  connection,
  domain,
  keys,
  decide,
  found: {},
  body: once(() => readBody(body, headers)),
})

const answerTo = async (ctx: Context, refusal: Refusal | undefined, store: StoreParts): Promise<Answer> => {
  const { decide } = store
  try {
    return await decide.finish(await (refusal ? decide.refuse(refusal, ctx) : decide.operate(ctx)), ctx)
  } catch (error) {
    store.onError(error)
    return decide.refuse(storeBroken(), ctx)
  }
}

/** Answers one request. If it came over a wire, its answer is sent there. */
export const receive = async (
  request: StoreRequest,
  store: StoreParts,
  source: RequestSource,
): Promise<Answer> => {
  const { connection, wire } = source
  const plain = (answer: Answer): Answer => {
    wire?.send(answer)
    return answer
  }
  const headers = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]))
  const url = urlOf(request.target, headers.get('host') || 'localhost')
  if (!url) return plain(plainly(bodyInvalid('The request line or the Host header is malformed.')))
  if (url.pathname === STATES_PATH && request.method === 'POST')
    return plain(await answerStates(request.body, headers, store.states, store.statesToken))
  const found =
    url.pathname === STATES_PATH ? methodWrong(['POST']) : operationAt(request.method, url.pathname)
  const [operation, refusal] = found instanceof Refusal ? (['none', found] as const) : ([found] as const)
  const ctx = contextOf(request, url, headers, store, connection, operation)
  const answer = await answerTo(ctx, refusal, store)
  if (!wire) return answer
  try {
    await store.decide.deliver(answer, wire, ctx)
  } catch (error) {
    store.onError(error)
    wire.reset()
  }
  return answer
}
