import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { bench } from './testing/bench.ts'
import type { Intercept } from './testing/store.ts'

const { run, plain } = bench()

/** A folder in which a run on this store left the stock of pet 1 changed. */
const leftBy = ({ baseUrl }: { readonly baseUrl: string }, name: string) => ({
  [name]: JSON.stringify({
    format: 'store-conformance-undo/1',
    baseUrl,
    pets: [{ petId: '1', quantity: '3' }],
  }),
})

/** Runs restore with an undo file by which pet 1 had a stock of 3. */
const restoring = async (env: Record<string, string> = {}, intercept: Intercept = () => false) => {
  const store = await plain({ intercept })
  const given = { env: { ...store.env, ...env }, files: leftBy(store, 'undo.json') }
  return { ...(await run(['restore', '--out', '.'], given)), store }
}

describe.concurrent('restore without an address', () => {
  it.each(['STORE_API_KEY', 'STORE_STAGING_API_KEY'])('needs undo.json and %s alone', async variable => {
    const store = await plain()
    const ended = await run(['restore'], {
      env: { [variable]: store.key, STORE_BASE_URL: '' },
      files: leftBy(store, 'reports/undo.json'),
    })
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([
      0,
      expect.stringContaining('pet 1 from 7 to 3'),
    ])
    expect(store.stock.get('1')).toBe(3n)
  })

  it('of several stores: names them, and sends nothing', async () => {
    const [one, other] = [await plain(), await plain()]
    const { code, stderr } = await run(['restore'], {
      env: { STORE_API_KEY: one.key },
      files: { ...leftBy(one, 'reports/undo.json'), ...leftBy(other, 'reports/undo-2.json') },
    })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`--base-url: ${other.baseUrl}, ${one.baseUrl}.`),
    ])
    expect([...one.requests, ...other.requests]).toEqual([])
  })

  it('without a key: 2, and names the variable', async () => {
    const { code, stderr } = await run(['restore'], { files: leftBy(await plain(), 'reports/undo.json') })
    expect([code, stderr]).toEqual([2, expect.stringContaining('STORE_API_KEY: is missing')])
  })
})

it.each([
  ['another', 'eu', 'eu'],
  ['.', '../another one', "'../another one'"],
])(
  'restore --out %s, with a journal only in %s beside it, names that folder, and is no success',
  async (out, beside, shown) => {
    const store = await plain()
    const files = leftBy(store, `${beside}/undo.json`)
    const at = join(newFolder({ 'in/any': '' }), 'in')
    const { code, stdout, stderr } = await run(['restore', '--out', out], {
      env: store.env,
      files,
      folder: at,
    })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`there is no undo journal in ${out}, but there is one beside it`)
    expect(stderr).toContain(`  npx --no-install store-conformance restore --out ${shown}\n`)
  },
)

describe.concurrent('restore', () => {
  it('restores the stock: 0', async () => {
    const { code, stdout, store, has } = await restoring()
    expect([code, stdout]).toEqual([0, 'Restored, and checked in the list: pet 1 from 7 to 3.\n'])
    expect(store.stock.get('1')).toBe(3n)
    expect(has('undo.json')).toBe(false)
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
    const { env } = store
    const again = await run(['restore', '--out', '.'], { env, folder })
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(byHand)])
    expect(store.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
    store.stock.set('1', 3n)
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
