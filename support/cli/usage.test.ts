import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { reportJson } from '../report/report.ts'
import { reportWith } from '../report/testing/fixtures.ts'
import { settingsOf } from '../settings/settings.ts'
import { newFolder } from '../wire/testing/folder.ts'
import { bench } from './testing/bench.ts'

const { run, listening } = bench()
const flags = settingsOf('run').flatMap(({ flag }) => flag?.split(' ')[0] ?? [])

describe.concurrent('help', () => {
  it.each([
    [['--help'], 28, 0],
    [['help', 'run'], 30, 13],
    [['doctor', '--help'], 32, 13],
    [['restore', '--help'], 32, 0],
    // A line for each flag, and some for its frame and for what does not fit into one.
    [['run', '--help', '--all'], flags.length + 33, flags.length],
  ])('%j has an example, at most %i lines, and %i flags', async (args, most, shown) => {
    const { code, stdout } = await run(args)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Example:\n {2}.*store-conformance/)])
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(most)
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(120)
    const own = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag = '']) => flag)
    if (shown === 13) expect(own).toHaveLength(shown)
    if (shown > 13) expect(own).toEqual(expect.arrayContaining(flags))
  })

  it('is printed without a command, and the exit code is 2, because nothing was judged', async () => {
    const { code, stdout, stderr } = await run([])
    expect(stdout).toBe((await run(['--help'])).stdout)
    expect([code, stderr]).toEqual([2, 'No command is given, so nothing was judged.\n'])
    expect((await run(['--version'])).stdout).toBe(`${packageJson.version}\n`)
  })
})

const KEY = 'Sensitive-Key-77'
const PEM = '-----BEGIN PUBLIC KEY-----\n'
const { rules: someRules, ...old } = reportWith({ failed: 1 })
const removed = someRules.slice(0, 1).map(rule => ({ ...rule, id: 'removed' }))
const files = {
  '.env': `STORE_API_KEY=${KEY}\n`,
  key: 'In-A-File-88',
  'old.json': reportJson({ ...old, rules: removed }),
  'public.pem': PEM,
}
const REFERENCE = { STORE_TARGET: 'reference', STORE_API_KEY: '' }
const REFUSED = { STORE_BASE_URL: 'http://127.0.0.1:9/v1' }

describe.concurrent('exit 2, and nothing is sent or printed that may be a secret', () => {
  // biome-ignore format: a table
  it.each<[readonly string[], Record<string, string>, string]>([
    // A secret at the place of something else.
    [['run'], { ...REFUSED, STORE_TARGET: KEY }, '$STORE_API_KEY'],
    [['run', '--only', KEY], REFUSED, '$STORE_API_KEY'],
    [['run', '--api-key-file', 'key', '--skip', 'In-A-File-88'], REFUSED, '$STORE_API_KEY'],
    [['run', '--header', 'X-A=In-A-Header-99', '--only', 'In-A-Header-99'], REFUSED, '$X_A'],
    [['run', '--out', `/proc/${KEY}`], REFUSED, '$STORE_API_KEY'],
    [['run', `--${KEY}`], REFUSED, '$STORE_API_KEY'],
    [['list', KEY], REFUSED, '$STORE_API_KEY'],
    [['run', KEY], {}, '--base-url: is not an address'],
    [['Unstored-Key'], {}, "unknown command '…'"],
    [["Unstored-Key's"], {}, "unknown command '…'"],
    [['restore', '--api-key', 'Unstored-Key'], {}, 'a secret is never a flag: set STORE_API_KEY, or --api-key-file'],
    [['run', '--token=Unstored-Key'], {}, "unknown option '--token=…'"],
    // Wrong usage.
    [['run', '--base-uri', 'http://store/v1'], REFERENCE, 'Did you mean --base-url?'],
    [['runn'], REFERENCE, 'Did you mean run?'],
    [['http://127.0.0.1:1/v1'], REFERENCE, 'A command comes first'],
    [['run', 'http://a/v1', '--base-url', 'http://a/v1'], REFERENCE, 'The address is given twice'],
    [['run', '--store-version', '--read-only'], REFERENCE, "argument '--read-only' is invalid. The value is missing"],
    [['run', '--failed', 'old.json', '--only', 'listOrders'], REFERENCE, "cannot be used with option '--only"],
    [['run', '--skip', '*'], REFERENCE, '--skip: selects no rule'],
    [['run', '--profile', '1.0.0-stable', '--only', 'updateInventory'], REFERENCE, 'is not in profile 1.0.0-stable'],
    [['run', '--out', '.env'], REFERENCE, '.env is a file, not a folder; name another folder'],
    [['run', '--out', '/proc/reports'], REFERENCE, '/proc/reports cannot be written to'],
    [['run', '--pets', '1x', '--sign', 'none.pem', '--failed', 'none'], REFERENCE, '3 settings are wrong; nothing was sent.'],
    [['run', '--sign', 'public.pem'], REFERENCE, '--sign: public.pem is not a private key in PEM'],
    [['run', '--write-expected-failures', '.env'], REFERENCE, '--write-expected-failures: .env exists. Name another file'],
    [['run', '--failed', 'old.json'], REFERENCE, '--failed: in old.json, no rule of this version'],
    [['list', 'Cancel-Shiped-409'], {}, 'There is no rule "Cancel-Shiped-409". Did you mean cancel-shipped-409?'],
    [['diff', 'public.pem', 'old.json'], {}, 'public.pem is not JSON'],
    [['serve', '--port', '80000'], {}, 'not a whole number from 0 to 65535'],
    [['selfcheck', '--fault', 'third-cancel'], {}, 'There is no fault "third-cancel".'],
  ])('%j %j: %s', async (args, env, message) => {
    const { code, stdout, stderr, has } = await run(args, { env, files })
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)])
    expect(stderr).not.toMatch(/Sensitive|In-A|Unstored/i)
    expect(has('reports/conformance.json')).toBe(false)
  })

  const store = ['--base-url', 'http://127.0.0.1:1/v1', '--api-key-file', 'key']
  it.each<[string, readonly string[]]>([
    ['.env', ['run']],
    ['fifo', ['run', ...store, '--expected-failures', 'fifo']],
    ['fifo', ['run', ...store, '--sign', 'fifo']],
    ['fifo', ['verify', 'fifo']],
    ['fifo', ['diff', 'fifo', 'key']],
    ['undo.json', ['restore', ...store, '--out', '.']],
    ['undo.json', ['run', ...store, '--out', '.']],
  ])('a FIFO instead of the file %s: %j', async (name, args) => {
    const at = newFolder({ key: KEY })
    execFileSync('mkfifo', [join(at, name)])
    const { code, stderr } = await run(args, { folder: at })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is not a regular file/)])
  })

  it('serve on a port in use', async () => {
    const { port } = new URL(await listening(createServer()))
    const { code, stderr } = await run(['serve', '--port', port])
    expect([code, stderr]).toEqual([2, `listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`])
  })
})

