import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { bench } from './testing/bench.ts'

const { run, reference, folder, listening } = bench()
const ONE = ['--only', 'list-orders-200']

describe.concurrent('links in the working folder', () => {
  it('a reports folder that is a link is refused before anything is sent', async () => {
    const [at, elsewhere] = [folder(), realpathSync(folder())]
    symlinkSync(elsewhere, join(at, 'reports'))
    const ended = await run(ONE, { folder: at })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(
      `reports is a link, or in one, to ${elsewhere}; name that folder with --out`,
    )
    expect((await run([...ONE, '--out', elsewhere], { folder: at })).code).toBe(0)
  })

  it('a report replaces a link in its place, and writes nothing where the link points', async () => {
    const at = folder()
    mkdirSync(join(at, 'reports'))
    writeFileSync(join(at, 'precious'), 'precious')
    for (const name of ['exchanges.har', '.conformance.json.partial'])
      symlinkSync(join(at, 'precious'), join(at, 'reports', name))
    const ended = await run(ONE, { folder: at })
    expect(ended.code).toBe(0)
    expect(readFileSync(join(at, 'precious'), 'utf8')).toBe('precious')
    expect(ended.read('reports/exchanges.har')).toContain('"entries"')
  })
})

test.each([
  ['throw { toString() { throw 1 } }', 'threw: a value that cannot be printed'],
  ["throw new Error('long '.repeat(100_000))", /threw: (long )*…/],
  ['return new Proxy({}, { get() { throw Object.create(null) } })', 'threw: a value that'],
])('a states module whose setup has %j, and that changes the folder, does not matter', async (body, said) => {
  const { env } = await reference()
  const { STORE_STATES_URL: _url, ...rest } = env
  const module = `import { tmpdir } from 'node:os'\nexport function setup() { process.chdir(tmpdir()); ${body} }`
  const ended = await run(['--only', 'cancel-pending-204,list-orders-200'], {
    env: { ...rest, STORE_STATES_MODULE: './states.mjs' },
    files: { 'states.mjs': module },
  })
  expect(ended.code).toBe(3)
  expect(ended.rule('list-orders-200').outcome).toBe('passed')
  expect(ended.rule('cancel-pending-204').message).toMatch(said)
  expect(ended.rule('cancel-pending-204').message?.length).toBeLessThan(500)
  expect(ended.stderr).not.toMatch(/internal error/i)
})

describe.concurrent('no text from outside begins a workflow command of a CI system', () => {
  const SAID =
    'a\n::set-env name=X::1\n\t::error::x\r::stop-commands::y ##[add-mask]a ##vso[task.setvariable variable=X]1\n'
  const store = async (status: number) => {
    const location = `/${encodeURIComponent(SAID)}`
    const origin = await listening(
      createServer((_request, response) =>
        response
          .writeHead(status, { 'content-type': 'application/json', location })
          .end(JSON.stringify([{ code: SAID, id: SAID }]) + SAID),
      ),
    )
    return `${origin}/v1`
  }
  const loud = `console.log(${JSON.stringify(SAID)}); console.error(${JSON.stringify(SAID)})`
  const journal = (baseUrl: string) => JSON.stringify({ baseUrl, pets: [{ petId: '1', quantity: '5' }] })

  it.each([
    ['run', 200, ['run']],
    ['doctor', 401, ['doctor']],
    ['restore', 400, ['restore']],
    ['verify', 400, ['verify', 'certificate.zip']],
    ['an unknown command', 200, ['run', SAID]],
    ['an unknown rule', 200, ['explain', SAID]],
  ])('%s, with a store that answers %i', async (_title, status, args) => {
    const baseUrl = await store(status)
    const at = folder()
    mkdirSync(join(at, 'reports'))
    if (args[0] === 'restore') writeFileSync(join(at, 'reports', 'undo.json'), journal(baseUrl))
    const isRun = args[0] === 'run' || args[0] === 'doctor'
    const ended = await run(args, {
      folder: at,
      env: {
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        STORE_API_KEY: 'k7Zq2Xw9-Tb4Rn8',
        STORE_BASE_URL: baseUrl,
        ...(isRun ? { STORE_STATES_MODULE: './states.mjs' } : {}),
      },
      files: {
        'states.mjs': `${loud}\nexport const setup = () => { ${loud}; throw new Error(${JSON.stringify(SAID)}) }`,
        'certificate.zip': SAID,
      },
    })
    const own = /^::(error|warning|notice) title=/
    const begun = `${ended.stdout}\n${ended.stderr}`
      .split(/[\r\n]/)
      .filter(line => /^\s*::|##\[|##vso\[/.test(line) && !own.test(line))
    expect(begun).toEqual([])
    expect(ended.stderr).not.toMatch(/internal error/i)
  })
})
