import type { Command } from 'commander'
import { newChallenge } from '../certificate/statement.ts'

export function addChallenge(command: Command): void {
  command
    .addHelpText(
      'after',
      `
Send it to the vendor, keep it, and give it to verify. The requests of a certificate that answers it were made after you
chose it. The challenge does not bind the responses.

Example:
  npx store-conformance challenge > challenge.txt`,
    )
    .action(() => {
      process.stdout.write(`${newChallenge()}\n`)
    })
}
