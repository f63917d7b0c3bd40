import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import { certificateAdvice } from '../../access/preflight.ts'
import { type Environment, proxyFor, shownProxy } from '../../http/proxy.ts'
import { within } from '../../http/within.ts'
import { type Finding, note, ok, UNREACHABLE, wrong } from './finding.ts'

const SOON_DAYS = 21

/** Checks host name, port and certificate of the store, in this order, up to the first that fails. */
export async function networkFindings(
  baseUrl: string,
  timeoutMs: number,
  env: Environment,
): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(baseUrl)
  const secure = protocol === 'https:'
  const proxy = proxyFor(baseUrl, env)
  if (proxy) {
    return [
      note(
        'connection',
        `goes through the proxy ${shownProxy(proxy)}; host name and certificate of the store are not checked here`,
      ),
    ]
  }
  const host = hostname.replace(/^\[|\]$/g, '')
  const name = await nameFinding(host, timeoutMs)
  if (name.mark === 'wrong') return [name]
  const at = { host, port: Number(port || (secure ? 443 : 80)) }
  const connection = await connectionFinding(at, timeoutMs)
  if (connection.mark === 'wrong') return [name, connection]
  return secure ? [name, connection, await certificateFinding(at, timeoutMs)] : [name, connection]
}

async function nameFinding(host: string, timeoutMs: number): Promise<Finding> {
  if (isIP(host)) return ok('name', `${host} is an address`)
  try {
    const found = await within(timeoutMs, lookup(host, { all: true }))
    return ok('name', `${host} is ${found.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    return wrong(
      'name',
      `${host} has no address (${codeOf(error)})`,
      'Check the host name, and whether this machine needs HTTPS_PROXY.',
      UNREACHABLE,
    )
  }
}

interface At {
  readonly host: string
  readonly port: number
}

async function connectionFinding(at: At, timeoutMs: number): Promise<Finding> {
  const started = performance.now()
  const socket = connect(at)
  try {
    await opened(socket, 'connect', timeoutMs)
    return ok('connection', `port ${at.port} answers after ${Math.round(performance.now() - started)} ms`)
  } catch (error) {
    return wrong(
      'connection',
      `port ${at.port} does not answer (${codeOf(error)})`,
      'Is the store running, and are host, port and scheme right?',
      UNREACHABLE,
    )
  } finally {
    socket.destroy()
  }
}

async function certificateFinding({ host, port }: At, timeoutMs: number): Promise<Finding> {
  // An untrusted certificate is accepted here to report why it is untrusted. Nothing is sent over this connection.
  const socket = connectSecurely({
    host,
    port,
    rejectUnauthorized: false,
    ...(isIP(host) ? {} : { servername: host }),
  })
  try {
    await opened(socket, 'secureConnect', timeoutMs)
    return certificateOf(socket)
  } catch (error) {
    return wrong(
      'certificate',
      `no TLS connection can be made (${codeOf(error)})`,
      'Is the scheme right? A store without TLS is at an http:// address.',
      UNREACHABLE,
    )
  } finally {
    socket.destroy()
  }
}

function certificateOf(socket: TLSSocket): Finding {
  const { issuer, valid_to } = socket.getPeerCertificate()
  const by = [issuer?.O ?? issuer?.CN ?? 'an unnamed authority'].flat().join(', ')
  const says = `${socket.getProtocol()}, issued by ${by}, valid until ${valid_to}`
  if (!socket.authorized) {
    return wrong(
      'certificate',
      `cannot be trusted: ${String(socket.authorizationError ?? 'unknown reason')} (${says})`,
      certificateAdvice(String(socket.authorizationError)),
      UNREACHABLE,
    )
  }
  const days = Math.floor((Date.parse(valid_to) - Date.now()) / 86_400_000)
  return days < SOON_DAYS ? note('certificate', `${says}: ${days} days from now`) : ok('certificate', says)
}

const opened = (socket: Socket, event: 'connect' | 'secureConnect', timeoutMs: number): Promise<void> =>
  within(
    timeoutMs,
    new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.once(event, resolve)
    }),
  )

function codeOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return (first as NodeJS.ErrnoException).code ?? (first instanceof Error ? first.message : String(first))
}
