import { headersOf, statusesOf } from './answer.ts'
import type { Check, Exchange } from './log.ts'

/** What HTTP's own standards ask for, or plain sense, where the document is silent. Each is advice for itself. */
export function adviceChecks(exchange: Exchange): readonly Check[] {
  const { response, ask, echo, request } = exchange
  if (!response) return []
  const { status } = response
  const checks: Check[] = []
  const advise = (about: string, expected: string, got: string | false | undefined) => {
    const problem = got ? { expected, got, shown: [exchange] } : undefined
    checks.push({ exchange, aspect: 'advice', about, problem })
  }
  const header = (name: string) => headersOf(response, name).join(', ')
  advise('echo', 'a response without the key', echo && 'a response that contains the key')
  if (ask.advised && (statusesOf(ask).allows(status) || ask.declined?.includes(status)))
    advise('status', ask.advised.join(' or '), !ask.advised.includes(status) && String(status))
  if (ask.advised?.includes(405) && status === 405)
    advise('status', '405 with Allow', headersOf(response, 'allow').length === 0 && '405 without it')
  if (status === 401) {
    const challenges = header('www-authenticate')
    const isBearer = /(^|[\s,])bearer\b/i.test(challenges)
    advise('challenge', 'WWW-Authenticate: Bearer', !isBearer && (challenges || 'no such header'))
  }
  if (status >= 400) {
    const trace = TRACE.exec(response.body.replaceAll('\\n', '\n'))?.[0].trim()
    const got = trace && `one with ${JSON.stringify(trace.slice(0, 80))}`
    advise('trace', 'an error without a stack trace', got)
  }
  const length = header('content-length') && `Content-Length: ${header('content-length')}`
  const transfer = header('transfer-encoding') && `Transfer-Encoding: ${header('transfer-encoding')}`
  const isFramedTwice = length && (transfer || length.includes(','))
  if (status === 204) advise('transfer', '204 without Transfer-Encoding', transfer)
  else {
    const got = isFramedTwice && [length, transfer].filter(Boolean).join(' and ')
    advise('framing', 'one header that says where the body ends', got)
  }
  const codings = header('content-encoding')
  const accepted = headersOf(request, 'accept-encoding').join(', ')
  const isOther = codings.split(',').some(each => !isAccepted(each.trim().toLowerCase(), accepted))
  const named = `a coding that the request names (Accept-Encoding: ${accepted || 'absent'})`
  advise('coding', named, isOther && `Content-Encoding: ${codings}`)
  return checks
}

/** RFC 9110 §12.5.3. Without the header, any coding is acceptable. `x-gzip` is gzip (§8.4.1.3). */
function isAccepted(coding: string, accepted: string): boolean {
  if (accepted === '' || coding === '' || coding === 'identity') return true
  const named = accepted.split(',').map(each => each.replaceAll(' ', '').toLowerCase())
  const [own = '*;q=0'] = [coding.replace(/^x-/, ''), '*'].flatMap(name =>
    named.filter(each => each.split(';')[0] === name),
  )
  return !/;q=0(\.0*)?$/.test(own)
}

const TRACE =
  /Traceback \(most recent call last\)|^\s+at .+:\d+:\d+\)?$|\bat [\w.$]+\([\w.]+\.(java|kt|scala):\d+\)|File ".+", line \d+|goroutine \d+ \[|\.go:\d+ \+0x/m
