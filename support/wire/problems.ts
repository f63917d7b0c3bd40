import { readFileSync, statSync } from 'node:fs'

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
]

/** Classifies an error of a socket, or of a store in this process. */
export function problemOf(error: unknown, signal?: AbortSignal): WireProblem {
  if (signal?.aborted) return { kind: 'aborted', message: words.aborted }
  if (error instanceof NoResponse) return { kind: error.kind, message: error.message }
  // fetch wraps the error. Of several addresses, the first counts whose time was not merely over.
  const all: unknown[] = error instanceof AggregateError ? error.errors : [Object(error).cause ?? error]
  const root = all.find(each => codeOf(each) !== 'ETIMEDOUT') ?? all[0]
  const { code = '', message }: NodeJS.ErrnoException = root instanceof Error ? root : new Error(String(root))
  const [kind = 'dropped'] = codes.find(([, pattern]) => pattern.test(code)) ?? []
  // OpenSSL's own messages are addresses and lines of its source.
  const said = /^(ERR_SSL_|EPROTO)/.test(code) ? code : message
  return { kind, message: `${words[kind]} (${said.includes(code) ? said : `${code}: ${said}`})` }
}

/**
 * Waits for a task even if the task does not know of the limit.
 * @throws {NoResponse} if it takes more than `ms` milliseconds @throws the reason of `stopped` if that is aborted
 */
export function within<Result>(ms: number, task: Promise<Result>, stopped?: AbortSignal): Promise<Result> {
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

/** Why a file cannot be used, as the rest of a sentence about it. Its cause is the error of the file system. */
export class Unreadable extends Error {}

export const KILOBYTE = 1_000
export const MEGABYTE = 1_000_000

/** The code of an error of the system. */
export const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException | undefined)?.code ?? String(error)

/**
 * Reads a file that the user names: a regular file of at most `limit` bytes.
 * @throws {Unreadable} at once for a FIFO or a device: reading it would wait for another program
 */
export function readInput(path: string, limit: number): Buffer {
  try {
    const about = statSync(path)
    if (!about.isFile()) throw new Unreadable('is not a regular file')
    if (about.size > limit) throw new Unreadable(`has more than ${limit / KILOBYTE} kB`)
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(`cannot be read (${codeOf(error)})`, { cause: error })
  }
}
