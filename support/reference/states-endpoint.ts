import { bearerToken, equalInConstantTime } from './authentication.ts'
import { readBody } from './body.ts'
import type { StateParams } from './parameters.ts'
import { unacceptable } from './parameters.ts'
import { keyInvalid, Refusal } from './refusal.ts'
import type { ProviderStates, StateValues } from './states.ts'
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

/** The provider states over HTTP. No decision changes them, because a fault in them would prevent the run. */
export const answerStates = async (
  request: Request,
  states: ProviderStates,
  token: string | undefined,
): Promise<Response> => {
  try {
    if (token !== undefined && !equalInConstantTime(bearerToken(request.headers) ?? '', token))
      throw keyInvalid()
    return Response.json(perform(states, parseJson(await readBody(request, 64 * 1024))))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, status, headers } = error
    return Response.json(
      { code, message, status },
      { status, headers: headers.map(([name, value]): [string, string] => [name, value]) },
    )
  }
}
