import { type Exchange, header, mediaType, type Problem, type RecordedResponse } from '../http/exchange.ts'
import { JsonSyntaxError } from '../http/json.ts'
import { type ProxyInUse, shownProxy } from '../http/proxy.ts'
import { readJson } from '../http/read-json.ts'
import { Stopped } from '../judge/outcome.ts'

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
 * @throws {Stopped} if the run was stopped meanwhile
 */
export function preflight(
  answers: readonly Exchange[],
  baseUrl: string,
  proxy?: ProxyInUse,
): Unreachable | undefined {
  const problems = answers.flatMap(({ problem }) => (problem ? [problem] : []))
  // A run that is stopped says nothing about the store.
  if (problems.some(({ kind }) => kind === 'aborted')) throw new Stopped('the run was stopped')
  const [problem] = problems
  if (problem && problems.length === answers.length) return fromProblem(problem, baseUrl, proxy)
  if (answers.every(({ response }) => response?.status === 401 || response?.status === 403)) {
    const challenge = challengeIn(answers)
    const asked = challenge === undefined ? '' : ` with WWW-Authenticate: ${quoted(challenge)}`
    return {
      refusesKey: true,
      cause: `${baseUrl} refuses the API key: ${statuses(answers)}${asked}${bodyOf(answers, 403)}`,
      advice:
        (challenge !== undefined && !/^bearer\b/i.test(challenge)
          ? 'A gateway in front of the store may ask for that: use an address behind it, or let it pass on the API key. '
          : '') +
        (answers.some(({ response }) => response?.status === 403)
          ? 'A gateway in front of the store answers 403 if it needs a header: add it with --header NAME=VALUE, or STORE_HEADERS if it is secret. '
          : '') +
        'Check STORE_API_KEY (for staging STORE_STAGING_API_KEY, or --api-key-file): is it for this store, and still valid?',
    }
  }
  if (answers.every(isDown)) {
    return {
      cause: `the store behind ${baseUrl} is down or not ready, as a gateway says: ${statuses(answers)}`,
      advice: 'Wait until the store answers, or start it, and run again.',
    }
  }
  return answers.every(isNoStore) || isUnknownPath(answers) ? noStore(answers, baseUrl) : undefined
}

/** Whether a gateway reports that the store does not answer, in any media type. */
const isDown = ({ response, problem }: Exchange): boolean =>
  response ? [502, 503, 504].includes(response.status) : problem?.kind === 'busy'

const statuses = (answers: readonly Exchange[]): string =>
  answers
    .map(
      ({ request, response }) =>
        `${request.method} ${new URL(request.url).pathname} ${response ? `answers ${response.status}` : 'has no answer'}`,
    )
    .join(', ')

/** Characters of a response that are quoted. */
const QUOTED = 200

