import type { Command } from 'commander'
import { openapi } from '../interface/openapi.ts'

export function addOpenapi(command: Command): void {
  command.addHelpText('after', '\nExample:\n  npx store-conformance openapi > openapi.json').action(() => {
    process.stdout.write(`${JSON.stringify(openapi(), undefined, 2)}\n`)
  })
}
