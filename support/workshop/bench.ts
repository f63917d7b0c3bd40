import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Pool } from 'undici'
import { judge } from '../embed/index.ts'
import type { Report } from '../report/report.ts'
import { type BenchServer, benchServer } from './bench-server.ts'
import { COMMAND, type Ended, inFolder, node } from './processes.ts'

/**
 * Development tool: measures the speed of the suite, and compares each figure with the least possible figure on the same machine.
 *
 *     npm run bench                 all lines
 *     npm run bench -- process      some: slow, judging, large, process, selfcheck
 */
interface Line {
  readonly name: string
  /** The least possible figure, measured in the same round. The figure is divided by it. */
  readonly floor: string
  readonly rounds: number
  round(): Promise<{ readonly figure: number; readonly floor: number; readonly note?: string }>
}

const SEED = 1

async function timed<Result>(act: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const startedAt = performance.now()
  const result = await act()
  return { ms: performance.now() - startedAt, result }
}

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
        const address = ['--base-url', server.baseUrl, '--states-url', server.statesUrl]
        const ran = await suite(['run', ...address, '--timeout', '60000', '--seed', String(SEED)], {
          STORE_API_KEY: server.store.apiKey,
        })
        await server.close()
        memory = { figure: ran.peakMb, floor: bare.peakMb }
        const note = `exit ${ran.code}, ${(ran.ms / 1000).toFixed(1)} s, ${ran.peakMb} MB, ${server.seen.orderLists} order lists`
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
  round: () =>
    inFolder(async folder => {
      await writeFile(join(folder, 'empty.test.js'), "it('is empty', () => {})")
      const bare = await node(['node_modules/vitest/vitest.mjs', 'run', '--globals', '--root', folder])
      if (bare.code !== 0) throw new Error(`Vitest ended with ${bare.code}: ${bare.stdout}`)
      const ran = await suite(['run'])
      return { figure: ran.ms, floor: bare.ms, note: `exit ${ran.code}` }
    }),
}

const commandLine = (
  rounds: number,
  floor: string,
  args: readonly string[],
  least: () => Promise<Ended>,
): Line => ({
  name: args.join(' '),
  floor,
  rounds,
  async round() {
    const bare = await least()
    const ran = await suite(args)
    return { figure: ran.ms, floor: bare.ms, note: `${Math.round(ran.ms)} ms, exit ${ran.code}` }
  },
})

const command = (...args: string[]): Line => commandLine(10, 'node -e 0', args, () => node(['-e', '0']))

/** Runs the command in a folder that is removed afterwards. */
const suite = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  inFolder(folder => node([COMMAND, ...args], { folder, env }))

/** The lines of the table, by the name of the argument that selects them. */
const lines: Readonly<Record<string, readonly Line[]>> = {
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
  selfcheck: [
    command('selfcheck', '--fault', 'cancel-all'),
    commandLine(1, 'run on the reference store', ['selfcheck'], () => suite(['run'])),
  ],
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !Object.hasOwn(lines, name))
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Choose from ${Object.keys(lines).join(', ')}.`)
  process.exit(2)
}
const rounded = (value = 0): number => Number(value.toPrecision(3))
const measured: object[] = []
for (const { name, floor, rounds, round } of Object.keys(lines)
  .filter(each => wanted.length === 0 || wanted.includes(each))
  .flatMap(each => lines[each] ?? [])) {
  const ratios: number[] = []
  let note: string | undefined
  for (let nth = 0; nth < rounds; nth += 1) {
    const seen = await round()
    ratios.push(seen.figure / seen.floor)
    note = seen.note
  }
  ratios.sort((a, b) => a - b)
  const [ratio, least, greatest] = [ratios[Math.floor((rounds - 1) / 2)], ratios[0], ratios.at(-1)].map(
    rounded,
  )
  measured.push({ name, floor, rounds, ratio, least, greatest, note })
  console.log(`${String(ratio).padStart(6)} × ${floor.padEnd(40)} ${name}`)
  console.log(`${' '.repeat(9)}${least} to ${greatest} in ${rounds} rounds${note ? `; last: ${note}` : ''}`)
}
await mkdir('reports', { recursive: true })
await writeFile(
  'reports/bench.json',
  `${JSON.stringify({ node: process.version, lines: measured }, null, 2)}\n`,
)
