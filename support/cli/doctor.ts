import type { Command } from 'commander'
import type { StateName } from '../access/provider.ts'
import { strayErrorText } from '../run/process/interrupt.ts'
import { startStore } from '../run/process/started-store.ts'
import type { Configuration } from '../settings/configuration.ts'
import { exitOf, type Finding, findingText, note, ok } from './doctor/finding.ts'
import { missingFor } from './doctor/needs.ts'
import { networkFindings } from './doctor/network.ts'
import { statesFindings } from './doctor/states.ts'
import { namedFindings, unreachableFinding, visit } from './doctor/store.ts'
import { addSettings, configurationFrom } from './flags.ts'
import { UsageError } from './usage.ts'

export function addDoctor(command: Command): void {
  addSettings(command, 'doctor')
    .addHelpText(
      'after',
      '\nSends only GET requests, and provider states to their endpoint.\n\nExample:\n  STORE_API_KEY=… npx store-conformance doctor --base-url https://store.example/v1\n\nExit: 0 a run can start · 2 the configuration is wrong · 4 unreachable, or the API key is refused',
    )
    .action(async (options: Record<string, unknown>) => {
      process.exitCode = await doctor(await configurationFrom(options))
    })
}

/** Checks everything that a run needs, in the order of the run, and prints each finding at once. */
async function doctor(configuration: Configuration): Promise<number> {
  const findings: Finding[] = []
  const tell = (...found: readonly Finding[]) => {
    for (const each of found) process.stdout.write(`${findingText(each)}\n`)
    findings.push(...found)
  }
  const declined = await Promise.race([examine(configuration, tell), strayError(configuration)])
  process.stdout.write(conclusion(configuration, findings, declined))
  return exitOf(findings)
}

/** Rejects with the first uncaught error of the process, for example from a timer of the states module. */
const strayError = (configuration: Configuration): Promise<never> =>
  new Promise((_resolve, reject) => {
    process.on('uncaughtException', error =>
      reject(new UsageError(`${strayErrorText(error, configuration)}.`)),
    )
  })

/** @returns the provider states that the endpoint or module declines to arrange */
async function examine(
  configuration: Configuration,
  tell: (...found: readonly Finding[]) => void,
): Promise<readonly StateName[]> {
  const { target, baseUrl, timeoutMs, profile } = configuration
  if (baseUrl === undefined) {
    tell(
      ok(
        'configuration',
        'no store is named, so a run judges the bundled reference store; there is nothing to check',
      ),
    )
    return []
  }
  tell(ok('configuration', `target ${target}, ${baseUrl}, profile ${profile}`))
  for (const text of configuration.notes) tell(note('configuration', text))
  const { unreachable, stop } = await startStore(configuration, process.env)
  try {
    const network = unreachable
      ? [unreachableFinding(unreachable)]
      : await networkFindings(baseUrl, timeoutMs, process.env)
    tell(...network)
    if (network.some(({ mark }) => mark === 'wrong')) return []
    const { target: store, findings, read, close } = await visit(configuration, process.env)
    try {
      tell(...findings)
      if (!read) return []
      tell(...namedFindings(configuration, await read()))
      const states = await statesFindings(configuration, store.redact, read)
      tell(...states.findings)
      return states.declined
    } finally {
      await close()
    }
  } finally {
    await stop()
  }
}

function conclusion(
  configuration: Configuration,
  findings: readonly Finding[],
  declined: readonly StateName[],
): string {
  const wrong = findings.filter(({ mark }) => mark === 'wrong').length
  if (wrong > 0)
    return `\n${wrong === 1 ? 'Fix this problem' : `Fix these ${wrong} problems`} before a run.\n`
  const missing = configuration.baseUrl === undefined ? [] : missingFor(configuration, declined)
  if (missing.length === 0) return '\nReady for a full verdict: npx store-conformance run\n'
  return `\nA run can start, but will end incomplete (exit 3). For a full verdict, ${declined.length > 0 ? 'arrange the states above' : 'set a states endpoint or module'}, or:\n${missing.map(each => `  ${each}\n`).join('')}`
}
