import type { Command } from 'commander'
import { mistakesText } from '../settings/mistake.ts'
import { addSettings, givenSettings } from './flags.ts'
import { UsageError } from './usage.ts'

export function addPlan(command: Command): void {
  addSettings(command, 'plan')
    .addHelpText(
      'after',
      `
Sends only GET requests. Give it the same settings as the run.

Example:
  STORE_API_KEY=… npx store-conformance plan --base-url https://store.example/v1 --pets 1,2

Exit: 0 · 2 wrong usage or configuration · 4 unreachable, or the API key is refused`,
    )
    .action(async (options: Record<string, unknown>) => {
      const { readConfiguration } = await import('../settings/environment.ts')
      const configured = readConfiguration(givenSettings(options), process.env, process.cwd())
      if ('mistakes' in configured) throw new UsageError(mistakesText(configured.mistakes))
      const { printPlan } = await import('./plan/print.ts')
      process.exitCode = await printPlan(configured.configuration)
    })
}
