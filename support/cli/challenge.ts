import type { Command } from 'commander'
import { newChallenge } from '../certificate/certificate.ts'

export function addChallenge(command: Command): void {
  command
    .addHelpText(
      'after',
      `
Send it to the vendor, keep it, and give it to verify: a certificate that answers it was made after you sent it.

Example:
  store-conformance challenge > challenge.txt`,
    )
    .action(() => {
      process.stdout.write(`${newChallenge()}\n`)
    })
}
