import { parseJson } from '../../suites/oracle/json.ts'
import { type ProxyInUse, shownProxy } from '../wire/dial.ts'
import { header, mediaType } from '../wire/exchange.ts'
import type { ProblemKind } from '../wire/problems.ts'
import type { Sent } from './sender.ts'

/** Why nothing can be judged: exit 4. `cause` in a few words, `advice` says what to do about it. */
export interface Unreachable {
  readonly cause: string
  readonly advice: string
  readonly refusesKey?: true
}

/** Not found, or a resource that cannot be read: `{base_url}/store/orders/inventory` is the path of an order. */
const MISSING = [404, 405, 410, 501]

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
  const problems = answers.flatMap(each => each.problem ?? [])
  const [problem] = problems
  if (problem && problems.length === answers.length) {
    const [how, advice] = adviceFor(problem.kind, problem.message, baseUrl, proxy)
    return { cause: `${baseUrl} cannot be ${how}: ${problem.message}`, advice }
  }
  const statuses = answers.map(({ response }) => response?.status ?? 0)
  const isAll = (...some: readonly number[]) => statuses.every(status => some.includes(status))
  if (isAll(401, 403)) return refusal(answers, baseUrl)
  // A gateway reports that the store does not answer, in any media type.
  if (
    answers.every(
      ({ problem: each }, at) => each?.kind === 'busy' || [502, 503, 504].includes(statuses[at] ?? 0),
    )
  )
    return {
      cause: `the store behind ${baseUrl} is down or not ready, as a gateway says: ${statusText(answers)}`,
      advice: 'Wait until the store answers, or start it, and run again.',
    }
  // One path is not found, and the other contains something that the server cannot read as an id.
  const isUnknownPath = isAll(...MISSING, 400, 422) && !isAll(400, 422)
  return answers.every(isNoStore) || isUnknownPath ? noStore(answers, baseUrl) : undefined
}

function adviceFor(
  kind: ProblemKind,
  message: string,
  baseUrl: string,
  proxy?: ProxyInUse,
): readonly [how: string, advice: string] {
  if (kind === 'tls') return ['trusted', certificateAdvice(message)]
  if (kind === 'no-tls')
    return ['reached', `Use ${baseUrl.replace(/^https:/, 'http:')} if the store has no TLS.`]
  if (kind === 'busy')
    return ['judged now', 'Wait, and run again; a lower --concurrency sends fewer requests at once.']
  if (kind === 'malformed')
    return [
      'judged',
      'Something answers there. Check that host, port and scheme are those of the store, and what the store, or a server in front of it, sends.',
    ]
  if (proxy)
    return [
      'reached',
      `Check the proxy ${shownProxy(proxy)}, and that it reaches the store. NO_PROXY=${new URL(baseUrl).hostname} bypasses it.`,
    ]
  if (kind === 'dns') return ['reached', 'Check the host name, and whether this machine needs HTTPS_PROXY.']
  const later = kind === 'timeout' ? ' A higher --timeout waits longer.' : ''
  return ['reached', `Check that the store is running, and that host, port and scheme are right.${later}`]
}

/** @param why contains the code of the TLS library */
function certificateAdvice(why: string): string {
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(why))
    return 'The certificate is for other names: use one of them in the address, or give the store a certificate for this one.'
  if (/EXPIRED/.test(why)) return 'The certificate has expired: renew it.'
  return 'Check the certificate and the scheme of the address. For a private authority, name its certificate in NODE_EXTRA_CA_CERTS.'
}

const statusText = (answers: readonly Sent[]): string =>
  answers
    .map(
      ({ request: { method, url }, response }) =>
        `${method} ${new URL(url).pathname} ${response ? `answers ${response.status}` : 'has no answer'}`,
    )
    .join(', ')

/** Characters of a response that are quoted. */
const QUOTED = 200

function refusal(answers: readonly Sent[], baseUrl: string): Unreachable {
  const forbidden = answers.find(({ response }) => response?.status === 403)?.response
  const challenge = answers
    .map(({ response }) => response && header(response, 'www-authenticate'))
    // The plain name of the scheme that the document states says nothing.
    .find(each => each && !/^(bearer)?$/i.test(each))
  const page = forbidden?.body.replaceAll(/<style.*?<\/style>|<[^>]*>/gis, ' ').replaceAll(/\s+/g, ' ')
  const asked = challenge ? ` with WWW-Authenticate: ${challenge.slice(0, QUOTED)}` : ''
  // A gateway says there what it needs.
  const said = page?.trim() ? `: ${page.trim().slice(0, QUOTED)}` : ''
  const advice = [
    challenge &&
      !/^bearer\b/i.test(challenge) &&
      'A gateway in front of the store may ask for that: use an address behind it, or let it pass on the API key.',
    forbidden &&
      'A gateway in front of the store answers 403 if it needs a header: add it with --header NAME=VALUE, or STORE_HEADERS if it is secret.',
    'Check STORE_API_KEY (for staging STORE_STAGING_API_KEY, or --api-key-file): is it for this store, and still valid?',
  ]
  return {
    refusesKey: true,
    cause: `${baseUrl} refuses the API key: ${statusText(answers)}${asked}${said}`,
    advice: advice.filter(Boolean).join(' '),
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

function noStore(answers: readonly Sent[], baseUrl: string): Unreachable {
  const response = answers.find(answer => answer.response)?.response
  const location = response && header(response, 'location')
  const type = (response && mediaType(response)) ?? 'an unnamed type'
  // The address up to its version prefix, which a base URL often lacks.
  const { origin, pathname } = new URL(baseUrl)
  const path = pathname.replace(/\/+$/, '')
  const likelier = /^.*?\/v[0-9]+(?=\/|$)/.exec(path)?.[0] ?? `${path}/v1`
  return {
    cause: `there is no store at ${baseUrl}: ${location ? `it redirects to ${location}` : `${statusText(answers)}, as ${type}`}`,
    advice: `Check the address: it ends with the version prefix, as in https://store.example/v1, and redirects are not followed.${likelier === path ? '' : ` Is it ${origin + likelier}?`}`,
  }
}