/** The body of the first answer with this status: a gateway says there what it needs. */
function bodyOf(answers: readonly Exchange[], status: number): string {
  const body = answers.find(({ response }) => response?.status === status)?.response?.body.trim() ?? ''
  const text = body
    .replaceAll(/<style.*?<\/style>|<[^>]*>/gis, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text === '' ? '' : `: ${quoted(text)}`
}

const quoted = (text: string): string => (text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text)

/** What a server asks for beside a 401. The plain name of the scheme that the document states says nothing. */
function challengeIn(answers: readonly Exchange[]): string | undefined {
  const challenges = answers.flatMap(({ response }) =>
    response?.status === 401 ? [header(response, 'www-authenticate')?.trim()] : [],
  )
  return challenges.find(each => each !== undefined && !/^(bearer)?$/i.test(each))
}

function fromProblem(problem: Problem, baseUrl: string, proxy: ProxyInUse | undefined): Unreachable {
  if (problem.kind === 'tls') {
    return {
      cause: `${baseUrl} cannot be trusted: ${problem.message}`,
      advice: certificateAdvice(problem.message),
    }
  }
  if (problem.kind === 'no-tls') {
    return {
      cause: `${baseUrl} cannot be reached: ${problem.message}`,
      advice: `Use ${baseUrl.replace(/^https:/, 'http:')} if the store has no TLS.`,
    }
  }
  if (problem.kind === 'busy') {
    return {
      cause: `${baseUrl} cannot be judged now: ${problem.message}`,
      advice: 'Wait, and run again; a lower --concurrency sends fewer requests at once.',
    }
  }
  if (problem.kind === 'malformed') {
    return {
      cause: `${baseUrl} cannot be judged: ${problem.message}`,
      advice:
        'Something answers there. Check that host, port and scheme are those of the store, and what the store, or a server in front of it, sends.',
    }
  }
  const advice = proxy
    ? `Check the proxy ${shownProxy(proxy)}, and that it reaches the store. NO_PROXY=${new URL(baseUrl).hostname} bypasses it.`
    : problem.kind === 'dns'
      ? 'Check the host name, and whether this machine needs HTTPS_PROXY.'
      : problem.kind === 'timeout'
        ? 'Check that the store is running and can be reached from here. A higher --timeout waits longer.'
        : 'Check that the store is running, and that host, port and scheme are right.'
  return { cause: `${baseUrl} cannot be reached: ${problem.message}`, advice }
}

/** @param why contains the code of the TLS library */
function certificateAdvice(why: string): string {
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(why))
    return 'The certificate is for other names: use one of them in the address, or give the store a certificate for this one.'
  if (/EXPIRED/.test(why)) return 'The certificate has expired: renew it.'
  return 'Check the certificate and the scheme of the address. For a private authority, name its certificate in NODE_EXTRA_CA_CERTS.'
}

/** Not found, or a resource that cannot be read: `{base_url}/store/orders/inventory` is the path of an order. */
const isMissing = ({ status }: RecordedResponse): boolean => [404, 405, 410, 501].includes(status)

/** One path is not found, and the other contains something that the server cannot read as an id. */
const isUnknownPath = (answers: readonly Exchange[]): boolean =>
  answers.some(({ response }) => response && isMissing(response)) &&
  answers.every(({ response }) => response && (isMissing(response) || [400, 422].includes(response.status)))

/** The address up to its version prefix, which a base URL often lacks. Undefined if it ends with one. */
function likelierAddress(baseUrl: string): string | undefined {
  const { origin, pathname } = new URL(baseUrl)
  const path = pathname.replace(/\/+$/, '')
  const likelier = /^.*?\/v[0-9]+(?=\/|$)/.exec(path)?.[0] ?? `${path}/v1`
  return likelier === path ? undefined : origin + likelier
}

/** A redirect, a web page, a gateway without a store behind it: an answer that no implementation of the interface gives to all of its GET requests. */
function isNoStore({ response }: Exchange): boolean {
  if (!response) return true
  if (response.status === 401 || response.status === 403 || response.status === 500) return false
  // Where no resource is, the address is wrong.
  if (isMissing(response)) return true
  if (response.status >= 300 && response.status < 400) return true
  if (response.status === 502 || response.status === 504) return true
  return mediaType(response) !== 'application/json' && readJson(response) instanceof JsonSyntaxError
}

function noStore(answers: readonly Exchange[], baseUrl: string): Unreachable {
  const response = answers.find(answer => answer.response)?.response
  const location = response && header(response, 'location')
  const what = location
    ? `it redirects to ${location}`
    : `${statuses(answers)}, as ${(response && mediaType(response)) ?? 'an unnamed type'}`
  const likelier = likelierAddress(baseUrl)
  return {
    cause: `there is no store at ${baseUrl}: ${what}`,
    advice: `Check the address: it ends with the version prefix, as in https://store.example/v1, and redirects are not followed.${likelier ? ` Is it ${likelier}?` : ''}`,
  }
}