describe('list', () => {
  it('shows every rule and every recorded question once', async () => {
    const all: readonly { id: string }[] = JSON.parse((await run(['list', '--json'])).stdout)
    const ids = [...(await run(['list'])).stdout.matchAll(/^ {2}([a-z0-9-]+) /gm)].map(([, id]) => id)
    expect(ids.sort()).toEqual(all.map(({ id }) => id).sort())
    expect(all.length).toBeGreaterThan(100)
  })

  // biome-ignore format: a table
  it.each([
    ['cancel-twice-refused', /^cancel-twice-refused: A cancelled order is not cancelled again\.\n.*for +cancelOrder\n +clause +§3\/pending: .*\n +level +implied: .*\n +because +§3.*\n +usually +.*\n\nTo judge it alone: .* run --only cancel-twice-refused\n$/s],
    ['auth-no-header', /for +listOrders, cancelOrder, listInventory, updateInventory\n +clause +§4\.1.*\n +clause +§4\.2/],
    ['cancel-shipped-409', /judges +cancelOrder of shipped order: status 409$/m],
    ['auth-unusual-key', /judges +cancelOrder \(unusual-key\) without a valid key: status 401, or another 4xx$/m],
    ['update-quantity-exact', /judges .*: status 200 or 400$.*judges .*: it is made exactly once/ms],
    ['conflict-body', /never judges it\n(?!.*run --only)/s],
  ])('%s: what it is about, and why it is judged', async (id, text) => {
    expect((await run(['list', id])).stdout).toMatch(text)
    expect(JSON.parse((await run(['list', id, '--json'])).stdout)).toMatchObject({ id })
  })
})

it.each<[string, string, number, RegExp, ...string[]]>([
  ['good.json', 'good.json', 0, /^No regression/m],
  ['good.json', 'bad.json', 1, /^Regression: \d+ gating rules? broke/m],
  ['bad.json', 'good.json', 0, /^No regression\. Better: \d gating rules\.$/m],
  ['good.json', 'poor.json', 3, /^No regression\. Not judged any more: \d+ gating rules?\.$/m],
  ['good.json', 'bad.json', 1, /^## ❌ Regression/, '--markdown'],
  ['good.json', 'bad.json', 1, /^\{\n *"format": "store-conformance-diff\/1"/, '--json'],
])('diff %s %s exits %3$i', async (before, after, code, text, ...given) => {
  const reports = {
    'good.json': reportJson(reportWith()),
    'bad.json': reportJson(reportWith({ failed: 3 })),
    'poor.json': reportJson(reportWith({ untested: 100 })),
  }
  const ended = await run(['diff', before, after, ...given], { files: reports })
  expect([ended.code, ended.stdout]).toEqual([code, expect.stringMatching(text)])
})

const SAID =
  'a\n::set-env name=X::1\n\t::error::x\r::stop-commands::y ##[add-mask]a ##vso[task.setvariable variable=X]1 ##VSO[x\n'
const said = JSON.stringify(SAID)

it('no text of the store and the states module begins a workflow command of a CI system', async () => {
  const body = JSON.stringify([{ code: SAID, id: SAID }]) + SAID
  const origin = await listening(
    createServer((_request, response) => response.setHeader('content-type', 'application/json').end(body)),
  )
  const print = `process.stdout.write(${said}); process.stderr.write(${said})`
  const { stdout, stderr } = await run(['run', '--states-module', './states.mjs'], {
    env: { GITHUB_ACTIONS: 'true', STORE_API_KEY: 'k7Zq2Xw9-Tb4Rn8', STORE_BASE_URL: `${origin}/v1` },
    files: { 'states.mjs': `${print}\nexport const setup = () => { throw new Error(${said}) }` },
  })
  const lines = `${stdout}\n${stderr}`.split(/[\r\n]/)
  const begun = lines.filter(line => /^\s*::(?!(error|warning) title=)|##\[|##vso\[/i.test(line))
  expect(begun).toEqual([])
  expect(stdout + stderr).toContain('stop-commands::y')
})
