import type { Command } from 'commander'
import { openapi } from '../interface/openapi.ts'

export function addOpenapi(program: Command): void {
  program
    .command('openapi')
    .description('print the interface as an OpenAPI 3.1 description, for generators and other tools')
    .addHelpText('after', '\nExample:\n  store-conformance openapi > openapi.json')
    .action(() => {
      process.stdout.write(`${JSON.stringify(openapi(), undefined, 2)}\n`)
    })
}
