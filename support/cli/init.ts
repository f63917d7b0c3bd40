import type { Command } from 'commander'
import { addSettings, givenSettings } from './flags.ts'

export function addInit(command: Command): void {
  command.option('--force', 'replace an existing .env').option('--no-probe', 'send no requests')
  addSettings(command, 'init')
    .addHelpText(
      'after',
      '\nThe key comes from STORE_API_KEY, --api-key-file or the terminal. Only the owner can read .env (mode 600).\n\nExample:\n  STORE_API_KEY=… npx store-conformance init --base-url https://store.example/v1 --pets any',
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
