import { expect, it } from 'vitest'
import { problemOf, UndecodableBody } from './problems.ts'

const coded = (code: string, message = 'it went wrong', name = 'Error') =>
  Object.assign(new Error(message), { code, name })

const round = new Error('round')
round.cause = round

it.each([
  ['timeout', coded('UND_ERR_BODY_TIMEOUT')],
  ['timeout', coded('ETIMEDOUT')],
  ['refused', coded('ECONNREFUSED')],
  ['dns', coded('ENOTFOUND')],
  ['tls', coded('DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['tls', coded('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE')],
  ['no-tls', coded('ERR_SSL_WRONG_VERSION_NUMBER')],
  ['no-tls', coded('ERR_SSL_PACKET_LENGTH_TOO_LONG')],
  ['dropped', coded('UND_ERR_SOCKET')],
  ['malformed', coded('HPE_INVALID_CONSTANT')],
  ['malformed', Object.assign(new Error('no HTTP'), { name: 'HTTPParserError' })],
  ['malformed', new UndecodableBody('no gzip')],
  ['dropped', new Error('never heard of it')],
  ['dropped', 'not even an error'],
  ['dropped', round],
])('%s: %s', (kind, error) => {
  expect(problemOf(error, 500)).toEqual({ kind, message: expect.stringMatching(/./) })
})

it.each([
  ['a cause of a cause', new Error('a', { cause: new Error('b', { cause: coded('ECONNREFUSED') }) })],
  ['the first of several addresses', new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')], '')],
])('%s is found', (_title, error) => {
  expect(problemOf(error, 500)).toEqual({
    kind: 'refused',
    message: 'no connection could be made (ECONNREFUSED: it went wrong)',
  })
})

it('shows the code of an OpenSSL error and not its message', () => {
  const inner = '80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:record.c:350:\n'
  expect(problemOf(coded('ERR_SSL_WRONG_VERSION_NUMBER', inner), 1).message).toBe(
    'the port speaks plain HTTP, or another protocol without TLS (ERR_SSL_WRONG_VERSION_NUMBER)',
  )
  expect(problemOf(coded('EPROTO', inner), 1).message).toBe('the TLS connection could not be made (EPROTO)')
})
