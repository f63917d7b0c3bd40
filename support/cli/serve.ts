import { once } from 'node:events'
import type { Command } from 'commander'
import { Misconfigured } from '../judge/outcome.ts'
import type { Override, ServedStore } from '../reference/index.ts'
import { itemCalled } from '../settings/mistake.ts'
import { wholeNumber } from './flags.ts'

export function addServe(command: Command): void {
  command
    .option('--port <number>', 'port to listen on (default: a free one)', wholeNumber(0, 65_535))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seed <number>', 'seed of the demo data', wholeNumber(0, 2 ** 31 - 1), 1)
    .option('--fault <ids>', 'faults to add, comma-separated (selfcheck lists them)')
    .option('--freedom <ids>', 'freedoms to add, comma-separated')
    .addHelpText(
      'after',
      '\nThe API key comes from STORE_API_KEY. Without it, the command prints the key of the reference store.\n\nExample:\n  npx --no-install store-conformance serve --port 8080',
    )
    .action(async (options: Options) => {
      const { DEFAULT_API_KEY, referenceStore, serve } = await import('../reference/index.ts')
      const apiKey = process.env['STORE_API_KEY'] || DEFAULT_API_KEY
      const overrides = options.fault || options.freedom ? await overridesFor(options) : []
      const revoked = process.env['STORE_REVOKED_API_KEY']
      const store = referenceStore({
        apiKey,
        ...(revoked ? { revokedKeys: [revoked] } : {}),
        seed: options.seed,
        overrides,
      })
      const served = await serve(store, { port: options.port ?? 0, host: options.host }).catch(
        (error: NodeJS.ErrnoException) => {
          throw new Misconfigured(
            `Cannot listen on ${options.host}:${options.port ?? 0} (${error.code}). Choose another --port or --host.`,
          )
        },
      )
      // Before the address is printed, so that no signal is missed.
      const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
      process.stdout.write(introduction(served, apiKey, apiKey === DEFAULT_API_KEY))
      await ended
      await served.close()
    })
}

interface Options {
  readonly port?: number
  readonly host: string
  readonly seed: number
  readonly fault?: string
  readonly freedom?: string
}

async function overridesFor({ fault = '', freedom = '' }: Options): Promise<Override[]> {
  const { faults } = await import('../run/faults.ts')
  const { freedoms } = await import('../reference/freedoms/index.ts')
  const pick = (
    kind: string,
    ids: string,
    all: readonly { readonly id: string; readonly override: Override }[],
  ) =>
    ids
      .split(',')
      .filter(id => id !== '')
      .map(id => itemCalled(id, kind, all).override)
  return [...pick('fault', fault, faults), ...pick('freedom', freedom, freedoms)]
}

/** The default key is no secret. The user's own key is not printed. */
function introduction({ baseUrl, statesUrl }: ServedStore, apiKey: string, known: boolean): string {
  return `The reference store is running. Ctrl-C stops it. Its data is in memory.

  base URL         ${baseUrl}
  API key          ${known ? apiKey : 'the value of STORE_API_KEY'}
  provider states  ${statesUrl}

  ${known ? `export STORE_API_KEY=${apiKey}\n  ` : ''}curl -H "Authorization: Bearer $STORE_API_KEY" ${baseUrl}/store/orders
`
}
