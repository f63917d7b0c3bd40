import type { Answer, AnswerHeader } from './answer.ts'
import { bearerToken, equalInConstantTime } from './authentication.ts'
import { readBody } from './body.ts'
import { keyInvalid, Refusal } from './refusal.ts'
import { type ProviderStates, type StateParams, type StateValues, unacceptable } from './states.ts'
import type { RequestHeaders, StoreRequest } from './store-request.ts'
import { isObject, parseJson } from './updating.ts'

const isParams = (value: unknown): value is StateParams => isObject(value)

const perform = (states: ProviderStates, body: unknown): StateValues => {
  if (!isObject(body) || typeof body.state !== 'string') {
    throw unacceptable('Send {"state": "pending orders", "params": {"count": 1}, "action": "setup"}.')
  }
  const params = body.params ?? {}
  if (!isParams(params)) throw unacceptable('"params" must be an object.')
  // A verifier that never sends a teardown omits the action.
  switch (body.action ?? 'setup') {
    case 'setup':
      return states.setup(body.state, params)
    case 'teardown':
      states.teardown(body.state, params)
      return {}
    default:
      throw unacceptable('"action" must be "setup" or "teardown".')
  }
}

const json = (status: number, value: unknown, headers: readonly AnswerHeader[] = []): Answer => ({
  status,
  headers: [['Content-Type', 'application/json'], ...headers],
  body: Buffer.from(JSON.stringify(value)),
})

/** The answer to a refused request that no decision changes. */
export const plainly = ({ code, message, status, headers }: Refusal): Answer =>
  json(status, { code, message, status }, headers)

/** The provider states over HTTP. No decision changes them, because a fault in them would prevent the run. */
export const answerStates = async (
  body: StoreRequest['body'],
  headers: RequestHeaders,
  {
    states,
    statesToken: token,
  }: { readonly states: ProviderStates; readonly statesToken: string | undefined },
): Promise<Answer> => {
  try {
    if (token !== undefined && !equalInConstantTime(bearerToken(headers) ?? '', token)) throw keyInvalid()
    return json(200, perform(states, parseJson(await readBody(body, headers, 64 * 1024))))
  } catch (error) {
    if (error instanceof Refusal) return plainly(error)
    throw error
  }
}
