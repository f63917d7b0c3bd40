import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ACCEPT_ENCODING, codingsOf, receiveBody, unknownCodings } from './body.ts'

const LIMIT = 64 * 1024 * 1024
const text = '[{"id":9007199254740993,"note":"ä€😀"}]'
const bytes = Buffer.from(text)

/** The bytes one by one, or in large pieces. */
async function* piecesOf(whole: Uint8Array) {
  const size = whole.length < 1_000 ? 1 : 64 * 1024
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
}
const headed = (coding?: string) => ({
  headers: coding === undefined ? [] : [['Content-Encoding', coding] as const],
})
const receive = (whole: Uint8Array, coding?: string) => receiveBody(piecesOf(whole), headed(coding))

describe('content codings', () => {
  it.each([
    ['none', bytes, undefined],
    ['identity', bytes, 'identity'],
    ['gzip', gzipSync(bytes), 'gzip'],
    ['gzip by its old name, in upper case', gzipSync(bytes), 'X-GZIP'],
    ['deflate with a zlib wrapper', deflateSync(bytes), 'deflate'],
    ['deflate without', deflateRawSync(bytes), 'deflate'],
    ['br', brotliCompressSync(bytes), 'br'],
    ['two, the last undone first', gzipSync(brotliCompressSync(bytes)), 'br, gzip'],
    ['a charset in place of a coding', bytes, 'UTF-8'],
    ['a name that every object has', bytes, 'constructor'],
    ['an unknown one, applied before gzip', gzipSync(bytes), 'aws-chunked, gzip'],
    ['an unknown one, applied after gzip', gzipSync(bytes), 'gzip, UTF-8'],
  ])('%s', async (_title, whole, coding) => {
    expect(await receive(whole, coding)).toEqual({ body: text })
  })

  it('of an empty body', async () => expect(await receive(Buffer.alloc(0), 'gzip')).toEqual({ body: '' }))

  it('those that the client asks for are known', () =>
    expect(unknownCodings(headed(ACCEPT_ENCODING))).toEqual([]))

  it('several headers are one list', () => {
    const response = {
      headers: [
        ['content-encoding', 'GZIP'],
        ['Content-Encoding', 'identity , UTF-8'],
      ],
    } as const
    expect(codingsOf(response)).toEqual(['gzip', 'utf-8'])
    expect(unknownCodings(response)).toEqual(['utf-8'])
  })

  it.each([
    ['gzip that was not applied', bytes, 'gzip'],
    ['gzip that was cut', gzipSync(bytes).subarray(0, 20), 'gzip'],
    ['gzip with a byte changed', Buffer.from(gzipSync(bytes)).fill(0, 30, 31), 'gzip'],
    ['deflate that was not applied', bytes, 'deflate'],
    ['br that was not applied', bytes, 'br'],
    ['br that was cut', brotliCompressSync(bytes).subarray(0, 20), 'br'],
  ])('%s: malformed', async (_title, whole, coding) => {
    const message = `its body is not ${coding}, as its Content-Encoding says`
    await expect(receive(whole, coding)).rejects.toMatchObject({ kind: 'malformed', message })
  })

  const bomb = Buffer.alloc(LIMIT + 1, ' ')
  it.each([
    ['no coding', bomb, undefined],
    ['gzip', gzipSync(bomb), 'gzip'],
    ['br', brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), 'br'],
    ['gzip in gzip', gzipSync(gzipSync(bomb)), 'gzip, gzip'],
  ])('%s: is received up to the limit only', async (_title, whole, coding) => {
    await expect(receive(whole, coding)).rejects.toMatchObject({ kind: 'too-large' })
  })

  it('a body of exactly the limit is accepted', async () => {
    expect((await receive(gzipSync(bomb.subarray(1)), 'gzip')).body.length).toBe(LIMIT)
  })
})

it.each([
  ['Latin-1', Buffer.from([0x22, 0xe4, 0x22]), '"\ufffd"', 'IuQi'],
  ['a cut character', Buffer.from([0xe2, 0x82]), '\ufffd', '4oI='],
  ['a byte order mark', Buffer.from('\ufeff[]'), '\ufeff[]', undefined],
])('%s stays visible, with the bytes if it is not UTF-8', async (_title, whole, body, bodyBase64) => {
  expect(await receive(whole)).toEqual({ body, bodyBase64 })
})
