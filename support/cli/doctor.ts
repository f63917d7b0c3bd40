import type { Command } from 'commander'
import { addSettings, givenSettings } from './flags.ts'

export function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'check configuration, connection, certificate, key, provider states and named ids; judge nothing',
    )
  addSettings(command, [
    'target',
    'baseUrl',
    'stagingBaseUrl',
    'apiKeyFile',
    'statesUrl',
    'statesModule',
    'pendingOrders',
    'shippedOrders',
    'pets',
    'readOnly',
    'profile',
    'timeoutMs',
  ])
    .addHelpText(
      'after',
      '\nSends reads and provider states alone.\n\nExample:\n  STORE_API_KEY=… store-conformance doctor --base-url https://store.example/v1\n\nExit: 0 a run can start · 2 something is configured wrongly · 4 unreachable, or the API key is refused',
    )
    .action(async (options: Record<string, unknown>) => {
      const { doctor } = await import('./doctor/examine.ts')
      process.exitCode = await doctor(givenSettings(options))
    })
}
