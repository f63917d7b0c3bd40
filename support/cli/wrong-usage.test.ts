import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { bench } from './testing/bench.ts'

const { run, plain } = bench()
const KEY = 'Sensitive-Key-77'
const KNOWN = '- { rule: zzz, operation: cancelOrder, reason: a, owner: b, expires: 2030-01-01 }'
const UNDO = JSON.stringify({
  format: 'store-conformance-undo/1',
  baseUrl: 'http://127.0.0.1:1/v1',
  pets: [{ petId: '1', quantity: '3' }],
})

describe.concurrent('exit 2, and nothing is sent', () => {
  it('reports all mistakes in the settings at once', async () => {
    const store = await plain()
    const ended = await run(['run', '--gate', 'strict', '--pending-orders', '1,x,1'], {
      env: { STORE_BASE_URL: store.baseUrl, STORE_READ_ONLY: 'perhaps' },
      files: { '.env': 'STORE_SEED=-1\n' },
    })
    expect([ended.code, ended.stdout]).toEqual([2, ''])
    expect(ended.stderr).toMatch(/^5 settings are wrong; nothing was sent\./)
    for (const setting of [
      '--gate: "strict" is not one of required, implied, advisory',
      '--pending-orders: "x" is not an order id',
      'STORE_READ_ONLY: "perhaps" is neither true nor false',
      'STORE_SEED: "-1" is not a whole number',
      'STORE_API_KEY: is missing',
    ])
      expect(ended.stderr).toContain(setting)
    expect(store.requests).toEqual([])
    expect(ended.has('reports')).toBe(false)
  })

  it.each([
    [['run'], { STORE_TARGET: KEY }, '$STORE_API_KEY'],
    [['run'], { STORE_SEED: KEY, STORE_GATE: KEY.toLowerCase() }, '$STORE_API_KEY'],
    [['run', '--pending-orders', KEY], {}, '$STORE_API_KEY'],
    [['run', '--states-url', KEY], {}, '--states-url: is not an address'],
    [['run', '--only', KEY], {}, '$STORE_API_KEY'],
    [
      ['run', '--api-key-file', 'key', '--skip', 'In-A-File-88'],
      { STORE_SEED: 'In-A-File-88' },
      '$STORE_API_KEY',
    ],
    [['run', '--header', 'X-A=In-A-Header-99', '--only', 'In-A-Header-99'], {}, '$X_A'],
    [['run', '--out', `/proc/${KEY}`], {}, '$STORE_API_KEY'],
    [['run', `--${KEY}`], {}, '$STORE_API_KEY'],
    [['list', KEY], {}, '$STORE_API_KEY'],
    [['run', KEY], {}, '--base-url: is not an address'],
    [['Unstored-Key'], {}, 'There is no such command.'],
    [['run', '--api-key', 'Unstored-Key'], {}, '--api-key is not a flag, because command lines are public.'],
    [['restore', '--api-key', 'Unstored-Key'], {}, 'Set STORE_API_KEY in the environment or in .env, or'],
    [['run', '--api-key-file', 'Unstored-Key'], {}, 'names a file that cannot be read'],
    [['run', '--token=Unstored-Key'], {}, "unknown option '--token'"],
  ])('a secret at the place of something else is not printed: %j %j', async (args, env, message) => {
    const ended = await run(args, {
      env: { STORE_BASE_URL: 'http://127.0.0.1:9/v1', ...env },
      files: { '.env': `STORE_API_KEY=${KEY}\n`, key: 'In-A-File-88' },
    })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(message)
    expect(ended.stdout + ended.stderr).not.toMatch(/Sensitive|In-A|Unstored/i)
  })

  it.each([
    [['run', '--base-uri', 'http://store/v1'], 'Did you mean --base-url?'],
    [['runn'], 'There is no such command. Did you mean run?'],
    [['destroy'], 'There is no such command. The commands are run, doctor, '],
    [
      ['--pets', '1,2'],
      'The command is missing. Flags and addresses follow it: npx --no-install store-conformance run https',
    ],
    [['http://127.0.0.1:1/v1'], 'The command is missing.'],
    [['run', '--only', 'cancel-shiped-409'], 'Did you mean cancel-shipped-409?'],
    [['run', '--gate', 'hard', '--only', 'zzz'], '--only: "zzz" is not a rule'],
    [
      ['run', '--gate', 'hard', '--expected-failures', 'known.yaml'],
      'known.yaml:1: "zzz" is not a rule or glob',
    ],
    [['run', '--store-version', '--read-only'], "argument '--read-only' is invalid. The value is missing"],
    [['run', '--write-expected-failures', '--read-only'], "argument '--read-only' is invalid."],
    [['run', '--read-only=true'], "unknown option '--read-only' with a value"],
    [['run', '--skip', '*'], '--skip: selects no rule'],
    [['run', '--profile', '1.0.0-stable', '--only', 'updateInventory'], 'is not in profile 1.0.0-stable'],
    [['run', '--out', '.env'], '.env is a file, not a folder; name another folder'],
    [['selfcheck', '--fault', 'third-cancel-succeeds', '--out', '.env'], '.env is a file, not a folder'],
    [['run', '--out', '/proc/reports'], '/proc/reports cannot be written to'],
    [['run', '--states-module', 'none.mjs'], '--states-module: there is no file none.mjs'],
    [['run', '--pets', '1x', '--sign', 'none.pem'], '2 settings are wrong'],
    [['run', '--gate', 'hard', '--failed', 'none'], '2 settings are wrong'],
    [['serve', '--port', '80000'], 'not a whole number from 0 to 65535'],
  ])('%j', async (args, sentence) => {
    const ended = await run(args, {
      env: { STORE_TARGET: 'reference' },
      files: { '.env': '', 'none.txt': '', 'known.yaml': KNOWN, 'reports/undo.json': UNDO },
    })
    expect(ended.stderr).toContain(sentence)
    expect(ended.code).toBe(2)
    expect(ended.stdout).toBe('')
  })

  const named = ['--base-url', 'http://127.0.0.1:1/v1', '--api-key-file', 'key']
  it.each<[string, readonly string[]]>([
    ['.env', ['run']],
    ['fifo', ['run', '--base-url', 'http://127.0.0.1:1/v1', '--api-key-file', 'fifo']],
    ['fifo', ['run', ...named, '--expected-failures', 'fifo']],
    ['fifo', ['run', ...named, '--client-cert', 'fifo', '--client-key', 'fifo']],
    ['fifo', ['run', ...named, '--sign', 'fifo']],
    ['fifo', ['verify', 'fifo']],
    ['fifo', ['diff', 'fifo', 'key']],
    ['undo.json', ['restore', ...named, '--out', '.']],
    ['undo.json', ['run', ...named, '--out', '.']],
  ])('a FIFO instead of the file %s: %j', async (name, args) => {
    const at = newFolder()
    execFileSync('mkfifo', [join(at, name)])
    const ended = await run(args, { folder: at, files: { key: KEY } })
    expect(ended.stderr).toMatch(/is not a regular file|there is no file fifo/)
    expect(ended.code).toBe(2)
  })
})
