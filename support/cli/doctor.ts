import type { Command } from 'commander'
import { addSettings, givenSettings } from './flags.ts'

export function addDoctor(command: Command): void {
  addSettings(command, 'doctor')
    .addHelpText(
      'after',
      '\nSends only GET requests, and provider states to their endpoint.\n\nExample:\n  STORE_API_KEY=… npx store-conformance doctor --base-url https://store.example/v1\n\nExit: 0 a run can start · 2 the configuration is wrong · 4 unreachable, or the API key is refused',
    )
    .action(async (options: Record<string, unknown>) => {
      const { doctor } = await import('./doctor/examine.ts')
      process.exitCode = await doctor(givenSettings(options))
    })
}
