import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../http/testing/folder.ts'
import { readConfiguration } from './environment.ts'
import type { RawSettings } from './settings.ts'

const STORE = { STORE_BASE_URL: 'https://store.example/v1', STORE_API_KEY: 'a-key' }

/** The configuration with this text of `.env`. */
const read = (env: Record<string, string>, dotenv = '', flags: RawSettings = {}) =>
  readConfiguration(flags, env, newFolder({ '.env': dotenv }))
const mistakesOf = (env: Record<string, string>, dotenv = '') => {
  const configured = read(env, dotenv)
  return 'mistakes' in configured
    ? configured.mistakes.map(({ setting, problem }) => `${setting} ${problem}`)
    : []
}

describe('a flag wins over the environment, the environment over .env', () => {
  it.each([
    ['advisory', { gate: 'advisory' }, { STORE_GATE: 'implied' }, 'STORE_GATE=required'],
    ['implied', {}, { STORE_GATE: 'implied' }, 'STORE_GATE=required'],
    ['required', {}, {}, 'STORE_GATE=required # why'],
    ['implied', {}, { STORE_GATE: '' }, 'STORE_GATE="required"'],
    ['implied', {}, {}, 'STORE_GATE='],
  ])('%s', (gate, flags, env, dotenv) => {
    expect(read({ ...STORE, ...env }, dotenv, flags)).toHaveProperty('configuration.gate', gate)
  })

  it('a line of .env that cannot be read is a mistake', () => {
    expect(mistakesOf(STORE, '# STORE_A\r\nSTORE_GATE required\r\nexport STORE_PETS\r\nOTHER text')).toEqual([
      'STORE_GATE in line 2 of .env is not written as STORE_GATE=value',
      'STORE_PETS in line 3 of .env is not written as STORE_PETS=value',
    ])
    for (const line of [
      'set STORE_READ_ONLY=true',
      '$env:STORE_READ_ONLY = "true"',
      '  - STORE_READ_ONLY=true',
      'export STORE_GATE STORE_READ_ONLY=true',
    ])
      expect(mistakesOf(STORE, `OTHER=STORE_X\n${line}`), line).toEqual([
        'STORE_READ_ONLY in line 2 of .env is not written as STORE_READ_ONLY=value',
      ])
    expect(mistakesOf(STORE, `STORE_GATE='required' # "\nSTORE_API_KEY="secret\nSTORE_SEED='5'`)).toEqual([
      'STORE_API_KEY in line 2 of .env begins with a quote that is not closed',
    ])
  })

  it('a value of .env that a # cuts is a mistake', () => {
    expect(mistakesOf({}, `STORE_BASE_URL=https://store.example/v1 #a#b\r\nSTORE_API_KEY=a#b\r\n`)).toEqual([
      'STORE_API_KEY in line 2 of .env is cut at #; put the value in quotes',
    ])
    expect(
      mistakesOf(STORE, `STORE_API_KEY="a#b"\nSTORE_NAME='a'#b\nSTORE_GATE= #a\nSTORE_SEED=5 #a`),
    ).toEqual([])
  })

  it('.env in UTF-16 is a mistake', () => {
    const at = newFolder()
    writeFileSync(join(at, '.env'), '\uFEFFSTORE_BASE_URL=https://store.example/v1\r\n', 'utf16le')
    expect(readConfiguration({}, STORE, at)).toEqual({
      mistakes: [{ setting: '.env', problem: 'is not text in UTF-8; save it as UTF-8' }],
    })
  })

  it('.env may be missing, but one that cannot be read is a mistake: the wrong store might be judged', () => {
    const at = newFolder()
    expect(readConfiguration({}, STORE, at)).toHaveProperty('configuration.target', 'base')
    mkdirSync(join(at, '.env'))
    expect(readConfiguration({}, STORE, at)).toEqual({
      mistakes: [{ setting: '.env', problem: expect.stringContaining('EISDIR') }],
    })
  })
})

