import { once } from 'node:events'
import type { Command } from 'commander'
import { faults } from '../../suites/faults/index.ts'
import { Misconfigured } from '../interface/verdict.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import { DEFAULT_API_KEY, type Override, referenceStore, serve } from '../reference/index.ts'
import { itemCalled, wholeNumber } from './flags.ts'

export function add(command: Command): void {
  command
    .option('--port <number>', 'port to listen on (default: a free one)', wholeNumber(0, 65_535))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <number>', 'seed of the demo data', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--fault <ids>', 'faults to add, comma-separated', overrides('fault', faults))
    .option('--freedom <ids>', 'freedoms to add, comma-separated', overrides('freedom', freedoms))
    .addHelpText('after', HELP)
    .action(start)
}

const HELP = `
The API key comes from STORE_API_KEY. Without it, the command prints the key of the reference store.

Example:
  npx --no-install store-conformance serve --port 8080`

type Named = { readonly id: string; readonly override: Override }
const overrides = (kind: string, all: readonly Named[]) => (ids: string) =>
  ids.split(',').map(id => itemCalled(id, kind, all).override)

interface Options {
  readonly port?: number
  readonly host: string
  readonly seed: number
  readonly fault?: readonly Override[]
  readonly freedom?: readonly Override[]
}

async function start({ port = 0, host, seed, fault = [], freedom = [] }: Options): Promise<void> {
  const { STORE_API_KEY: own, STORE_REVOKED_API_KEY: revoked } = process.env
  const apiKey = own || DEFAULT_API_KEY
  const revokedKeys = revoked ? { revokedKeys: [revoked] } : {}
  const store = referenceStore({ apiKey, seed, overrides: [...fault, ...freedom], ...revokedKeys })
  const served = await serve(store, { port, host }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Misconfigured(`Cannot listen on ${host}:${port} (${code}). Choose another --port or --host.`)
  })
  // Before the address is printed, so that no signal is missed.
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const { baseUrl, statesUrl } = served
  process.stdout.write(`The reference store is running. Ctrl-C stops it. Its data is in memory.

  base URL         ${baseUrl}
  API key          ${own ? 'the value of STORE_API_KEY' : apiKey}
  provider states  ${statesUrl}

  ${own ? '' : `export STORE_API_KEY=${apiKey}\n  `}curl -H "Authorization: Bearer $STORE_API_KEY" ${baseUrl}/store/orders
`)
  await ended
  await served.close()
}
