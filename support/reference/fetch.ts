import type { Answer } from './answer.ts'
import type { StoreRequest } from './store-request.ts'

/** Statuses whose responses never have a body (RFC 9110 §6.4.1). `Response` would throw for a body. */
const NO_BODY = new Set([204, 205, 304])

/** The store as a function of the Fetch standard, as frameworks and test tools call it. */
export const fetchOf =
  <Source>(answer: (request: StoreRequest, source?: Source) => Promise<Answer>) =>
  async (request: Request, source?: Source): Promise<Response> => {
    const { host, pathname, search } = new URL(request.url)
    const converted: StoreRequest = {
      method: request.method,
      target: pathname + search,
      headers: [...(request.headers.has('host') ? [] : [['Host', host] as const]), ...request.headers],
      body: request.body ?? undefined,
    }
    const { status, headers, body } = await answer(converted, source)
    const isEmpty = request.method === 'HEAD' || NO_BODY.has(status) || !body
    return new Response(isEmpty ? null : new Uint8Array(body), {
      status,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    })
  }
