import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { bench } from '../cli/testing/bench.ts'
import { ruleMistakes } from '../run/select-rules.ts'
import { parseExpectedFailures } from '../settings/expected-failures.ts'
import { settings } from '../settings/settings.ts'
import { type Block, blockCalled, blocksOf, docs } from './testing/blocks.ts'
import { type Installation, install } from './testing/installation.ts'

const { plain, run } = bench()
let place: Installation
beforeAll(async () => {
  place = await install()
})
afterAll(() => place.remove())

const all = docs.flatMap(blocksOf)
const named = (block: Block) => [`${block.doc}:${block.line}`, block] as const
const can = (program: string, ...args: string[]) => spawnSync(program, args).status === 0

describe('shell', () => {
  const shell = all.filter(({ language, run }) => language === 'sh' && run)

  it.each(shell.map(named))('%s', async (_where, { text, exit }) => {
    const store = await plain()
    const env = {
      // The profile has fewer rules to judge.
      ...(text.includes('--only') ? {} : { STORE_PROFILE: '1.0.0-stable' }),
      // A block without an address judges the reference store.
      ...(text.includes('STORE_BASE_URL') ? { STORE_BASE_URL: store.baseUrl, STORE_API_KEY: store.key } : {}),
    }
    const { code, stdout, stderr } = await place.run('bash', ['-c', `set -e\n${text}`], env)
    expect(code, stdout + stderr).toBe(exit)
  })

  it('names only existing commands and flags, also in blocks that are not run', async () => {
    const { stdout: help } = await run(['--help'])
    const { stdout: flags } = await run(['run', '--help'])
    for (const { doc, line, text } of all.filter(({ language }) => language === 'sh')) {
      for (const command of text.matchAll(/store-conformance ([a-z]+)(.*)/g)) {
        expect(help, `${doc}:${line}`).toMatch(new RegExp(`^ {2}${command[1]}\\b`, 'm'))
        if (command[1] !== 'run' && command[1] !== 'doctor') continue
        for (const [flag] of (command[2] ?? '').matchAll(/--[a-z-]+/g))
          expect(flags, `${doc}:${line} ${flag}`).toContain(flag)
      }
    }
  })
})

it('the example of expected failures is valid, and names a rule', () => {
  const parsed = parseExpectedFailures(blockCalled('ci.md', 'expected-failures.yaml'))
  const entries = 'entries' in parsed ? parsed.entries : []
  expect(entries).toHaveLength(1)
  expect(ruleMistakes({ expectedFailures: { file: 'ci.md', entries } })).toEqual([])
})

describe('a states module, against a database', () => {
  /** A database client that has only the statements of the module, with the reference store as its database. */
  const database = `
import { referenceStore } from 'store-conformance'
export const store = referenceStore({ demo: false })
const { states, domain } = store
const statements = {
  'INSERT INTO orders (status) VALUES ($1) RETURNING id': ([status]) => states.setup(status + ' orders').orderIds[0],
  'INSERT INTO orders (status, id) VALUES ($1, $2) RETURNING id': ([, id]) => states.setup('pending order with id', { id }).orderIds[0],
  'INSERT INTO inventory (quantity) VALUES ($1) RETURNING id': ([quantity]) => states.setup('pets', { quantity }).petIds[0],
  'DELETE FROM orders WHERE id = ANY($1)': ([ids]) => ids.forEach(id => domain.orders.delete(BigInt(id))),
  'DELETE FROM inventory WHERE id = ANY($1)': ([ids]) => domain.stock.forEach(({ petId }, key) => ids.includes(petId) && domain.stock.delete(key)),
}
export const db = { query: async (sql, values) => ({ rows: [{ id: String(statements[sql](values)) }] }) }
`
  const judging = (how: string) => `
import { judge } from 'store-conformance'
import { store } from './db.mjs'
${how}
const { verdict, reason, counts, warnings } = await judge({ fetch: store.fetch, apiKey: store.apiKey, ...given })
console.log(verdict, reason ?? '', counts.failed, warnings.join(' '), store.domain.orders.size, store.domain.stock.size)
process.exit()
`
  const files = {
    'states.mjs': blockCalled('arranging-states.md', 'states.mjs'),
    'states-endpoint.mjs': blockCalled('arranging-states.md', 'states-endpoint.mjs'),
    'db.mjs': database,
  }

  it('as functions of a program: conformant, and all orders and pets are removed', async () => {
    place.write({
      ...files,
      'try.mjs': judging(`import * as states from './states.mjs'\nconst given = { states }`),
    })
    const { stdout, stderr } = await place.run(process.execPath, ['try.mjs'])
    expect(stderr).toBe('')
    expect(stdout).toBe('conformant  0  0 0\n')
  })

  const overEndpoint = judging(`import { server } from './states-endpoint.mjs'
server.listen(0, '127.0.0.1')
await new Promise(resolve => server.once('listening', resolve))
const given = { statesUrl: 'http://127.0.0.1:' + server.address().port + '/provider-states', statesToken: 'states-secret' }`)

  it('behind an endpoint: the same', async () => {
    place.write({ ...files, 'try.mjs': overEndpoint })
    const { stdout, stderr } = await place.run(process.execPath, ['try.mjs'], {
      STORE_STATES_TOKEN: 'states-secret',
    })
    expect(stderr).toBe('')
    expect(stdout).toBe('conformant  0  0 0\n')
  })

  it('by path, from the command', async () => {
    const store = await plain()
    place.write({
      'states-of-plain.mjs': blockCalled('arranging-states.md', 'states.mjs').replace(
        './db.mjs',
        './none.mjs',
      ),
      'none.mjs': `export const db = { query: async () => { throw new Error('no connection to the database') } }`,
    })
    const args = ['run', '--base-url', store.baseUrl, '--states-module', './states-of-plain.mjs']
    const { code, stdout } = await place.run('store-conformance', [...args, '--only', 'cancel-pending-204'], {
      STORE_API_KEY: store.key,
    })
    expect(code, stdout).toBe(3)
    const report = readFileSync(join(place.folder, 'reports/conformance.json'), 'utf8')
    expect(report).toContain('threw: no connection to the database')
  })
})

