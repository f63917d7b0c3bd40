import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { bench } from '../cli/testing/bench.ts'
import { blockCalled, blocksOf, install } from './testing/blocks.ts'

const { plain, reference } = bench()
let place: Awaited<ReturnType<typeof install>>
beforeAll(async () => {
  place = await install()
})

/** The module that the snippets import as `./states.js`. */
const statesModule = `
const post = async body =>
  (await fetch(process.env.STATES_URL, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json()
export const setup = (state, params) => post({ state, params, action: 'setup' })
export const teardown = (state, params) => post({ state, params, action: 'teardown' })
`

/** The arguments of Node that start each runner. */
const runners = {
  vitest: ['node_modules/vitest/vitest.mjs', 'run', '--root', 'vitest'],
  node: ['--test', '--test-reporter=spec', 'node/conformance.test.js'],
} as const

it.concurrent.each(Object.entries(runners))(
  'one test for each rule, in %s: of a wrong store some are red, with the reason, and the others pass',
  async (name, args) => {
    const file = `${name}/conformance.test.js`
    place.write({ [file]: blockCalled('embedding.md', file), [`${name}/states.js`]: statesModule })
    const { env, statesUrl } = await reference({ faults: ['shipped-cancelled'] })
    const ended = await place.run(process.execPath, args, { ...env, STATES_URL: statesUrl })
    const text = ended.stdout + ended.stderr
    expect(ended.code).not.toBe(0)
    expect(text).toMatch(/\b[1-9]\d? failed\b|\bfail [1-9]\d?\b/)
    expect(text).toMatch(/\b2\d\d passed\b|\bpass 2\d\d\b/)
    expect(text).toContain('expected 409, got 204')
  },
)

describe.concurrent('programs', () => {
  const programs = {
    'judge.mjs': /^conformant \{/,
    'each.mjs': /^/,
    'abort.mjs': /^incomplete The run was stopped/,
    // It is judged without a port.
    'fetch.mjs': /^incomplete\n$/,
  }

  it.each(Object.entries(programs))('%s prints what its page says', async (file, printed) => {
    const store = await plain()
    const [stock, before] = [new Map(store.stock), store.dump()]
    place.write({ [file]: blockCalled('embedding.md', file) })
    const { code, stdout, stderr } = await place.run(process.execPath, [file], store.env)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(printed)
    if (file !== 'judge.mjs') expect(store.dump()).toBe(before)
    expect(store.stock).toEqual(stock)
    const methods = store.requests.map(({ method }) => method)
    if (file === 'each.mjs') expect(methods).toContain('PATCH')
    if (file === 'fetch.mjs') expect(methods).toEqual([])
  })

  it('all have a test', () => {
    const files = blocksOf('embedding.md').flatMap(({ file = [] }) => file)
    const tests = Object.keys(runners).map(name => `${name}/conformance.test.js`)
    expect(files.sort()).toEqual([...Object.keys(programs), ...tests].sort())
  })
})

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
/** Judges the store twice: with the functions of the module, and with the endpoint. */
const program = `
import { judge } from 'store-conformance'
import { store } from './db.mjs'
import { server } from './states-endpoint.mjs'
import * as states from './states.mjs'
server.listen(0, '127.0.0.1')
await new Promise(resolve => server.once('listening', resolve))
const statesUrl = 'http://127.0.0.1:' + server.address().port + '/provider-states'
for (const given of [{ states }, { statesUrl, statesToken: 'states-secret' }]) {
  const { verdict, reason, counts, warnings } = await judge({ fetch: store.fetch, apiKey: store.apiKey, ...given })
  console.log(verdict, reason ?? '', counts.failed, warnings.join(' '), store.domain.orders.size, store.domain.stock.size)
}
process.exit()
`

it('a states module, against a database, as functions of a program and behind an endpoint: conformant, and all orders and pets are removed', async () => {
  for (const file of ['states.mjs', 'states-endpoint.mjs'])
    place.write({ [file]: blockCalled('arranging-states.md', file) })
  place.write({ 'db.mjs': database, 'try.mjs': program })
  const env = { STORE_STATES_TOKEN: 'states-secret' }
  const { stdout, stderr } = await place.run(process.execPath, ['try.mjs'], env)
  expect(stderr).toBe('')
  expect(stdout).toBe('conformant  0  0 0\n'.repeat(2))
})
// Nothing is compiled further, because the imported frameworks are not installed.
it.for([
  ['provider_states.py', 'python3', '-m', 'py_compile'],
  ['ProviderStates.java', 'javac', '-XDshould-stop.ifNoError=PARSE'],
  ['provider_states.go', 'gofmt', '-e'],
  ['provider-states.php', 'php', '-l'],
] as const)('%s can be parsed', async ([file, program, ...args], { skip }) => {
  skip(spawnSync(program, ['--version']).error !== undefined)
  place.write({ [file]: blockCalled('arranging-states.md', file) })
  const { code, stderr } = await place.run(program, [...args, file])
  expect(code, stderr).toBe(0)
})
