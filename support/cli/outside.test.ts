import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { newFolder } from '../wire/testing/folder.ts'
import { bench } from './testing/bench.ts'

const { run, plain, listening } = bench()
const ONE = ['run', '--target', 'reference', '--only', 'list-orders-200']

describe.concurrent('links in the working folder', () => {
  it('a reports folder that is a link is refused before anything is sent', async () => {
    const [at, elsewhere] = [newFolder(), realpathSync(newFolder())]
    symlinkSync(elsewhere, join(at, 'reports'))
    const ended = await run(ONE, { folder: at })
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain(
      `reports is a link, or in one, to ${elsewhere}; name that folder with --out`,
    )
    expect((await run([...ONE, '--out', elsewhere], { folder: at })).code).toBe(0)
  })

  it('a report replaces a link in its place, and writes nothing where the link points', async () => {
    const at = newFolder()
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
  'throw { toString() { throw 1 } }',
  "throw new Error('long '.repeat(100_000))",
  'return new Proxy({}, { get() { throw Object.create(null) } })',
])('a states module whose setup has %j, and that changes the folder, does not matter', async body => {
  const { env } = await plain()
  const module = `import { tmpdir } from 'node:os'\nexport function setup() { process.chdir(tmpdir()); ${body} }`
  const ended = await run(['run', '--only', 'cancel-pending-204,list-orders-200'], {
    env: { ...env, STORE_STATES_MODULE: './states.mjs' },
    files: { 'states.mjs': module },
  })
  expect(ended.code).toBe(3)
  expect(ended.rule('list-orders-200').outcome).toBe('passed')
  expect(ended.rule('cancel-pending-204').message).toMatch(/^.{1,20}states module .* threw: .{0,400}$/)
  expect(ended.stderr).not.toMatch(/internal error/i)
})

describe('no text from outside begins a workflow command of a CI system', () => {
  const SAID =
    'a\n::set-env name=X::1\n\t::error::x\r::stop-commands::y ##[add-mask]a ##vso[task.setvariable variable=X]1\n'
  const said = JSON.stringify(SAID)
  const module = `process.stdout.write(${said}); process.stderr.write(${said})
export const setup = () => { throw new Error(${said}) }`

  it.each([
    ['the store and the states module', ['run', '--states-module', './states.mjs']],
    ['the command line', ['list', SAID]],
  ])('text of %s', async (_source, args) => {
    const origin = await listening(
      createServer((_request, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify([{ code: SAID, id: SAID }]) + SAID),
      ),
    )
    const { stdout, stderr } = await run(args, {
      env: { GITHUB_ACTIONS: 'true', STORE_API_KEY: 'k7Zq2Xw9-Tb4Rn8', STORE_BASE_URL: `${origin}/v1` },
      files: { 'states.mjs': module },
    })
    const own = /^::(error|warning|notice) title=/
    const begun = `${stdout}\n${stderr}`
      .split(/[\r\n]/)
      .filter(line => /^\s*::|##\[|##vso\[/.test(line) && !own.test(line))
    expect(begun).toEqual([])
    expect(stdout + stderr).toContain('stop-commands::y')
  })
})
