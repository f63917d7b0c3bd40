import { parseJson } from '../../suites/oracle/json.ts'
import { type ProxyInUse, shownProxy } from '../wire/dial.ts'
import { header, listIn } from '../wire/exchange.ts'
import type { ProblemKind } from '../wire/problems.ts'
import type { Sent } from './request.ts'

/** Why nothing can be judged: exit 4. `cause` in a few words, `advice` says what to do about it. */
export type Unreachable = NonNullable<ReturnType<typeof preflight>>

const RUNS = 'Check that the store is running, and that host, port and scheme are right.'
/** What to do about the problem that each of the first requests had, if the store itself causes it, not a proxy. */
const OF_STORE: Partial<Readonly<Record<ProblemKind, string>>> = {
  tls: 'Check that the certificate is for this name and has not expired. For a private authority, name its certificate in NODE_EXTRA_CA_CERTS.',
  'no-tls': 'Write http: in place of https: if the store has no TLS.',
  busy: 'Wait, and run again; a lower --concurrency sends fewer requests at once.',
  malformed: `Something answers there. ${RUNS}`,
}
const OF_NETWORK: Partial<Readonly<Record<ProblemKind, string>>> = {
  dns: 'Check the host name, and whether this machine needs HTTPS_PROXY.',
  timeout: `${RUNS} A higher --timeout waits longer.`,
}
const KEY =
  'Check STORE_API_KEY (for staging STORE_STAGING_API_KEY, or --api-key-file): is it for this store, and still valid? ' +
  'If a gateway in front of the store refuses it, add the header that it needs with --header NAME=VALUE (or STORE_HEADERS if it is secret), or use an address behind it.'

/** Not found, or a resource that cannot be read: `{base_url}/store/orders/inventory` is the path of an order. */
const MISSING = [404, 405, 410, 501]
/** Characters of a header that are quoted. */
const QUOTED = 200

/**
 * Reads the answers to the first GET requests: is there a store, and does it accept the key? A store that answers wrongly is
 * judged, because rules report that better.
 * @param proxy which the requests go through
 */
export function preflight(answers: readonly Sent[], baseUrl: string, proxy?: ProxyInUse) {
  const [first] = answers
  if (first?.problem && answers.every(({ problem }) => problem)) {
    const { kind, message } = first.problem
    const bypass = `NO_PROXY=${new URL(baseUrl).hostname} bypasses it.`
    const ofProxy = proxy && `Check the proxy ${shownProxy(proxy)}, and that it reaches the store. ${bypass}`
    const advice = OF_STORE[kind] ?? ofProxy ?? OF_NETWORK[kind] ?? RUNS
    return { cause: `${baseUrl} cannot be ${kind === 'tls' ? 'trusted' : 'reached'}: ${message}`, advice }
  }
  const statuses = answers.map(({ response, problem }) =>
    problem?.kind === 'busy' ? 503 : (response?.status ?? 0),
  )
  const isAll = (...some: readonly number[]) => statuses.every(status => some.includes(status))
  const said = answers.map(answerText).join(', ')
  if (isAll(401, 403))
    return { refusesKey: true as const, cause: `${baseUrl} refuses the API key: ${said}`, advice: KEY }
  // A gateway reports that the store does not answer, in any media type.
  if (isAll(502, 503, 504))
    return {
      cause: `the store behind ${baseUrl} is down or not ready, as a gateway says: ${said}`,
      advice: 'Wait until the store answers, or start it, and run again.',
    }
  // One path is not found, and the other contains something that the server cannot read as an id.
  const isUnknownPath = isAll(...MISSING, 400, 422) && !isAll(400, 422)
  if (!isUnknownPath && !answers.every(isNoStore)) return undefined
  return {
    cause: `there is no store at ${baseUrl}: ${said}`,
    advice:
      'Check the address: it ends with the version prefix, as in https://store.example/v1, and redirects are not followed.',
  }
}

/** A redirect, a web page, a gateway without a store behind it: an answer that no implementation of the interface gives to all of its GET requests. */
function isNoStore({ response }: Sent): boolean {
  if (!response) return true
  const { status } = response
  if ([401, 403, 500].includes(status)) return false
  if ([...MISSING, 502, 504].includes(status) || (status >= 300 && status < 400)) return true
  const isJson = listIn(response, 'content-type').some(type => /^application\/json *(?:;|$)/.test(type))
  return !isJson && 'error' in parseJson(response.body)
}

/** What an answer is, with what a gateway says in its headers. */
function answerText({ request: { method, url }, response }: Sent): string {
  const path = `${method} ${new URL(url).pathname}`
  if (!response) return `${path} has no answer`
  const headers = ['content-type', 'location', 'www-authenticate'].flatMap(name => {
    const value = header(response, name)
    return value && value !== 'application/json' ? [`, ${name}: ${value.slice(0, QUOTED)}`] : []
  })
  return `${path} answers ${response.status}${headers.join('')}`
}
