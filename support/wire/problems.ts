const words = {
  timeout: 'no answer in time',
  refused: 'no connection could be made',
  dns: 'the host name has no address',
  tls: 'the TLS connection could not be made',
  'no-tls': 'the port speaks plain HTTP, or another protocol without TLS',
  dropped: 'the connection was closed before the response was complete',
  /** The bytes are not HTTP, or the content coding cannot be undone. */
  malformed: 'the response is not well-formed HTTP',
  'too-large': 'the response is larger than 64 MiB',
  aborted: 'the run was stopped',
  busy: 'the store kept asking to retry later',
} as const

export type ProblemKind = keyof typeof words

/** Why there is no response. The network is not the store, so this is never a violation by itself. */
export class NoResponse extends Error {
  readonly kind: ProblemKind

  constructor(kind: ProblemKind, message: string = words[kind]) {
    super(message)
    this.kind = kind
  }
}

export type WireProblem = Pick<NoResponse, 'kind' | 'message'>

export const malformed = (flaw: string) => new NoResponse('malformed', `${words.malformed}: ${flaw}`)

/** The codes of each kind of problem. The first that matches counts. */
const codes: readonly (readonly [ProblemKind, RegExp])[] = [
  ['timeout', /^ETIMEDOUT$/],
  ['dns', /^(ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA)$/],
  ['refused', /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EINVAL|EMFILE|ENFILE)$/],
  // Of OpenSSL for an answer that is not TLS. Its version decides which of them it uses.
  ['no-tls', /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/],
  // Those of its certificate verification have no common prefix. One of these words is in each.
  ['tls', /CERT|SIGNATURE|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO|CRL|HOSTNAME_MISMATCH/],
  // Of Node's parser, for the answer of a proxy.
  ['malformed', /^HPE_/],
]

/** Classifies an error of a socket, or of a store in this process. */
export function problemOf(error: unknown, signal?: AbortSignal): WireProblem {
  if (signal?.aborted) return { kind: 'aborted', message: words.aborted }
  if (error instanceof NoResponse) return { kind: error.kind, message: error.message }
  const cause = rootOf(error)
  const { code = '' } = cause
  const [kind = 'dropped'] = codes.find(([, pattern]) => pattern.test(code)) ?? []
  // OpenSSL's own messages are addresses and lines of its source, so only the code is shown.
  const inner = /^(ERR_SSL_|EPROTO)/.test(code) ? '' : cause.message
  const details = inner === `read ${code}` ? [code] : [code, inner]
  return { kind, message: `${words[kind]} (${details.filter(Boolean).join(': ')})` }
}

/** The innermost cause, because fetch wraps it. Of several addresses, the first whose time was not merely over. */
function rootOf(error: unknown, depth = 6): { readonly code?: string; readonly message: string } {
  if (!(error instanceof Error)) return { message: String(error) }
  const attempts: NodeJS.ErrnoException[] = error instanceof AggregateError ? error.errors : []
  const cause = attempts.find(({ code }) => code !== 'ETIMEDOUT') ?? attempts[0] ?? error.cause
  return cause instanceof Error && depth > 0 ? rootOf(cause, depth - 1) : error
}

/**
 * Waits for a task even if the task does not know of the limit.
 * @throws {NoResponse} if it takes more than `ms` milliseconds @throws the reason of `stopped` if that is aborted
 */
export function within<Result>(
  ms: number,
  task: Result | Promise<Result>,
  stopped?: AbortSignal,
): Promise<Result> {
  let end = () => {}
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new NoResponse('timeout', `no answer within ${ms} ms`)), ms)
    const stop = () => reject(stopped?.reason)
    stopped?.addEventListener('abort', stop)
    end = () => {
      clearTimeout(timer)
      stopped?.removeEventListener('abort', stop)
    }
    if (stopped?.aborted) stop()
  })
  return Promise.race([task, late]).finally(end)
}
