import { describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'
import type { Intercept } from './testing/store.ts'

const { run, plain } = bench()

/** Runs restore with an undo file by which pet 1 had a stock of 3. */
const restoring = async (env: Record<string, string> = {}, intercept: Intercept = () => false) => {
  const store = await plain({ intercept })
  const undo = {
    format: 'store-conformance-undo/1',
    baseUrl: store.baseUrl,
    pets: [{ petId: '1', quantity: '3' }],
  }
  const ended = await run(['restore', '--out', '.'], {
    env: { ...store.env, ...env },
    files: { 'undo.json': JSON.stringify(undo) },
  })
  return { ...ended, store }
}

describe.concurrent('restore', () => {
  it('restores the stock: 0', async () => {
    const { code, stdout, store, has } = await restoring()
    expect([code, stdout]).toEqual([0, 'Restored, and checked in the list: pet 1 from 7 to 3.\n'])
    expect(store.stock.get('1')).toBe(3)
    expect(has('undo.json')).toBe(false)
  })

  it('a store that adds: one update, then a second restore sends none and says what to do by hand', async () => {
    const { code, stderr, store, folder } = await restoring({}, ({ method }, response, { stock }) => {
      if (method !== 'PATCH') return false
      stock.set('1', 10)
      response.writeHead(200).end()
      return true
    })
    const byHand = /Set it to 3 in the store itself, then run store-conformance restore, which compares it\n$/
    expect([code, stderr]).toEqual([1, expect.stringMatching(byHand)])
    const { env } = store
    const again = await run(['restore', '--out', '.'], { env, folder })
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(byHand)])
    expect(store.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
    store.stock.set('1', 3)
    const last = await run(['restore', '--out', '.'], { env, folder })
    expect([last.code, last.has('undo.json')]).toEqual([0, false])
  })

  it('read-only: 2, and nothing is sent', async () => {
    const { code, stderr, store, has } = await restoring({ STORE_READ_ONLY: 'true' })
    expect([code, store.requests, has('undo.json')]).toEqual([2, [], true])
    expect(stderr).toMatch(/^STORE_READ_ONLY: restoring stock sends updates.*Nothing was sent\.\n$/)
  })

  it('a store that refuses the key: 4, with advice, and undo.json stays', async () => {
    const { code, stderr, store, has } = await restoring({ STORE_API_KEY: 'another-key-1' })
    expect(code).toBe(4)
    expect(stderr).toMatch(/^Nothing was restored: .* refuses the API key: .*Check STORE_API_KEY/)
    expect(store.requests.map(({ method }) => method)).toEqual(['GET', 'GET'])
    expect(has('undo.json')).toBe(true)
  })
})
