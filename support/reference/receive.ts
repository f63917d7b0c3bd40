import type { Answer } from './answer.ts'
import type { ClientConnection, Context } from './decisions.ts'
import { operationAt } from './dispatching.ts'
import { bodyInvalid, methodWrong, Refusal, storeBroken } from './refusal.ts'
import { answerStates, type ProviderStates, plainly } from './states.ts'
import { readBody, type StoreRequest } from './store-request.ts'
import type { Wire } from './wire.ts'

/** The parts of one store that every request needs. */
export interface StoreParts extends Pick<Context, 'decide' | 'domain' | 'keys'> {
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

/** Undefined if the target or the Host header is malformed. A request of HTTP/1.0 may have no Host. */
const urlOf = (target: string, host: string): URL | undefined => {
  if (/[\s/?#@\\]/.test(host)) return undefined
  try {
    return new URL(target.startsWith('/') ? `http://${host}${target}` : target)
  } catch {
    return undefined
  }
}

const answerTo = async (
  ctx: Context,
  refusal: Refusal | undefined,
  onError: StoreParts['onError'],
): Promise<Answer> => {
  const { decide } = ctx
  try {
    return await decide.finish(await (refusal ? decide.refuse(refusal, ctx) : decide.operate(ctx)), ctx)
  } catch (error) {
    onError(error)
    return decide.refuse(storeBroken(), ctx)
  }
}

/** Answers one request. If it came over a wire, its answer is sent there. */
export const receive = async (
  request: StoreRequest,
  { decide, domain, keys, states, statesToken, onError }: StoreParts,
  { connection, wire }: RequestSource,
): Promise<Answer> => {
  const { method, headers: sent, body } = request
  const plain = (answer: Answer): Answer => {
    wire?.send(answer)
    return answer
  }
  const headers = new Headers(sent.map(([name, value]): [string, string] => [name, value]))
  const url = urlOf(request.target, headers.get('host') || 'localhost')
  if (!url) return plain(plainly(bodyInvalid('The request line or the Host header is malformed.')))
  if (url.pathname === STATES_PATH && method === 'POST')
    return plain(await answerStates(body, headers, states, statesToken))
  const route = url.pathname === STATES_PATH ? methodWrong(['POST']) : operationAt(method, url.pathname)
  const refusal = route instanceof Refusal ? route : undefined
  let bytes: Promise<Uint8Array> | undefined
  const ctx: Context = {
    operation: route instanceof Refusal ? 'none' : route,
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
    body: () => {
      bytes ??= readBody(body, headers)
      return bytes
    },
  }
  const answer = await answerTo(ctx, refusal, onError)
  if (!wire) return answer
  try {
    await decide.deliver(answer, wire, ctx)
  } catch (error) {
    onError(error)
    wire.reset()
  }
  return answer
}
