import { type Command, Option } from 'commander'
import { faults } from '../../suites/faults/index.ts'
import { freedoms } from '../reference/freedoms/index.ts'
import { writeWhole } from '../report/write.ts'
import { ensureWritable } from '../run/reported-run.ts'
import { performAll } from '../selfcheck/pool.ts'
import { type Findings, findingsOf, gapsOf, type TaskResult } from '../selfcheck/prove.ts'
import { itemCalled, showStatus, wholeNumber } from './flags.ts'

export function add(command: Command): void {
  command
    .option('--fault <id>', 'only this fault')
    .option('--freedom <id>', 'only this freedom')
    .option('--generated <count>', 'this many faults that are generated from the seed', wholeNumber(1, 9999))
    .addOption(
      new Option('--mode <how>', 'with provider states, with named ids, or both')
        .choices(['states', 'named', 'both'])
        .default('states'),
    )
    .option('--seed <number>', 'seed of the generated values', wholeNumber(0, 999_999_999), 1)
    .option('--out <folder>', 'folder for selfcheck.json', 'reports')
    .addHelpText('after', HELP)
    .action(async (options: Options) => {
      process.exitCode = await selfcheck(options)
    })
}

const SOUND =
  'every fault turns a rule red that it names and none of another folder, and every freedom is accepted'
const HELP = `
Exit: 0 ${SOUND} · 1 otherwise · 2 wrong usage

Example:
  npx --no-install store-conformance selfcheck --fault third-cancel-succeeds`

interface Options {
  readonly fault?: string
  readonly freedom?: string
  readonly generated?: number
  readonly mode: 'states' | 'named' | 'both'
  readonly seed: number
  readonly out: string
}

async function selfcheck(options: Options): Promise<number> {
  const { fault, freedom, mode, seed, out } = options
  if (fault !== undefined) itemCalled(fault, 'fault', faults)
  if (freedom !== undefined) itemCalled(freedom, 'freedom', freedoms)
  ensureWritable(out)
  const generated = Array.from({ length: options.generated ?? 0 }, (_, nth) => `generated-${seed}-${nth}`)
  const chosen = [fault ?? [], freedom ?? [], generated].flat()
  const ids = chosen.length > 0 ? chosen : [...faults, ...freedoms].map(({ id }) => id)
  const modes = mode === 'both' ? (['states', 'named'] as const) : [mode]
  const tasks = modes.flatMap(mode => ids.map(id => ({ id, mode, seed })))
  const results = await performAll(tasks, done => showStatus(`${done} of ${tasks.length} stores judged`))
  showStatus()
  const findings = findingsOf(results, chosen.length > 0 ? [] : gapsOf())
  writeWhole(out, 'selfcheck.json', `${JSON.stringify(findings, undefined, 2)}\n`)
  process.stdout.write(textOf(findings, tasks.length === 1))
  return findings.isSound ? 0 : 1
}

function textOf(findings: Findings, isSingle: boolean): string {
  const { results, gaps, rules, faults, killed, outOfReach, freedoms, flagged } = findings
  const shown = results.filter(({ good }) => isSingle || !good)
  const lines = [
    ...shown.flatMap(result => [
      `${result.good ? '✓' : '✗'} ${result.kind} ${result.id} (${result.mode}): ${outcomeOf(result)}`,
      `    red: ${result.red.join(', ') || 'nothing'}`,
    ]),
    ...gaps.map(gap => `✗ ${gap}`),
    `${rules} rules · ${faults} faults: ${killed} killed, ${outOfReach} out of reach · ${freedoms} freedoms: ${flagged} flagged · ${gaps.length} gaps`,
    findings.isSound ? `Sound: ${SOUND}.` : 'Not sound.',
  ]
  return `${lines.join('\n')}\n`
}

/** The result in words. */
function outcomeOf(result: TaskResult): string {
  const { kind, generated, good, outOfReach, missing, foreign, open } = result
  if (outOfReach !== undefined) return `out of reach: ${outOfReach}`
  if (good) return kind === 'fault' ? 'detected' : 'accepted'
  const parts = [
    ['should fail, but did not', missing],
    ['failed, but should not', foreign],
    ['without a result', open],
  ] as const
  const wrong = parts.flatMap(([text, rules]) => (rules.length > 0 ? [`${text}: ${rules.join(', ')}`] : []))
  return wrong.join('; ') || `not detected: ${generated}`
}
