import type { Problem, ProblemKind } from './exchange.ts'
import { ProxyFailed } from './tunnel.ts'
import { NoAnswer } from './within.ts'

const MIB = 1024 * 1024

export class ResponseTooLarge extends Error {
  constructor(limit: number, what = 'the response is') {
    super(`${what} larger than ${limit < MIB ? `${limit} bytes` : `${Math.round(limit / MIB)} MiB`}`)
    this.name = 'ResponseTooLarge'
  }
}

export class UndecodableBody extends Error {
  override name = 'UndecodableBody'
}

/** The codes of each kind of problem. The first that matches counts. */
const codes: readonly (readonly [ProblemKind, RegExp])[] = [
  ['timeout', /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/],
  ['dns', /^(ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA)$/],
  ['refused', /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EINVAL|EMFILE|ENFILE)$/],
  // Of OpenSSL for an answer that is not TLS. Its version decides which of them it uses.
  ['no-tls', /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/],
  // Those of its certificate verification have no common prefix. One of these words is in each.
  ['tls', /CERT|SIGNATURE|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO|CRL|HOSTNAME_MISMATCH/],
  ['malformed', /^HPE_|^UND_ERR_HEADERS_OVERFLOW$/],
]

/** Classifies an error of the HTTP client. None of these is a violation, because the network is not the store. */
export function problemOf(error: unknown, timeoutMs: number, signal?: AbortSignal): Problem {
  if (signal?.aborted) return { kind: 'aborted', message: 'the run was stopped' }
  if (error instanceof ProxyFailed) return { kind: error.kind, message: error.message }
  const { code, message, isUnparsable } = rootOf(error)
  const kind = kindOf(error, code, isUnparsable)
  return {
    kind,
    message: kind === 'timeout' ? `no answer within ${timeoutMs} ms` : describe(kind, code, message),
  }
}

function kindOf(error: unknown, code: string, isUnparsable: boolean): ProblemKind {
  if (error instanceof ResponseTooLarge) return 'too-large'
  if (error instanceof UndecodableBody) return 'malformed'
  if (error instanceof NoAnswer) return 'timeout'
  const [kind] = codes.find(([, pattern]) => pattern.test(code)) ?? []
  return kind ?? (isUnparsable ? 'malformed' : 'dropped')
}

const words: Readonly<Record<ProblemKind, string>> = {
  timeout: 'no answer in time',
  refused: 'no connection could be made',
  dns: 'the host name has no address',
  tls: 'the TLS connection could not be made',
  'no-tls': 'the port speaks plain HTTP, or another protocol without TLS',
  dropped: 'the connection ended before the response did',
  malformed: 'the response is not well-formed HTTP',
  'too-large': 'the response is too large',
  aborted: 'the run was stopped',
  busy: 'the store kept asking to retry later',
}

function describe(kind: ProblemKind, code: string, message: string): string {
  // OpenSSL's own messages are addresses and lines of its source, so only the code is shown.
  const inner =
    code.startsWith('ERR_SSL_') || code === 'EPROTO'
      ? ''
      : message.replace(/^Response does not match the HTTP\/1\.1 protocol \((.*)\)$/, '$1')
  const detail = [code, inner, hintFor(code)].filter(each => each !== '').join(': ')
  return detail === '' ? words[kind] : `${words[kind]} (${detail})`
}

/** What the user can do about an error of the system. */
export const hintFor = (code: string | undefined): string =>
  code === 'EMFILE' || code === 'ENFILE' ? 'too many open files; raise the limit with ulimit -n' : ''

/** Whether a limit of the system prevented something. */
export const isLimit = (error: unknown): boolean =>
  hintFor((error as NodeJS.ErrnoException | undefined)?.code) !== ''

/** The code of an error of the system, with what the user can do about it. */
export function reasonOf(error: unknown): string {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException
  return [code, hintFor(code)].filter(Boolean).join(': ')
}

/** The innermost cause that carries a code: undici, AggregateError and fetch all wrap. */
function rootOf(error: unknown): { code: string; message: string; isUnparsable: boolean } {
  let current = error
  let found = { code: '', message: error instanceof Error ? error.message : String(error) }
  let isUnparsable = false
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    const { code, name } = current as NodeJS.ErrnoException
    // undici's parser names its errors, but does not always give them a code.
    if (name === 'HTTPParserError') isUnparsable = true
    if (typeof code === 'string') found = { code, message: current.message }
    current = current instanceof AggregateError ? current.errors[0] : current.cause
  }
  return { ...found, isUnparsable }
}
