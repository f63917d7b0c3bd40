import { describe, expect, it } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { bench } from './testing/bench.ts'

const { run, plain } = bench()

/** The file of a run that left the stock of pet 1 changed: it was 3, and is 7. */
const leftBy = ({ baseUrl }: { readonly baseUrl: string }, name = 'reports/undo.json') => {
  const pets = [{ petId: '1', quantity: '3' }]
  return { [name]: JSON.stringify({ format: 'store-conformance-undo/1', baseUrl, pets }) }
}

describe.concurrent('restore', () => {
  // biome-ignore format: a table
  it.each<[string, number, (key: string) => Record<string, string>, RegExp, requests: number]>([
    ['STORE_API_KEY alone', 0, key => ({ STORE_API_KEY: key, STORE_EXPECTED_FAILURES: 'none.yaml' }), /^Restored, and checked in the list: pet 1 from 7 to 3\.\n$/, 4],
    ['STORE_STAGING_API_KEY alone', 0, key => ({ STORE_STAGING_API_KEY: key }), /^Restored, and checked in the list: pet 1 from 7 to 3\.\n$/, 4],
    ['no key', 2, () => ({ STORE_API_KEY: '' }), /^One setting is wrong; nothing was sent\.\n +STORE_API_KEY: is empty/, 0],
    ['--read-only', 2, key => ({ STORE_API_KEY: key, STORE_READ_ONLY: 'true' }), /^STORE_READ_ONLY: restoring stock sends updates.*Nothing was sent/, 0],
    ['a refused key', 4, () => ({ STORE_API_KEY: 'another-key-1' }), /^Nothing was restored: .* refuses the API key: .*Check/, 2],
  ])('with %s exits %i, and undo.json stays unless the stock is restored', async (_how, exit, env, says, sent) => {
    const store = await plain()
    const { code, stdout, stderr, has } = await run(['restore'], { env: env(store.key), files: leftBy(store) })
    expect([code, stdout + stderr]).toEqual([exit, expect.stringMatching(says)])
    expect([store.stock.get('1'), has('reports/undo.json')]).toEqual(exit === 0 ? [3n, false] : [7n, true])
    expect(store.requests).toHaveLength(sent)
  })

  it('of several stores, or of another one than the address says: names them, and sends nothing', async () => {
    const [one, other] = [await plain(), await plain()]
    const files = { ...leftBy(one), ...leftBy(other, 'reports/undo-1.json') }
    for (const args of [[], ['--base-url', 'http://127.0.0.1:1/v1']]) {
      const { code, stderr } = await run(['restore', ...args], { env: { STORE_API_KEY: one.key }, files })
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^Nothing was sent\.\nreports\/undo.*\.json is /),
      ])
      for (const { baseUrl } of [one, other])
        expect(stderr).toContain(`restore --target base --base-url ${baseUrl} --out reports\n`)
    }
    expect([...one.requests, ...other.requests]).toEqual([])
    const chosen = await run(['restore', '--base-url', one.baseUrl], {
      env: { STORE_API_KEY: one.key },
      files,
    })
    expect([chosen.code, chosen.stderr]).toEqual([0, expect.stringMatching(/:\n {2}npx .* --out reports\n$/)])
    expect(other.requests).toEqual([])
  })

  it('a store that adds: one update, then a second restore sends none and says what to do by hand', async () => {
    const store = await plain(({ method }, shop, next) => (method === 'PATCH' ? shop.set('1', 10n) : next()))
    const folder = newFolder(leftBy(store))
    const restore = () => run(['restore'], { env: store.env, folder })
    const byHand =
      /Set it to 3 in the store itself, then run npx --no-install store-conformance restore, which compares it\n$/
    for (const { code, stderr } of [await restore(), await restore()])
      expect([code, stderr]).toEqual([1, expect.stringMatching(byHand)])
    expect(store.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
    store.stock.set('1', 3n)
    const last = await restore()
    expect([last.code, last.has('reports/undo.json')]).toEqual([0, false])
  })
})
