import { parseJson } from '../../suites/oracle/json.ts'
import { type ProxyInUse, shownProxy } from '../wire/dial.ts'
import { header, mediaType } from '../wire/exchange.ts'
import type { ProblemKind } from '../wire/problems.ts'
import type { Sent } from './request.ts'

/** Why nothing can be judged: exit 4. `cause` in a few words, `advice` says what to do about it. */
export interface Unreachable {
  readonly cause: string
  readonly advice: string
  readonly refusesKey?: true
}

const REACHED = 'Check that the store is running, and that host, port and scheme are right.'
/** What prevented each of the first requests: the store cannot be …, and what to do about it. */
const PROBLEMS: Partial<Readonly<Record<ProblemKind, readonly [how: string, advice: string]>>> = {
  tls: [
    'trusted',
    'Check that the certificate is for this name and has not expired. For a private authority, name its certificate in NODE_EXTRA_CA_CERTS.',
  ],
  'no-tls': ['reached', 'Write http: in place of https: if the store has no TLS.'],
  busy: ['judged now', 'Wait, and run again; a lower --concurrency sends fewer requests at once.'],
  malformed: [
    'judged',
    'Something answers there. Check that host, port and scheme are those of the store, and what the store, or a server in front of it, sends.',
  ],
  dns: ['reached', 'Check the host name, and whether this machine needs HTTPS_PROXY.'],
  timeout: ['reached', `${REACHED} A higher --timeout waits longer.`],
}
/** Problems that a proxy does not cause. */
const BEHIND_PROXY: readonly ProblemKind[] = ['tls', 'no-tls', 'busy', 'malformed']

/** Not found, or a resource that cannot be read: `{base_url}/store/orders/inventory` is the path of an order. */
const MISSING = [404, 405, 410, 501]
/** Characters of a response that are quoted. */
const QUOTED = 200

/**
 * Reads the answers to the first GET requests: is there a store, and does it accept the key? A store that answers wrongly is
 * judged, because rules report that better.
 * @param proxy which the requests go through
 */
export function preflight(
  answers: readonly Sent[],
  baseUrl: string,
  proxy?: ProxyInUse,
): Unreachable | undefined {
  const [first] = answers
  if (first?.problem && answers.every(({ problem }) => problem)) {
    const { kind, message } = first.problem
    const [how, usual] = PROBLEMS[kind] ?? ['reached', REACHED]
    const bypass = `NO_PROXY=${new URL(baseUrl).hostname} bypasses it.`
    const advice =
      proxy && !BEHIND_PROXY.includes(kind)
        ? `Check the proxy ${shownProxy(proxy)}, and that it reaches the store. ${bypass}`
        : usual
    return { cause: `${baseUrl} cannot be ${how}: ${message}`, advice }
  }
  const statuses = answers.map(({ response, problem }) =>
    problem?.kind === 'busy' ? 503 : (response?.status ?? 0),
  )
  const isAll = (...some: readonly number[]) => statuses.every(status => some.includes(status))
  const said = answers
    .map(({ request: { method, url }, response }) => {
      const answer = response ? `answers ${response.status}` : 'has no answer'
      return `${method} ${new URL(url).pathname} ${answer}`
    })
    .join(', ')
  if (isAll(401, 403)) return refusal(answers, `${baseUrl} refuses the API key: ${said}`)
  // A gateway reports that the store does not answer, in any media type.
  if (isAll(502, 503, 504))
    return {
      cause: `the store behind ${baseUrl} is down or not ready, as a gateway says: ${said}`,
      advice: 'Wait until the store answers, or start it, and run again.',
    }
  // One path is not found, and the other contains something that the server cannot read as an id.
  const isUnknownPath = isAll(...MISSING, 400, 422) && !isAll(400, 422)
  return answers.every(isNoStore) || isUnknownPath ? noStore(answers, baseUrl, said) : undefined
}

/** A gateway says in a challenge or a page what it needs. */
function refusal(answers: readonly Sent[], cause: string): Unreachable {
  const challenge = answers
    .map(({ response }) => response && header(response, 'www-authenticate'))
    // The plain name of the scheme that the document states says nothing.
    .find(each => each && !/^bearer$/i.test(each))
  const forbidden = answers.find(({ response }) => response?.status === 403)?.response
  const page = forbidden?.body.replaceAll(/(?:<style.*?<\/style>|<[^>]*>|\s)+/gis, ' ').trim()
  const asked = challenge ? ` with WWW-Authenticate: ${challenge.slice(0, QUOTED)}` : ''
  return {
    refusesKey: true,
    cause: cause + asked + (page ? `: ${page.slice(0, QUOTED)}` : ''),
    advice:
      'Check STORE_API_KEY (for staging STORE_STAGING_API_KEY, or --api-key-file): is it for this store, and still valid? ' +
      'If a gateway in front of the store refuses it, add the header that it needs with --header NAME=VALUE (or STORE_HEADERS if it is secret), or use an address behind it.',
  }
}

/** A redirect, a web page, a gateway without a store behind it: an answer that no implementation of the interface gives to all of its GET requests. */
function isNoStore({ response }: Sent): boolean {
  if (!response) return true
  const { status } = response
  if ([401, 403, 500].includes(status)) return false
  if ([...MISSING, 502, 504].includes(status) || (status >= 300 && status < 400)) return true
  return mediaType(response) !== 'application/json' && 'error' in parseJson(response.body)
}

function noStore(answers: readonly Sent[], baseUrl: string, said: string): Unreachable {
  const response = answers.find(answer => answer.response)?.response
  const location = response && header(response, 'location')
  const type = (response && mediaType(response)) ?? 'an unnamed type'
  return {
    cause: `there is no store at ${baseUrl}: ${location ? `it redirects to ${location}` : `${said}, as ${type}`}`,
    advice:
      'Check the address: it ends with the version prefix, as in https://store.example/v1, and redirects are not followed.',
  }
}
