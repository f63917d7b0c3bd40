import { type Command, Option } from 'commander'
import { Misconfigured } from '../judge/outcome.ts'
import { cellKey } from '../judge/rule.ts'
import type { Mistake } from '../settings/mistake.ts'
import type { RawSettings } from '../settings/settings.ts'
import { ABOUT_FLAGS, addSettings, configurationFrom, givenSettings, MORE } from './flags.ts'
import type { JudgeFlags } from './judge-and-report.ts'

export function add(command: Command): void {
  const more = (flags: string, about: string) => command.addOption(new Option(flags, about).helpGroup(MORE))
  addSettings(command, 'run')
  more('--verbose', 'print everything')
  more('--failed <report>', 'judge what did not pass in this conformance.json, or its folder')
  more('--write-expected-failures <file>', 'draft a file of the failures, for --expected-failures')
  more('--sign <key>', 'write certificate.zip, signed with this private key (PEM)')
  command
    .addHelpText('before', EXAMPLE)
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, options: OwnFlags & Record<string, unknown>) => {
      process.exitCode = await run(givenSettings(options, url), options)
    })
}

const EXAMPLE = `Example:
  STORE_API_KEY=… npx --no-install store-conformance run https://store.example/v1 --pets 1,2
`

const HELP = `
${ABOUT_FLAGS}

Exit: 0 conformant, or a partial selection that passed · 1 not conformant, or an expected failure is out of date
      2 wrong usage or configuration · 3 incomplete · 4 unreachable, or the API key is refused`

interface OwnFlags extends JudgeFlags {
  readonly failed?: string
  /** Path of the private key. */
  readonly sign?: string
}

async function run(given: RawSettings, options: OwnFlags): Promise<number> {
  const { failed, sign } = options
  if (failed !== undefined && given.only !== undefined)
    throw new Misconfigured('--failed and --only both select rules; give one of them. Nothing was sent.')
  const mistakes: Mistake[] = []
  const only =
    failed === undefined ? given.only : await readFlag('--failed', mistakes, () => notPassedIn(failed))
  const key = sign === undefined ? undefined : await readFlag('--sign', mistakes, () => privateKey(sign))
  const configuration = await configurationFrom({ ...given, only }, mistakes)
  // Loaded when needed, so that help and mistakes are printed at once.
  const { judgeAndReport } = await import('./judge-and-report.ts')
  return judgeAndReport(configuration, options, key)
}

const privateKey = async (file: string) => (await import('./verify.ts')).readKey('private', file)

/** The rules of a report that failed, could not be determined or were untested. */
async function notPassedIn(path: string): Promise<string> {
  const [{ readReport }, { storeServiceUnderTest }, { allRules }] = await Promise.all([
    import('../report/report.ts'),
    import('../run/store-service.ts'),
    import('../judge/selection.ts'),
  ])
  const known = new Set(allRules(storeServiceUnderTest).map(cellKey))
  const all = readReport(path).rules.filter(({ outcome }) => !['passed', 'inapplicable'].includes(outcome))
  const ids = all.flatMap(each => (known.has(cellKey(each)) ? [`${each.id}/${each.operation}`] : []))
  if (ids.length > 0) return ids.join(',')
  throw new Misconfigured(
    all.length === 0
      ? `Every rule in ${path} passed, so there is nothing to judge again.`
      : `This version of the suite has none of the rules that did not pass in ${path}. Judge all rules, without --failed.`,
  )
}

/** What a flag that is not a setting names. If it cannot be used, that is added to the mistakes. */
async function readFlag<Value>(
  flag: string,
  mistakes: Mistake[],
  read: () => Value | Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error
    mistakes.push({ setting: flag, problem: error.message })
    return undefined
  }
}
