import { parseJson } from '../../suites/oracle/json.ts'
import { header, mediaType } from '../wire/exchange.ts'
import { type ProxyInUse, shownProxy } from '../wire/proxy.ts'
import type { Sent } from './sender.ts'

/** Why nothing can be judged: exit 4. `cause` in a few words, `advice` says what to do about it. */
export interface Unreachable {
  readonly cause: string
  readonly advice: string
  readonly refusesKey?: true
}

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
  const [problem, ...problems] = answers.flatMap(each => each.problem ?? [])
  if (problem && problems.length + 1 === answers.length) return fromProblem(problem, baseUrl, proxy)
  const statuses = answers.map(({ response }) => response?.status ?? 0)
  if (statuses.every(status => status === 401 || status === 403))
    return refusal(answers, baseUrl, statuses.includes(403))
  if (answers.every(isDown))
    return {
      cause: `the store behind ${baseUrl} is down or not ready, as a gateway says: ${statusText(answers)}`,
      advice: 'Wait until the store answers, or start it, and run again.',
    }
  return answers.every(isNoStore) || isUnknownPath(statuses) ? noStore(answers, baseUrl) : undefined
}

/** Whether a gateway reports that the store does not answer, in any media type. */
const isDown = ({ response, problem }: Sent): boolean =>
  response ? [502, 503, 504].includes(response.status) : problem?.kind === 'busy'

const statusText = (answers: readonly Sent[]): string =>
  answers
    .map(
      ({ request, response }) =>
        `${request.method} ${new URL(request.url).pathname} ${response ? `answers ${response.status}` : 'has no answer'}`,
    )
    .join(', ')

/** Characters of a response that are quoted. */
const QUOTED = 200
const quoted = (text: string): string => (text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text)

function refusal(answers: readonly Sent[], baseUrl: string, isForbidden: boolean): Unreachable {
  const textsOf = (status: number, read: (response: NonNullable<Sent['response']>) => string | undefined) =>
    answers.flatMap(({ response }) => (response?.status === status ? (read(response)?.trim() ?? []) : []))
  // The plain name of the scheme that the document states says nothing.
  const challenge = textsOf(401, response => header(response, 'www-authenticate')).find(
    each => !/^(bearer)?$/i.test(each),
  )
  const asked = challenge === undefined ? '' : ` with WWW-Authenticate: ${quoted(challenge)}`
  // A gateway says there what it needs.
  const [page = ''] = textsOf(403, ({ body }) =>
    body.replaceAll(/<style.*?<\/style>|<[^>]*>/gis, ' ').replaceAll(/\s+/g, ' '),
  )
  const advice = [
    ...(challenge !== undefined && !/^bearer\b/i.test(challenge)
      ? [
          'A gateway in front of the store may ask for that: use an address behind it, or let it pass on the API key.',
        ]
      : []),
    ...(isForbidden
      ? [
          'A gateway in front of the store answers 403 if it needs a header: add it with --header NAME=VALUE, or STORE_HEADERS if it is secret.',
        ]
      : []),
    'Check STORE_API_KEY (for staging STORE_STAGING_API_KEY, or --api-key-file): is it for this store, and still valid?',
  ]
  return {
    refusesKey: true,
    cause: `${baseUrl} refuses the API key: ${statusText(answers)}${asked}${page === '' ? '' : `: ${quoted(page)}`}`,
    advice: advice.join(' '),
  }
}

function fromProblem(
  { kind, message }: NonNullable<Sent['problem']>,
  baseUrl: string,
  proxy?: ProxyInUse,
): Unreachable {
  const [how, advice] =
    kind === 'tls'
      ? ['trusted', certificateAdvice(message)]
      : kind === 'no-tls'
        ? ['reached', `Use ${baseUrl.replace(/^https:/, 'http:')} if the store has no TLS.`]
        : kind === 'busy'
          ? ['judged now', 'Wait, and run again; a lower --concurrency sends fewer requests at once.']
          : kind === 'malformed'
            ? [
                'judged',
                'Something answers there. Check that host, port and scheme are those of the store, and what the store, or a server in front of it, sends.',
              ]
            : proxy
              ? [
                  'reached',
                  `Check the proxy ${shownProxy(proxy)}, and that it reaches the store. NO_PROXY=${new URL(baseUrl).hostname} bypasses it.`,
                ]
              : kind === 'dns'
                ? ['reached', 'Check the host name, and whether this machine needs HTTPS_PROXY.']
                : kind === 'timeout'
                  ? [
                      'reached',
                      'Check that the store is running and can be reached from here. A higher --timeout waits longer.',
                    ]
                  : ['reached', 'Check that the store is running, and that host, port and scheme are right.']
  return { cause: `${baseUrl} cannot be ${how}: ${message}`, advice: advice ?? '' }
}

/** @param why contains the code of the TLS library */
function certificateAdvice(why: string): string {
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(why))
    return 'The certificate is for other names: use one of them in the address, or give the store a certificate for this one.'
  if (/EXPIRED/.test(why)) return 'The certificate has expired: renew it.'
  return 'Check the certificate and the scheme of the address. For a private authority, name its certificate in NODE_EXTRA_CA_CERTS.'
}

/** Not found, or a resource that cannot be read: `{base_url}/store/orders/inventory` is the path of an order. */
const isMissing = (status: number): boolean => [404, 405, 410, 501].includes(status)

/** One path is not found, and the other contains something that the server cannot read as an id. */
const isUnknownPath = (statuses: readonly number[]): boolean =>
  statuses.some(isMissing) && statuses.every(status => isMissing(status) || status === 400 || status === 422)

/** A redirect, a web page, a gateway without a store behind it: an answer that no implementation of the interface gives to all of its GET requests. */
function isNoStore({ response }: Sent): boolean {
  if (!response) return true
  const { status } = response
  if (status === 401 || status === 403 || status === 500) return false
  if (isMissing(status) || (status >= 300 && status < 400) || status === 502 || status === 504) return true
  return mediaType(response) !== 'application/json' && 'error' in parseJson(response.body)
}

function noStore(answers: readonly Sent[], baseUrl: string): Unreachable {
  const response = answers.find(answer => answer.response)?.response
  const location = response && header(response, 'location')
  const what = location
    ? `it redirects to ${location}`
    : `${statusText(answers)}, as ${(response && mediaType(response)) ?? 'an unnamed type'}`
  // The address up to its version prefix, which a base URL often lacks.
  const { origin, pathname } = new URL(baseUrl)
  const path = pathname.replace(/\/+$/, '')
  const likelier = /^.*?\/v[0-9]+(?=\/|$)/.exec(path)?.[0] ?? `${path}/v1`
  return {
    cause: `there is no store at ${baseUrl}: ${what}`,
    advice: `Check the address: it ends with the version prefix, as in https://store.example/v1, and redirects are not followed.${likelier === path ? '' : ` Is it ${origin + likelier}?`}`,
  }
}
