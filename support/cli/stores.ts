import { once } from 'node:events'
import { type Command, Option } from 'commander'
import { faults } from '../../suites/faults/index.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import { DEFAULT_API_KEY, type Override, referenceStore, serve as served } from '../reference/index.ts'
import { writeWhole } from '../report/write.ts'
import { ensureWritable } from '../run/reported-run.ts'
import { performAll } from '../selfcheck/pool.ts'
import { findingsOf, gapsOf, type TaskResult } from '../selfcheck/prove.ts'
import { itemCalled, showStatus, wholeNumber } from './flags.ts'

type Change = { readonly id: string; readonly override: Override }
interface Changes {
  readonly fault?: readonly Change[]
  readonly freedom?: readonly Change[]
  readonly seed: number
}
const called = (kind: string, all: readonly Change[]) => (ids: string) =>
  ids.split(',').map(id => itemCalled(id, kind, all))
const changing = (command: Command, to: string): Command =>
  command
    .option('--fault <ids>', `faults to ${to}, comma-separated`, called('fault', faults))
    .option('--freedom <ids>', `freedoms to ${to}, comma-separated`, called('freedom', freedoms))

/** `serve`: one store, for as long as the user wants. */
export const addServe = (command: Command): Command =>
  changing(command, 'add')
    .option('--port <number>', 'port to listen on (default: a free one)', wholeNumber(0, 65_535))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <number>', 'seed of the demo data', wholeNumber(0, 2 ** 31 - 1), 1)
    .addHelpText('after', SERVE_HELP)
    .action(serve)

const SERVE_HELP = `
The API key comes from STORE_API_KEY. Without it, the command prints the key of the reference store.

Example:
  npx --no-install store-conformance serve --port 8080`

type Served = Changes & { readonly port?: number; readonly host: string }

async function serve({ port = 0, host, seed, fault = [], freedom = [] }: Served): Promise<void> {
  const { STORE_API_KEY: own, STORE_REVOKED_API_KEY: revoked } = process.env
  const apiKey = own || DEFAULT_API_KEY
  const overrides = [...fault, ...freedom].map(({ override }) => override)
  const store = referenceStore({ apiKey, seed, overrides, ...(revoked && { revokedKeys: [revoked] }) })
  const { baseUrl, statesUrl, close } = await served(store, { port, host })
  // Before the address is printed, so that no signal is missed.
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  process.stdout.write(`The reference store is running. Ctrl-C stops it. Its data is in memory.

  base URL         ${baseUrl}
  API key          ${own ? 'the value of STORE_API_KEY' : apiKey}
  provider states  ${statesUrl}

  ${own ? '' : `export STORE_API_KEY=${apiKey}\n  `}curl -H "Authorization: Bearer $STORE_API_KEY" ${baseUrl}/store/orders
`)
  await ended
  await close()
}

/** `selfcheck`: every store, one after the other, each judged as a run judges it. */
export const addSelfcheck = (command: Command): Command =>
  changing(command, 'judge alone')
    .option('--generated <count>', 'this many faults that are generated from the seed', wholeNumber(1, 9999))
    .addOption(
      new Option('--mode <how>', 'with provider states, with named ids, or both')
        .choices(['states', 'named', 'both'])
        .default('states'),
    )
    .option('--seed <number>', 'seed of the generated values', wholeNumber(0, 999_999_999), 1)
    .option('--out <folder>', 'folder for selfcheck.json', 'reports')
    .addHelpText('after', SELFCHECK_HELP)
    .action(selfcheck)

const SOUND =
  'every fault turns a rule red that it names and none of another folder, and every freedom is accepted'
const SELFCHECK_HELP = `
Exit: 0 ${SOUND} · 1 otherwise · 2 wrong usage

Example:
  npx --no-install store-conformance selfcheck --fault third-cancel-succeeds`

interface Checked extends Changes {
  readonly generated?: number
  readonly mode: 'states' | 'named' | 'both'
  readonly out: string
}

async function selfcheck({ fault = [], freedom = [], generated = 0, mode, seed, out }: Checked) {
  ensureWritable(out)
  const chosen = [...fault, ...freedom].map(({ id }) => id)
  for (let nth = 0; nth < generated; nth += 1) chosen.push(`generated-${seed}-${nth}`)
  const ids = chosen.length > 0 ? chosen : [...faults, ...freedoms].map(({ id }) => id)
  const modes = mode === 'both' ? (['states', 'named'] as const) : [mode]
  const tasks = modes.flatMap(mode => ids.map(id => ({ id, mode, seed })))
  const results = await performAll(tasks, done => showStatus(`${done} of ${tasks.length} stores judged`))
  showStatus()
  const findings = findingsOf(results, chosen.length > 0 ? [] : gapsOf())
  writeWhole(out, 'selfcheck.json', `${JSON.stringify(findings, undefined, 2)}\n`)
  const { gaps, killed, outOfReach, flagged, isSound, ...counts } = findings
  const lines = [
    ...results.filter(({ good }) => tasks.length === 1 || !good).flatMap(linesOf),
    ...gaps.map(gap => `✗ ${gap}`),
    `${counts.rules} rules · ${counts.faults} faults: ${killed} killed, ${outOfReach} out of reach · ${counts.freedoms} freedoms: ${flagged} flagged · ${gaps.length} gaps`,
    isSound ? `Sound: ${SOUND}.` : 'Not sound.',
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  process.exitCode = isSound ? 0 : 1
}

function linesOf({ kind, id, mode, good, outOfReach, generated, ...rules }: TaskResult): string[] {
  const { red, missing, foreign, open } = rules
  const proved = kind === 'fault' ? 'detected' : 'accepted'
  const judged = good ? proved : `not ${proved} ${generated ?? ''}`
  const outcome = outOfReach ? `out of reach: ${outOfReach}` : judged
  const facts = [
    ['red', red.length > 0 ? red : ['nothing']],
    ['should fail, but did not', missing],
    ['failed, but should not', foreign],
    ['without a result', open],
  ] as const
  return [
    `${good ? '✓' : '✗'} ${kind} ${id} (${mode}): ${outcome}`.trimEnd(),
    ...facts.flatMap(([what, rules]) => (rules.length > 0 ? [`    ${what}: ${rules.join(', ')}`] : [])),
  ]
}
