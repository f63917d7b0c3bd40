import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { judge } from '../embed/index.ts'
import { type Override, referenceStore, serve } from '../reference/index.ts'
import type { Report } from '../report/report.ts'
import { COMMAND, type EndedProcess, inFolder, node } from './processes.ts'

/**
 * Development tool: measures the speed of the suite, and compares each figure with the least possible figure on the same machine. Each
 * argument is a part of a name, and selects lines.
 *
 *     npm run bench -- judge
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

/**
 * The reference store behind a port, which counts its responses.
 * @param delayMs added to every response @param orders number of orders to add to the list
 */
async function benchStore({ delayMs = 0, orders = 0 }) {
  // Ids and pets that the reference store does not use.
  const further = Array.from(
    { length: orders },
    (_, at) =>
      `{"id":${10_000_000 + at},"petId":${700_000 + (at % 900)},"quantity":${1 + (at % 7)},"shipDate":"2026-10-0${1 + (at % 9)}T10:00:00Z","complete":${at % 2 === 0}}`,
  )
  const rest = Buffer.from(`${further.map(each => `,${each}`).join('')}]`)
  const seen = { requests: 0, listOrders: 0 }
  const counting: Override = base => ({
    finish: async (answer, ctx) => {
      seen.requests += 1
      const isList = answer.status === 200 && ctx.operation === 'listOrders'
      if (isList) seen.listOrders += 1
      if (delayMs > 0) await sleep(delayMs)
      const finished = await base.finish(answer, ctx)
      if (!isList || orders === 0) return finished
      return { ...finished, body: Buffer.concat([(finished.body ?? Buffer.of()).subarray(0, -1), rest]) }
    },
  })
  const store = referenceStore({ overrides: [counting] })
  return { ...(await serve(store)), apiKey: store.apiKey, seen }
}

type BenchStore = Awaited<ReturnType<typeof benchStore>>

const delayed = (delayMs: number, concurrency: number): Line => ({
  name: `judge(), ${delayMs} ms a response, concurrency ${concurrency}`,
  floor: `requests × ${delayMs} ms ÷ ${concurrency}`,
  rounds: 3,
  async round() {
    const store = await benchStore({ delayMs })
    const { ms } = await timed(() => judgeAt(store, concurrency))
    await store.close()
    const { requests, listOrders } = store.seen
    const note = `${requests} requests, ${Math.round(ms / delayMs)} round trips, ${listOrders} order lists`
    return { figure: ms, floor: (requests * delayMs) / concurrency, note }
  },
})

const CONCURRENCY = 8

const judgeAt = ({ baseUrl, statesUrl, apiKey }: BenchStore, concurrency: number): Promise<Report> =>
  judge({ baseUrl, statesUrl, apiKey, concurrency, seed: SEED, timeoutMs: 60_000 })

const sameRequests: Line = {
  name: 'judge()',
  floor: `the same requests by undici, ${CONCURRENCY} at a time`,
  rounds: 10,
  async round() {
    const store = await benchStore({})
    const { ms, result } = await timed(() => judgeAt(store, CONCURRENCY))
    const bare = await timed(() => resend(store, result))
    await store.close()
    return { figure: ms, floor: bare.ms }
  },
}

async function resend({ baseUrl, apiKey }: BenchStore, { exchanges }: Report): Promise<void> {
  const pool = new Pool(new URL(baseUrl).origin, { connections: CONCURRENCY, pipelining: 1 })
  const waiting = exchanges.values()
  const worker = async () => {
    for (const { request } of waiting) {
      const { pathname, search } = new URL(request.url)
      const { body } = await pool.request({
        method: request.method as 'GET',
        path: pathname + search,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: request.body ?? null,
      })
      await body.arrayBuffer()
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

const large = (orders: number, rounds: number): Line => ({
  name: `run, ${orders.toLocaleString('en')} orders`,
  floor: 'fetch and JSON.parse of the list once',
  rounds,
  async round() {
    const store = await benchStore({ orders })
    const list = `${store.baseUrl}/store/orders`
    const bare = await node(['--input-type=module', '-e', FETCH_AND_PARSE, list, store.apiKey])
    const address = ['--base-url', store.baseUrl, '--states-url', store.statesUrl]
    const ran = await suite(['run', ...address, '--timeout', '60000', '--seed', String(SEED)], {
      STORE_API_KEY: store.apiKey,
    })
    await store.close()
    const note = `exit ${ran.code}, ${(ran.ms / 1000).toFixed(1)} s, ${ran.peakMb} MB beside ${bare.peakMb} MB, ${store.seen.listOrders} order lists`
    return { figure: ran.ms, floor: Number(bare.stdout), note }
  },
})

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

const command = (...args: string[]): Line => ({
  name: args.join(' '),
  floor: 'node -e 0',
  rounds: 10,
  async round() {
    const bare = await node(['-e', '0'])
    const ran = await suite(args)
    return { figure: ran.ms, floor: bare.ms, note: `${Math.round(ran.ms)} ms, exit ${ran.code}` }
  },
})

/** Runs the command in a folder that is removed afterwards. */
const suite = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<EndedProcess> =>
  inFolder(folder => node([COMMAND, ...args], { folder, env }))

const lines: readonly Line[] = [
  delayed(100, 8),
  delayed(100, 64),
  sameRequests,
  large(100_000, 3),
  large(300_000, 2),
  large(1_000_000, 1),
  wholeRun,
  command('--help'),
  command('list'),
  command('explain', 'cancel-pending-204'),
  command('selfcheck', '--fault', 'cancel-all'),
]

const selected = process.argv.slice(2)
for (const { name, floor, rounds, round } of lines) {
  if (selected.length > 0 && !selected.some(part => name.includes(part))) continue
  const ratios: number[] = []
  let note: string | undefined
  for (let nth = 0; nth < rounds; nth += 1) {
    const seen = await round()
    ratios.push(Number((seen.figure / seen.floor).toPrecision(3)))
    note = seen.note
  }
  ratios.sort((a, b) => a - b)
  const ratio = ratios[Math.floor((rounds - 1) / 2)]
  console.log(`${String(ratio).padStart(6)} × ${floor.padEnd(40)} ${name}`)
  console.log(
    `${' '.repeat(9)}${ratios[0]} to ${ratios.at(-1)} in ${rounds} rounds${note ? `; last: ${note}` : ''}`,
  )
}