describe('other languages', () => {
  const python = blockCalled('arranging-states.md', 'provider_states.py')
  const java = blockCalled('arranging-states.md', 'ProviderStates.java')

  it.skipIf(!can('python3', '--version'))('Python compiles', async () => {
    place.write({ 'provider_states.py': python })
    const { code, stderr } = await place.run('python3', ['-m', 'py_compile', 'provider_states.py'])
    expect(code, stderr).toBe(0)
  })

  /** Only parses, because the imported frameworks are not installed. */
  const parser = `
import java.nio.file.Path;
import java.util.List;
import javax.tools.*;
import com.sun.source.util.JavacTask;
public class Parse {
  public static void main(String[] args) throws Exception {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var found = new DiagnosticCollector<JavaFileObject>();
    var files = compiler.getStandardFileManager(found, null, null).getJavaFileObjects(Path.of(args[0]));
    ((JavacTask) compiler.getTask(null, null, found, List.of(), null, files)).parse();
    found.getDiagnostics().forEach(System.err::println);
    System.exit(found.getDiagnostics().isEmpty() ? 0 : 1);
  }
}
`
  it.skipIf(!can('java', '-version'))('Java parses', async () => {
    place.write({
      'Parse.java': parser,
      'ProviderStates.java': java,
      'Broken.java': java.replace('return Map.of();', 'return'),
    })
    const parse = (file: string) => place.run('java', ['Parse.java', file])
    const [whole, broken] = await Promise.all([parse('ProviderStates.java'), parse('Broken.java')])
    expect(whole.code, whole.stderr).toBe(0)
    expect(broken.code).not.toBe(0)
  })
})

describe('YAML', () => {
  const action = parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8'))

  it('the workflow uses only existing inputs of the action', () => {
    const { jobs } = parse(blockCalled('ci.md', '.github/workflows/conformance.yml'))
    const { steps } = jobs.conformance
    const judge = steps.find(({ uses = '' }) => uses.includes('/store-conformance@'))
    const known = Object.entries<{ required?: boolean }>(action.inputs)
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(judge.with)))
    for (const [name, { required }] of known) if (required) expect(judge.with).toHaveProperty(name)
  })

  it('the job extends the template, and uses only existing variables', () => {
    const template = parse(readFileSync(new URL('../ci/gitlab.yml', import.meta.url), 'utf8'))
    const job = parse(blockCalled('ci.md', '.gitlab-ci.yml')).conformance
    expect(template).toHaveProperty([job.extends])
    const variables = Object.values(settings).flatMap(info => ('variable' in info ? [info.variable] : []))
    for (const name of [...Object.keys(job.variables), ...Object.keys(template[job.extends].variables)])
      expect([...variables, 'STORE_CONFORMANCE_VERSION']).toContain(name)
  })
})

it.each(docs)('every block of %s has a tested language', doc => {
  const kinds = ['sh', 'js', 'ts', 'python', 'java', 'yaml', 'text']
  expect(kinds).toEqual(expect.arrayContaining(blocksOf(doc).map(({ language }) => language)))
})
