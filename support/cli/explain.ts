import type { Command } from 'commander'

export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('explain one rule: its clause, its level, what is sent for it, what usually breaks it')
    .argument('<rule>', 'its id, as list and the reports show it')
    .addHelpText('after', '\nExample:\n  store-conformance explain cancel-shipped-409')
    .action(async (id: string) => {
      const [{ findEntry }, { explanation }, { faults }] = await Promise.all([
        import('./catalogue.ts'),
        import('./explanation.ts'),
        import('../run/proofs.ts'),
      ])
      process.stdout.write(explanation(findEntry(id), faults))
    })
}
