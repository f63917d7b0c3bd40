import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { bench } from './testing/bench.ts'
import type { Intercept } from './testing/store.ts'

const { run, plain } = bench()

/** A folder in which a run on this store left the stock of pet 1 changed. */
const leftBy = ({ baseUrl }: { readonly baseUrl: string }, name = 'reports/undo.json') => {
  const pets = [{ petId: '1', quantity: '3' }]
  return { [name]: JSON.stringify({ format: 'store-conformance-undo/1', baseUrl, pets }) }
}

/** Runs restore after a run by which pet 1 had a stock of 3. */
const restoring = async (env: Record<string, string> = {}, intercept: Intercept = () => false) => {
  const store = await plain({ intercept })
  return { ...(await run(['restore'], { env: { ...store.env, ...env }, files: leftBy(store) })), store }
}

describe.concurrent('restore', () => {
  it.each(['STORE_API_KEY', 'STORE_STAGING_API_KEY'])('needs undo.json and %s alone', async variable => {
    const store = await plain()
    const env = { [variable]: store.key, STORE_BASE_URL: '', STORE_EXPECTED_FAILURES: 'none.yaml' }
    const { code, stdout, has } = await run(['restore'], { env, files: leftBy(store) })
    expect([code, stdout]).toEqual([0, 'Restored, and checked in the list: pet 1 from 7 to 3.\n'])
    expect([store.stock.get('1'), has('reports/undo.json')]).toEqual([3n, false])
  })

  // biome-ignore format: a table
  it.each([
    ['without a key', 2, { STORE_API_KEY: '' }, /^One setting is wrong; nothing was sent\.\n +STORE_API_KEY: is empty/, 0],
    ['read-only', 2, { STORE_READ_ONLY: 'true' }, /^STORE_READ_ONLY: restoring stock sends updates.*Nothing was sent/, 0],
    ['with a refused key', 4, { STORE_API_KEY: 'another-key-1' }, /^Nothing was restored: .* refuses the API key: .*Check/, 2],
  ])('%s: exit %i, with advice, and undo.json stays', async (_how, exit, env, message, requests) => {
    const { code, stderr, store, has } = await restoring(env)
    expect([code, stderr, has('reports/undo.json')]).toEqual([exit, expect.stringMatching(message), true])
    expect(store.requests.map(({ method }) => method)).toEqual(Array(requests).fill('GET'))
  })

  it.each([
    ['another', 'eu', 'eu'],
    ['.', '../another one', "'../another one'"],
  ])('--out %s, with a journal only in %s beside it, names that folder', async (out, beside, shown) => {
    const store = await plain()
    const folder = join(newFolder({ 'in/any': '' }), 'in')
    const given = { env: store.env, files: leftBy(store, `${beside}/undo.json`), folder }
    const { code, stdout, stderr } = await run(['restore', '--out', out], given)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`there is no undo journal in ${out}, but there is one beside it`)
    expect(stderr).toContain(`  npx --no-install store-conformance restore --out ${shown}\n`)
  })

  it('a store that adds: one update, then a second restore sends none and says what to do by hand', async () => {
    const { code, stderr, store, folder } = await restoring({}, ({ method }, response, { stock }) => {
      if (method !== 'PATCH') return false
      stock.set('1', 10n)
      response.writeHead(200).end()
      return true
    })
    const byHand =
      /Set it to 3 in the store itself, then run npx --no-install store-conformance restore, which compares it\n$/
    expect([code, stderr]).toEqual([1, expect.stringMatching(byHand)])
    const restore = () => run(['restore'], { env: store.env, folder })
    const again = await restore()
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(byHand)])
    expect(store.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
    store.stock.set('1', 3n)
    const last = await restore()
    expect([last.code, last.has('reports/undo.json')]).toEqual([0, false])
  })
})
