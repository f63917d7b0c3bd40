import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { parse } from 'dotenv'
import { describe, expect, expectTypeOf, it, test } from 'vitest'
import { addSettings, givenSettings } from '../cli/flags.ts'
import type { JudgeOptions } from '../embed/judge.ts'
import { selfSigned } from '../wire/testing/certificate.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { type Configuration, configure, readConfiguration } from './configuration.ts'
import { allSettings } from './settings.ts'

const URL = 'https://store.example/v1'
const KEY = 'Top-Secret-Key-1'
const STORE = { STORE_BASE_URL: URL, STORE_API_KEY: KEY }
const STAGING = { STORE_STAGING_BASE_URL: 'https://staging.example/v1', STORE_STAGING_API_KEY: 'Staging-Key' }
const STATES = { STORE_STATES_URL: 'https://store.example/states', STORE_STATES_TOKEN: 'a-token' }
const IDS = { STORE_PENDING_ORDERS: '1', STORE_SHIPPED_ORDERS: '2', STORE_PETS: 'any' }

interface Given {
  /** Of `run`, each `@` for the folder. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly dotenv?: string
}

const files = {
  key: `\ufeff${KEY}-3\r\n`,
  long: 'x'.repeat(16_001),
  'cert.pem': selfSigned().cert,
  'other.pem': selfSigned().key,
}

function read({ args = [], env = {}, dotenv }: Given) {
  const folder = newFolder({ ...files, ...(dotenv === undefined ? {} : { '.env': dotenv }) })
  const command = addSettings(new Command().exitOverride(), 'run')
  command.parse(
    args.map(each => each.replace(/^@/, `${folder}/`)),
    { from: 'user' },
  )
  try {
    return readConfiguration(givenSettings(command.opts(), command.args[0]), { env, folder })
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '@').split('\n')
  }
}

/** A mistake begins with the name of the setting, as the user typed it. */
type Wanted = Partial<Configuration> | readonly string[]
type Row = readonly [title: string, given: Given, wanted: Wanted]

const given = (...args: readonly string[]): Given => ({ args, env: STORE })
const env = (more: Given['env']): Given => ({ env: { ...STORE, ...more } })
const dotenv = (dotenv: string, env: Given['env'] = STORE): Given => ({ env, dotenv })

const UNNAMED = 'STORE_BASE_URL (--base-url): is missing, so no store is named; set it, or judge the bundled'
const beside = (names: string) =>
  `STORE_BASE_URL (--base-url): is missing beside ${names}; set it, choose a --`
const MISSING_KEY = 'STORE_API_KEY: is missing; the target base needs it'
const IN_QUOTES = 'is in quotes, which docker run --env-file keeps; write it without quotes'
const unused = (target: string) => `is not used by the target ${target}; unset it, or choose another --target`
const ID = 'is not an order id (an integer of 64 bits, without leading zeros)'
const inDotenv = (name: string, line: number) => `${name}: in line ${line} of .env is not written as ${name}=`

const NO_PROXY = 'is not the address of a proxy, such as http://user:password@proxy.example:3128'
const SECRET = 'hunter2/with@signs'
const secret = (name: string, value: string) => ({ value, shown: `$${name}` })

// biome-ignore format: a table
test.each<Row>([
  ['nothing named, with a selection', { args: ['--read-only', '--only', 'listOrders'] }, [UNNAMED]],

  ['settings of a store without an address', { args: ['--pets', '1'], env: { STORE_API_KEY: KEY, ...STAGING, ...STATES, STORE_PENDING_ORDERS: '1' } }, [beside('STORE_STAGING_BASE_URL, STORE_API_KEY, STORE_STAGING_API_KEY, STORE_STATES_URL, STORE_STATES_TOKEN, STORE_PENDING_ORDERS, --pets')]],

  ['STORE_BASE_URL and STORE_API_KEY set to nothing over .env', dotenv(`STORE_BASE_URL=${URL}\nSTORE_API_KEY=${KEY}`, { STORE_BASE_URL: '', STORE_API_KEY: '' }), ['STORE_BASE_URL: is set to nothing', 'STORE_API_KEY: is empty']],
  ['STORE_BASE_URL set to nothing, or the reference store', { args: ['--or-reference'], env: { STORE_BASE_URL: '' } }, ['STORE_BASE_URL: is set to nothing', MISSING_KEY]],
  ['--base-url set to nothing', { args: ['--base-url', ''], env: { STORE_API_KEY: KEY } }, ['--base-url: is set to nothing']],

  ['an empty STORE_API_KEY, or the reference store', { args: ['--or-reference'], env: { STORE_API_KEY: '' } }, [beside('STORE_API_KEY')]],
  ['an empty STORE_API_KEY beside a file', { args: ['--api-key-file', '@key'], env: { STORE_BASE_URL: URL, STORE_API_KEY: '' } }, { apiKey: `${KEY}-3` }],
  ['an empty address and key, for another target', { args: ['--target', 'reference'], env: { STORE_BASE_URL: '', STORE_API_KEY: '' } }, { target: 'reference', baseUrl: undefined }],

  ['what the target reference does not use', { args: ['--target', 'reference'], env: { ...STORE, ...STAGING, ...STATES, ...IDS } }, ['STORE_BASE_URL', 'STORE_STAGING_BASE_URL', 'STORE_API_KEY', 'STORE_STAGING_API_KEY', ...Object.keys({ ...STATES, ...IDS })].map(name => `${name}: ${unused('reference')}`)],
  ['staging, for the target base', env(STAGING), Object.keys(STAGING).map(name => `${name}: ${unused('base')}`)],
  ['the target staging', { env: { STORE_TARGET: 'staging', ...STAGING } }, { baseUrl: 'https://staging.example/v1', apiKey: 'Staging-Key' }],

  ['misspelt variables', env({ STORE_GAET: '1', STORES_SEED: '1', Store_Seed: '1', STORE_TIMEOUT_MS: '1' }), [['STORE_GAET', 'STORE_GATE'], ['STORES_SEED', 'STORE_SEED'], ['Store_Seed', 'STORE_SEED'], ['STORE_TIMEOUT_MS', 'STORE_TIMEOUT']].map(([name, right]) => `${name}: in the environment is not a setting. Did you mean ${right}?`)],
  ['a selection, which is no variable of the command, and variables of other programs', env({ STORE_ONLY: 'listOrders', STORE_DATABASE: '1', STORAGE_URL: '1', MY_STORE_URL: '1' }), ['STORE_ONLY: in the environment is not a setting. Give the flag --only.', 'STORE_DATABASE: in the environment is not a setting. Unset it, or rename it if another program needs it.']],
  ['a misspelt address, and another variable in .env', dotenv('STORE_PET=1\nSTORE_PETS=', { STORE_BASEURL: URL }), ['STORE_PET: in .env is not a setting. Did you mean STORE_PETS?', 'STORE_BASEURL: in the environment is not a setting. Did you mean STORE_BASE_URL?', UNNAMED]],

  ['quotes of docker --env-file, and variables that nothing replaces', env({ ...STATES, STORE_API_KEY: '"k-3f9a77c0b1"', STORE_REVOKED_API_KEY: '$OLD_KEY', STORE_STATES_TOKEN: "'two words'" }), [`STORE_API_KEY: ${IN_QUOTES}`, 'STORE_REVOKED_API_KEY: is the name of a variable; nothing replaces it with its value', `STORE_STATES_TOKEN: ${IN_QUOTES}`]],

  ['times, a rate, and yes', { args: ['--timeout', ' 2 ', '--wait', '500ms', '--max-duration', '2 h', '--rate', '20/s'], env: { ...STORE, STORE_READ_ONLY: ' YES ' } }, { timeoutMs: 2_000, waitMs: 500, maxDurationMs: 7_200_000, rate: 20, readOnly: true }],
  ['no times, rates and whole numbers', { args: ['--timeout', '1.5', '--wait', '2d', '--max-duration', '25h', '--rate', '0/s', '--seed', '-1', '--concurrency', '257'], env: { ...STORE, STORE_READ_ONLY: 'perhaps' } }, ['--wait: "2d" is not a time up to 24h, such as 10s or 2m', 'STORE_READ_ONLY: "perhaps" is neither true nor false', '--seed: "-1" is not a whole number from 0 to 2147483647', '--timeout: "1.5" is not a time up to 10m, such as 10s or 2m', '--max-duration: "25h" is not a time', '--concurrency: "257" is not a whole number from 1 to 256', '--rate: "0/s" is not a rate from 1 to 1000 requests per second']],

  ['ids, of which one is named twice', given('--pending-orders', ' 1, 2 ,3,', '--shipped-orders', '-9223372036854775808', '--pets', '12.50,1e3', '--pets', '-1,12.5'), { pendingOrders: ['1', '2', '3'], shippedOrders: ['-9223372036854775808'], pets: ['12.5', '1e3', '-1'] }],
  ['no ids', given('--pending-orders', 'a,01,9223372036854775808', '--shipped-orders', ' , ', '--pets', 'any,1x'), [`--pending-orders: "a" ${ID}`, `--pending-orders: "01" ${ID}`, `--pending-orders: "9223372036854775808" ${ID}`, '--shipped-orders: names no id', '--pets: "any" is not a pet id (a JSON number, or any)', '--pets: "1x" is not a pet id']],

  ['headers of flags beside those of the environment', { args: ['--header', 'x-key=flag', '--header', 'X-C=c=3'], env: { ...STORE, STORE_HEADERS: 'X-Tenant=acme, eu\nX-Key=a,X-B=2' } }, { headers: { 'X-Tenant': 'acme, eu', 'x-key': 'flag', 'X-B': '2', 'X-C': 'c=3' } }],
  ['no headers', given('--header', 'X-Tenant', '--header', 'authorization=Bearer hunter2', '--header', 'X-A=hunter2\u0007', '--header', 'X-B=${KEY}'), ['--header: is not a header; write it as NAME=VALUE', '--header: authorization is a header that the suite sends itself', '--header: the value of X-A is not a text that a header can carry', '--header: the value of X-B is not a text that a header can carry']],

  ['a client certificate without its key', given('--client-cert', '@cert.pem'), ['STORE_CLIENT_KEY (--client-key): names no private key of --client-cert (PEM, no passphrase)']],

  ['.env with odd lines, and lines of other programs', dotenv(`# STORE_A\r\nSTORE_GATE required\r\nexport STORE_PETS\r\nOTHER text\nOTHER=STORE_X\nset STORE_SEED=1\n$env:STORE_SEED = "1"\n  - STORE_SEED=1\nSTORE_SEED: 1\nSTORE_RATE='1' # "\nSTORE_NAME="Acme`), [inDotenv('STORE_GATE', 2), inDotenv('STORE_PETS', 3), ...[6, 7, 8, 9].map(line => inDotenv('STORE_SEED', line)), inDotenv('STORE_NAME', 11)]],
  ['.env with a value that a # cuts', dotenv(`STORE_BASE_URL=${URL} #a#b\r\nSTORE_API_KEY=a#b\r\n`, {}), [inDotenv('STORE_API_KEY', 2)]],
  // A byte that is no UTF-8 is read as \uFFFD.
  ['.env in UTF-16', dotenv('\uFFFD\uFFFDS\0T\0O\0R\0E\0_\0P\0E\0T\0S\0=\0'), ['.env: is not text in UTF-8; save it as UTF-8']],
  ['.env with comments and quotes', dotenv(`export STORE_NAME="a#b" # c\nSTORE_GATE= #a\n\n STORE_SEED = 5 #a\nSTORE_START=node -e "1"`), { storeName: 'a#b', gate: 'implied', seed: 5, start: 'node -e "1"' }],

  ['a flag over the environment over .env', { ...dotenv('STORE_NAME=Acme # why\nSTORE_SEED=1\nSTORE_RATE=1\nSTORE_GATE=required', { ...STORE, STORE_SEED: '2', STORE_RATE: '2', STORE_GATE: '' }), args: ['--rate', '3'] }, { storeName: 'Acme', seed: 2, rate: 3, gate: 'implied' }],

  ['no addresses', { ...env({ STORE_STATES_URL: `https://a/s?key=${SECRET}` }), args: ['https://me:hunter2@store.example/v1'] }, ['--base-url: contains a user name or password; give the key or token in its own variable', 'STORE_STATES_URL: contains a query or fragment; write it as https://store.example/provider-states']],

  ['a file of the key that is too long', { args: ['--api-key-file', '@long'], env: { STORE_BASE_URL: URL } }, ['--api-key-file: names a file that has more than 16 kB']],
  ['settings that contradict each other', { args: ['--states-module', '@key', '--shipped-orders', '6,5', '--client-cert', '@cert.pem', '--client-key', '@other.pem'], env: { ...STORE, ...STATES, STORE_REVOKED_API_KEY: KEY, STORE_PENDING_ORDERS: '5' } }, ['STORE_REVOKED_API_KEY: is the API key itself; name another one', '--states-module: is set beside STORE_STATES_URL; unset one of them', '--shipped-orders: 5 is also named as pending', '--client-key: names no private key of --client-cert']],
  ['mistakes of all kinds', { args: ['--target', 'staging', '--pets', 'x', '--api-key-file', '/no/such/file', '--gate', 'hard', '--states-module', '@none.mjs'], env: { STORE_REVOKED_API_KEY: 'a b', STORE_SEDE: '1', STORE_GATE: 'soft' }, dotenv: 'STORE_RATE' }, [inDotenv('STORE_RATE', 1), 'STORE_SEDE: in the environment is not a setting. Did you mean STORE_SEED?', '--api-key-file: names a file that cannot be read (ENOENT)', 'STORE_REVOKED_API_KEY: has a space', '--states-module: names a file that cannot be read (ENOENT)', '--pets: "x" is not a pet id', '--gate: "hard" is not one of required, implied, advisory', 'STORE_STAGING_BASE_URL (--staging-base-url): is missing; the target staging needs it']],

  ['proxies of the store and the states endpoint that are no addresses', env({ HTTPS_PROXY: 'htp://me:hunter2@proxy', STORE_STATES_URL: 'http://store.example/states', http_proxy: 'proxy:3128:me:hunter2' }), [`HTTPS_PROXY: ${NO_PROXY}`, `http_proxy: ${NO_PROXY}`]],
  ['a proxy beside the reference store', { args: ['--target', 'reference'], env: { HTTP_PROXY: 'nonsense' } }, { target: 'reference' }],

  ['keys and a token that are wrong', env({ ...STATES, STORE_API_KEY: `${SECRET} x`, STORE_REVOKED_API_KEY: `${SECRET} x`, STORE_STATES_TOKEN: `${SECRET} x` }), ['STORE_API_KEY: has a space', 'STORE_REVOKED_API_KEY: has a space', 'STORE_STATES_TOKEN: has a space']],
  ['keys in the place of their files', given('--api-key-file', SECRET, '--client-cert', 'package.json', '--client-key', SECRET), ['--api-key-file: names a file that cannot be read (E', '--client-key: names a file that cannot be read (E']],
  ['a password in an address, also in an invalid one', env({ STORE_BASE_URL: `https://me:${SECRET}@store.example/v1`, STORE_STATES_URL: `htps://me:${SECRET}@store.example/v1` }), ['STORE_BASE_URL: is not an address', 'STORE_STATES_URL: is not an address']],

  ['secrets, which are its keys, its token and the values of its headers', { ...env({ ...STATES, STORE_HEADERS: 'X-Tenant=acme-eu-12' }), args: ['--api-key-file', '@key'] }, { apiKey: `${KEY}-3`, otherSecrets: expect.arrayContaining([secret('STORE_API_KEY', KEY), secret('STORE_STATES_TOKEN', 'a-token'), secret('STORE_API_KEY', `${KEY}-3`), secret('X_TENANT', 'acme-eu-12')]) as never }],
])('%s', (_title, given, wanted) => {
  const configured = read(given)
  if (Array.isArray(wanted)) expect(configured).toEqual(wanted.map(each => expect.stringContaining(each)))
  else expect(configured).toMatchObject(wanted)
  if (Array.isArray(wanted)) expect(`${configured}`).not.toMatch(/hunter2|signs/)
})

it('each run without a seed gets another one', () => {
  const [one, other] = [read(env({})), read(env({}))] as Configuration[]
  expect(one?.seed).not.toBe(other?.seed)
})

it('a program gives values as they are, and its mistakes have the names of its options', () => {
  const own = { baseUrl: URL, apiKey: KEY, timeoutMs: 2_000, readOnly: true, headers: { A: 'b' } }
  expect(configure({ ...own, pets: [1, 12.5, 3n] })).toMatchObject({ ...own, pets: ['1', '12.5', '3'] })
  const wrong = { timeoutMs: 0.5, pendingOrders: [2 ** 53 + 2, 'x'], apiKey: undefined, headers: { A: 1 } }
  const mistakes = [
    'pendingOrders: 9007199254740994 is a number beyond 2^53; give it as a string or a bigint',
    `pendingOrders: "x" ${ID}`,
    'timeoutMs: 0.5 is not a time up to 10m, such as 10s or 2m',
    'headers: the value of A is not a text that a header can carry',
    'apiKey: is missing; the target base needs it',
  ]
  expect(() => configure({ ...own, ...wrong })).toThrow(mistakes.join('\n'))
})

it('the types of the options of judge() follow from the settings', () => {
  expectTypeOf<NonNullable<JudgeOptions['gate']>>().toEqualTypeOf<'required' | 'implied' | 'advisory'>()
  expectTypeOf<JudgeOptions['seed']>().toEqualTypeOf<number | undefined>()
  type Ids = readonly (string | number | bigint)[]
  expectTypeOf<JudgeOptions['pets']>().toEqualTypeOf<Ids | 'any' | undefined>()
  expectTypeOf<JudgeOptions>().not.toHaveProperty('reportsDir')
})

describe('.env.example', () => {
  const text = readFileSync(new globalThis.URL('../../.env.example', import.meta.url), 'utf8')
  const values = parse(text.replaceAll(/^#(?=STORE)/gm, ''))

  it('has every variable, with its meaning and its flag', () => {
    const known = allSettings.filter(({ variable }) => variable !== undefined)
    expect(Object.keys(values)).toEqual(known.map(({ variable }) => variable))
    for (const { variable, meaning, short } of known)
      expect(text).toContain(
        `\n# ${meaning}${short ? ` (${short})` : ''}\n#${variable}=${values[variable ?? '']}\n`,
      )
  })

  it.each(['base', 'staging'] as const)('has valid values for the target %s', target => {
    // These files exist only on the machine of the user.
    const files = ['statesModule', 'clientCert', 'clientKey', 'expectedFailures']
    const used = allSettings.filter(
      each => !files.includes(each.name) && ['any', 'named', target].includes(each.target),
    )
    const raw = used.flatMap(({ name, variable = '' }) =>
      variable in values ? [[name, values[variable]]] : [],
    )
    expect(() => configure({ ...Object.fromEntries(raw), target })).not.toThrow()
  })
})
