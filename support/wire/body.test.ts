import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { receiveBody, WHOLE_BODY } from './body.ts'
import { ResponseTooLarge } from './problems.ts'

/** Of a body that is not answered 200. */
const LIMIT = 16 * 1024 * 1024
/** The bytes in chunks of this size. */
const chunksOf = async function* (bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const decode = async (bytes: Uint8Array, coding?: string) => {
  const headers = coding === undefined ? [] : [['Content-Encoding', coding] as const]
  if (bytes.length < 1000)
    await receiveBody(chunksOf(bytes, 1), { status: 200, headers }).catch(() => undefined)
  return receiveBody(chunksOf(bytes, 64 * 1024), { status: 404, headers })
}
const text = Buffer.from('[{"id":9007199254740993,"note":"ä€😀"}]')

describe('content codings', () => {
  it.each([
    ['none', text, undefined],
    ['identity', text, 'identity'],
    ['gzip', gzipSync(text), 'gzip'],
    ['deflate with a zlib wrapper', deflateSync(text), 'deflate'],
    ['deflate without', deflateRawSync(text), 'deflate'],
    ['br', brotliCompressSync(text), 'br'],
    ['two, the last undone first', gzipSync(brotliCompressSync(text)), 'br, gzip'],
    ['any coding of an empty body', Buffer.alloc(0), 'gzip'],
    ['a charset in place of a coding', text, 'UTF-8'],
    ['a name that every object has', text, 'constructor'],
    ['an unknown one, applied before gzip', gzipSync(text), 'aws-chunked, gzip'],
    ['an unknown one, applied after gzip', gzipSync(text), 'gzip, UTF-8'],
  ])('%s', async (_title, bytes, coding) => {
    expect(await decode(bytes, coding)).toEqual({ body: bytes.length === 0 ? '' : text.toString() })
  })

  it.each([
    ['gzip that was not applied', text, 'gzip', 'is not gzip'],
    ['cut short', gzipSync(text).subarray(0, 20), 'gzip', 'is not gzip'],
  ])('%s: undecodable', async (_title, bytes, coding, message) => {
    await expect(decode(bytes, coding)).rejects.toMatchObject({
      name: 'UndecodableBody',
      message: expect.stringContaining(message),
    })
  })

  const bomb = Buffer.alloc(LIMIT + 1)

  it.each([
    ['gzip', gzipSync(bomb), 'gzip'],
    ['br', brotliCompressSync(bomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), 'br'],
    ['gzip in gzip', gzipSync(gzipSync(bomb)), 'gzip, gzip'],
  ])('%s: is decoded up to the limit only', async (_title, bytes, coding) => {
    expect(bytes.length).toBeLessThan(LIMIT)
    await expect(decode(bytes, coding)).rejects.toBeInstanceOf(ResponseTooLarge)
  })

  it('a body of exactly the limit is accepted', async () => {
    expect(await decode(gzipSync(Buffer.alloc(LIMIT, 'x')), 'gzip')).toMatchObject({ wholeLength: LIMIT })
  })
})

describe('a large body', () => {
  const receive = (body: string) =>
    receiveBody(chunksOf(Buffer.from(body), 10_000), { status: 200, headers: [] })

  it('is one text up to a size, and beyond it a beginning and parts', async () => {
    const whole = JSON.stringify('x'.repeat(WHOLE_BODY - 2))
    expect(await receive(whole)).toEqual({ body: whole })
    const orders = `[${Array.from({ length: 40_000 }, (_, id) => `{"id":${id}}`).join(',')}]`
    const { body, wholeLength, parts = [] } = await receive(orders)
    expect([body.length < WHOLE_BODY, body.endsWith('…'), wholeLength]).toEqual([true, true, orders.length])
    expect(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()).toBe(orders)
  })

  it('is cut between characters', async () => {
    expect((await receive(JSON.stringify('€'.repeat(WHOLE_BODY)))).body).toMatch(/^"€+…$/)
  })
})

it.each([
  ['Latin-1', Buffer.from([0x22, 0xe4, 0x22]), '"\ufffd"', 'IuQi'],
  ['a cut character', Buffer.from([0xe2, 0x82]), '\ufffd', '4oI='],
  ['a byte order mark', Buffer.from('\ufeff[]'), '\ufeff[]', undefined],
])('%s stays visible, with the bytes if it is not UTF-8', async (_title, bytes, body, bodyBase64) => {
  expect(await decode(bytes)).toEqual({ body, bodyBase64 })
})