describe('a variable that is no setting', () => {
  it.each([
    ['STORE_BASEURL', 'STORE_BASE_URL'],
    ['STORE_GAET', 'STORE_GATE'],
    ['STORE_PET', 'STORE_PETS'],
    ['STORES_SEED', 'STORE_SEED'],
    ['store_base_url', 'STORE_BASE_URL'],
    ['Store_Seed', 'STORE_SEED'],
  ])('%s is a mistake: %s was meant', (name, meant) => {
    const { STORE_BASE_URL: _address, ...key } = STORE
    const env = meant === 'STORE_BASE_URL' ? key : STORE
    expect(mistakesOf({ ...env, [name]: '1' })).toContain(
      `${name} in the environment is not a setting. Did you mean ${meant}?`,
    )
  })

  it.each([
    ['STORE_OUT', 'Did you mean STORE_REPORTS_DIR?'],
    ['STORE_ONLY', 'Give the flag --only <selectors>.'],
    ['STORE_TIMEOUT_MS', 'Did you mean STORE_TIMEOUT?'],
    ['STORE_DATABASE', 'Unset it, or rename it if it belongs to another program.'],
  ])('%s is one: %s', (name, hint) => {
    expect(mistakesOf({ ...STORE, [name]: '1' })).toEqual([
      `${name} in the environment is not a setting. ${hint}`,
    ])
  })

  it('in .env is one, too, and is named with the others', () => {
    expect(mistakesOf(STORE, 'STORE_GAET=required\nSTORE_SEED=x')).toEqual([
      'STORE_GAET in .env is not a setting. Did you mean STORE_GATE?',
      'STORE_SEED (--seed) "x" is not a whole number from 0 to 2147483647',
    ])
  })

  it('is one beside the right one, too; other prefixes belong to other programs', () => {
    expect(mistakesOf({ ...STORE, STORE_PET: '1', STORE_PETS: '2' })).toHaveLength(1)
    for (const name of ['STORE_NAME', 'STORAGE_URL', 'PATH'])
      expect(mistakesOf({ ...STORE, [name]: '1' })).toEqual([])
  })
})

describe('an empty API key', () => {
  it.each<[string, RawSettings, Record<string, string>]>([
    ['beside an address', { baseUrl: STORE.STORE_BASE_URL }, {}],
    ['with --or-reference', { orReference: 'true' }, {}],
    ['that overrides .env', { baseUrl: STORE.STORE_BASE_URL }, { STORE_API_KEY: 'a-key' }],
  ])('%s is a mistake', (_title, flags, dotenv) => {
    const text = Object.entries(dotenv).map(([name, value]) => `${name}=${value}`)
    expect(read({ STORE_API_KEY: '' }, text.join('\n'), flags)).toEqual({
      mistakes: [{ setting: 'STORE_API_KEY', problem: 'is empty' }],
    })
  })

  it('is allowed beside a file with the key, and for a target that uses no such key', () => {
    const at = newFolder({ key: 'a-key' })
    const flags = { baseUrl: STORE.STORE_BASE_URL, apiKeyFile: join(at, 'key') }
    expect(read({ STORE_API_KEY: '' }, '', flags)).toHaveProperty('configuration.apiKey', 'a-key')
    expect(mistakesOf({ STORE_API_KEY: '', STORE_TARGET: 'reference' })).toEqual([])
  })
})

describe('an empty base URL', () => {
  it.each([
    ['in the environment', { STORE_BASE_URL: '' }, ''],
    ['in .env', {}, 'STORE_BASE_URL='],
    ['beside a key', { STORE_BASE_URL: '', STORE_API_KEY: 'a-key' }, ''],
    ['that overrides .env', { STORE_BASE_URL: '' }, 'STORE_BASE_URL=https://a.example/v1'],
  ])('%s is a mistake', (_title, env, dotenv) => {
    expect(mistakesOf(env as Record<string, string>, dotenv)).toEqual([
      expect.stringMatching(/^STORE_BASE_URL \(--base-url\) is set to nothing; write it as/),
    ])
  })

  it('is allowed if another setting chooses the store', () => {
    expect(mistakesOf({ STORE_BASE_URL: '', STORE_TARGET: 'reference' })).toEqual([])
  })
})
