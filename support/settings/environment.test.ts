import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfiguration } from './environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'store-conformance-environment-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => rmSync(join(folder, '.env'), { force: true }))

const STORE = { STORE_BASE_URL: 'https://store.example/v1', STORE_API_KEY: 'a-key' }
const mistakesOf = (env: Record<string, string>, dotenv = '') => {
  if (dotenv !== '') writeFileSync(join(folder, '.env'), dotenv)
  const configured = readConfiguration({}, env, folder)
  return 'mistakes' in configured
    ? configured.mistakes.map(({ setting, problem }) => `${setting} ${problem}`)
    : []
}

describe('a misspelt variable', () => {
  it.each([
    ['STORE_BASEURL', 'STORE_BASE_URL'],
    ['STORE_GAET', 'STORE_GATE'],
    ['STORE_PET', 'STORE_PETS'],
    ['STORES_SEED', 'STORE_SEED'],
  ])('%s is a mistake: %s was meant', (name, meant) => {
    const { STORE_BASE_URL: _address, ...key } = STORE
    const env = meant === 'STORE_BASE_URL' ? key : STORE
    expect(mistakesOf({ ...env, [name]: '1' })).toContain(
      `${name} in the environment is not a setting; did you mean ${meant}?`,
    )
  })

  it('in .env is one, too, and is named with the others', () => {
    expect(mistakesOf(STORE, 'STORE_GAET=required\nSTORE_SEED=x')).toEqual([
      'STORE_GAET in .env is not a setting; did you mean STORE_GATE?',
      'STORE_SEED (--seed) "x" is not a whole number from 0 to 2147483647',
    ])
  })

  it.each(['STORE_NAME', 'STORE_URL', 'STORE_ID', 'STORE_KEYS', 'STORAGE_URL', 'PATH'])(
    '%s may belong to another program',
    name => expect(mistakesOf({ ...STORE, [name]: '1' })).toEqual([]),
  )

  it('is ignored if the right one is set as well', () => {
    expect(mistakesOf({ ...STORE, STORE_PET: '1', STORE_PETS: '2' })).toEqual([])
  })
})

describe('an empty base URL', () => {
  it.each([
    ['in the environment', { STORE_BASE_URL: '' }, ''],
    ['in .env', {}, 'STORE_BASE_URL='],
    ['beside a key', { STORE_BASE_URL: '', STORE_API_KEY: 'a-key' }, ''],
  ])('%s is a mistake', (_title, env, dotenv) => {
    expect(mistakesOf(env as Record<string, string>, dotenv)).toEqual([
      expect.stringMatching(/^STORE_BASE_URL \(--base-url\) is set to nothing; write it as/),
    ])
  })

  it('is allowed if another setting chooses the store', () => {
    expect(mistakesOf({ STORE_BASE_URL: '', STORE_TARGET: 'reference' })).toEqual([])
    expect(
      mistakesOf({ STORE_BASE_URL: '', STORE_API_KEY: 'a-key' }, 'STORE_BASE_URL=https://a.example/v1'),
    ).toEqual([])
  })
})
