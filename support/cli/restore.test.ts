import { describe, expect, it } from 'vitest'
import { bench } from './testing/bench.ts'
import type { Intercept } from './testing/store.ts'

const { run, plain } = bench()

/** Pet 1 is to have 3 again. */
const restoring = async (given: { key?: string; intercept?: Intercept } = {}) => {
  const store = await plain(given.intercept ? { intercept: given.intercept } : {})
  const undo = {
    format: 'store-conformance-undo/1',
    baseUrl: store.baseUrl,
    pets: [{ petId: '1', quantity: '3' }],
  }
  const ended = await run(['restore', '--out', '.'], {
    env: { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: given.key ?? store.key },
    files: { 'undo.json': JSON.stringify(undo) },
  })
  return { ...ended, store }
}

describe.concurrent('restore', () => {
  it('puts back: 0', async () => {
    const { code, stdout, store, has } = await restoring()
    expect([code, stdout]).toEqual([0, 'Put back, and checked in the list: pet 1 to 3.\n'])
    expect(store.stock.get('1')).toBe(3)
    expect(has('undo.json')).toBe(false)
  })

  it('a store that does not take it back: 1, and it stays to be put back', async () => {
    const { code, stderr, has } = await restoring({
      intercept({ method }, response) {
        if (method !== 'PATCH') return false
        response.writeHead(500).end()
        return true
      },
    })
    expect(code).toBe(1)
    expect(stderr).toBe('the stock of pet 1 was 3 and is 7 now; it could not be put back\n')
    expect(has('undo.json')).toBe(true)
  })

  it('a key that is refused: 4, with what to do, and it stays to be put back', async () => {
    const { code, stderr, store, has } = await restoring({ key: 'another-key-1' })
    expect(code).toBe(4)
    expect(stderr).toMatch(/^Nothing was put back: .* refuses the API key: .*Check STORE_API_KEY/)
    expect(store.requests.map(({ method }) => method)).toEqual(['GET', 'GET'])
    expect(has('undo.json')).toBe(true)
  })
})
