import type { Command } from 'commander'
import { addSettings, givenSettings } from './flags.ts'

export function addInit(program: Command): void {
  const command = program
    .command('init')
    .description(
      'write .env for a store: asks at a terminal, or takes flags; looks at the store with reads alone',
    )
    .option('--force', 'replace a .env that is there')
    .option('--no-probe', 'do not look at the store')
  addSettings(command, [
    'baseUrl',
    'apiKeyFile',
    'statesUrl',
    'statesModule',
    'pendingOrders',
    'shippedOrders',
    'pets',
    'timeoutMs',
  ])
    .addHelpText(
      'after',
      '\nThe key is asked for, or that of STORE_API_KEY or --api-key-file. .env is for its owner alone (mode 600).\n\nExample:\n  STORE_API_KEY=… store-conformance init --base-url https://store.example/v1 --pets any',
    )
    .action(async (options: Record<string, unknown>) => {
      const [{ init }, { terminal }] = await Promise.all([
        import('./init/initialise.ts'),
        import('./init/questions.ts'),
      ])
      const person = process.stdin.isTTY && process.stderr.isTTY ? terminal() : undefined
      try {
        process.exitCode = await init({
          given: givenSettings(options),
          force: options['force'] === true,
          probe: options['probe'] !== false,
          env: process.env,
          folder: process.cwd(),
          ask: person?.ask,
          say: text => process.stdout.write(`${text}\n`),
        })
      } finally {
        person?.close()
      }
    })
}
