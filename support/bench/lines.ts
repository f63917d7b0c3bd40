import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Pool } from 'undici'
import { judge } from '../embed/index.ts'
import type { Report } from '../report/report.ts'
import { type Line, node, timed } from './measure.ts'
import { type BenchServer, benchServer } from './servers.ts'

const MAIN = 'dist/support/cli/main.js'
const SEED = 1

const delayed = (delayMs: number, concurrency: number): Line => ({
  name: `judge(), ${delayMs} ms a response, concurrency ${concurrency}`,
  floor: `requests × ${delayMs} ms ÷ ${concurrency}`,
  rounds: 3,
  async round() {
    const server = await benchServer({ delayMs })
    const { ms } = await timed(() => judgeAt(server, concurrency))
    await server.close()
    const { requests, orderLists, inventories, inFlight } = server.seen
    const note = `${requests} requests, ${Math.round(ms / delayMs)} round trips, ${(inFlight / ms).toFixed(1)} in flight, ${orderLists} order lists, ${inventories} inventories`
    return { figure: ms, floor: (requests * delayMs) / concurrency, note }
  },
})

/** The same requests, at the same concurrency, by the HTTP client alone. */
const sameRequests = (floor: string, resend: Resend): Line => ({
  name: 'judge()',
  floor,
  rounds: 10,
  async round() {
    const server = await benchServer({})
    const { ms, result } = await timed(() => judgeAt(server, CONCURRENCY))
    const bare = await timed(() => resend(server, result))
    await server.close()
    return { figure: ms, floor: bare.ms }
  },
})

const CONCURRENCY = 8

const judgeAt = ({ baseUrl, statesUrl, store }: BenchServer, concurrency: number): Promise<Report> =>
  judge({ baseUrl, statesUrl, apiKey: store.apiKey, concurrency, seed: SEED, timeoutMs: 60_000 })

type Resend = (server: BenchServer, report: Report) => Promise<void>

/** @param isFresh whether a request gets a connection of its own */
const resending =
  (isFresh: (exchange: Report['exchanges'][number]) => boolean): Resend =>
  async ({ baseUrl, store }, { exchanges }) => {
    const { origin } = new URL(baseUrl)
    const pool = new Pool(origin, { connections: CONCURRENCY, pipelining: 1 })
    const waiting = [...exchanges]
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { request } = next
        const { pathname, search } = new URL(request.url)
        const through = isFresh(next) ? new Client(origin) : pool
        const { body } = await through.request({
          method: request.method as 'GET',
          path: pathname + search,
          headers: { authorization: `Bearer ${store.apiKey}`, 'content-type': 'application/json' },
          body: request.body ?? null,
        })
        await body.arrayBuffer()
        if (through !== pool) await through.destroy()
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, worker))
    await pool.close()
  }

/** Measures one fetch and parse of a list, in a separate process. */
const FETCH_AND_PARSE = `
  const [url, key] = process.argv.slice(1)
  const get = async () => JSON.parse(await (await fetch(url, { headers: { authorization: 'Bearer ' + key } })).text()).length
  await get()
  const startedAt = performance.now()
  await get()
  console.log(performance.now() - startedAt)
`

function large(orders: number, rounds: number): Line[] {
  let memory = { figure: 1, floor: 1 }
  const name = `run, ${orders.toLocaleString('en')} orders`
  return [
    {
      name: `${name}: time`,
      floor: 'fetch and JSON.parse of the list once',
      rounds,
      async round() {
        const server = await benchServer({ orders })
        const bare = await node([
          '--input-type=module',
          '-e',
          FETCH_AND_PARSE,
          `${server.baseUrl}/store/orders`,
          server.store.apiKey,
        ])
        const ran = await node(
          [
            MAIN,
            'run',
            ...['--base-url', server.baseUrl, '--states-url', server.statesUrl],
            ...['--timeout', '60000', '--seed', String(SEED), '--out', await emptyFolder()],
          ],
          { STORE_API_KEY: server.store.apiKey },
        )
        await server.close()
        memory = { figure: ran.peak ?? Number.NaN, floor: bare.peak ?? Number.NaN }
        const note = `exit ${ran.code}, ${(ran.ms / 1000).toFixed(1)} s, ${ran.peak} MB, ${server.seen.orderLists} order lists`
        return { figure: ran.ms, floor: Number(bare.stdout), note }
      },
    },
    {
      name: `${name}: peak memory`,
      floor: 'the same fetch and parse',
      rounds: 1,
      round: async () => ({ ...memory, note: `${memory.figure} MB beside ${memory.floor} MB` }),
    },
  ]
}

/** Compares the whole command with a test runner that runs one empty test. */
const wholeRun: Line = {
  name: 'run, whole process',
  floor: 'vitest run of one empty test',
  rounds: 10,
  async round() {
    const folder = await emptyFolder()
    await writeFile(join(folder, 'empty.test.js'), "it('is empty', () => {})")
    const bare = await node(['node_modules/vitest/vitest.mjs', 'run', '--globals', '--root', folder])
    if (bare.code !== 0) throw new Error(`Vitest ended with ${bare.code}: ${bare.stdout}`)
    const ran = await node([MAIN, 'run', '--out', await emptyFolder()])
    return { figure: ran.ms, floor: bare.ms, note: `exit ${ran.code}` }
  },
}

const command = (...args: string[]): Line => ({
  name: args.join(' '),
  floor: 'node -e 0',
  rounds: 10,
  async round() {
    const bare = await node(['-e', '0'])
    const ran = await node([MAIN, ...args])
    return { figure: ran.ms, floor: bare.ms }
  },
})

const selfCheck: Line = {
  name: 'selfcheck of one fault',
  floor: 'node -e 0',
  rounds: 10,
  async round() {
    const bare = await node(['-e', '0'])
    const ran = await node([MAIN, 'selfcheck', '--fault', 'cancel-all', '--out', await emptyFolder()])
    return { figure: ran.ms, floor: bare.ms, note: `${Math.round(ran.ms)} ms, exit ${ran.code}` }
  },
}

const wholeSelfCheck: Line = {
  name: 'selfcheck, all faults and freedoms',
  floor: 'run on the reference store',
  rounds: 1,
  async round() {
    const bare = await node([MAIN, 'run', '--out', await emptyFolder()])
    const ran = await node([MAIN, 'selfcheck', '--out', await emptyFolder()])
    return { figure: ran.ms, floor: bare.ms, note: `${(ran.ms / 1000).toFixed(0)} s, exit ${ran.code}` }
  },
}

const emptyFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'store-conformance-bench-'))

/** The lines of the table, by the name of the argument that selects them. */
export const lines: Readonly<Record<string, readonly Line[]>> = {
  slow: [delayed(100, 8), delayed(100, 64)],
  judging: [
    sameRequests(
      'the same requests by undici, 8 at a time',
      resending(() => false),
    ),
    sameRequests(
      'the same, fresh connections as well',
      resending(({ connection }) => connection === 'fresh'),
    ),
  ],
  large: [...large(100_000, 3), ...large(300_000, 2), ...large(1_000_000, 1)],
  process: [wholeRun, command('--help'), command('list'), command('explain', 'cancel-pending-204')],
  selfcheck: [selfCheck, wholeSelfCheck],
}
