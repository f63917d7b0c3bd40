import type { Command } from 'commander'
import { Misconfigured } from '../judge/outcome.ts'
import type { Selection } from '../judge/selection.ts'
import { terminal } from '../report/terminal.ts'
import { strayErrorText } from '../run/process/interrupt.ts'
import { selectRules } from '../run/select-rules.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import type { Configuration } from '../settings/configuration.ts'
import { needsOf, type StateName } from '../store/needs.ts'
import { forecast } from './doctor/forecast.ts'
import { checkStates } from './doctor/states.ts'
import { checkStore, exitOf, findingText, note, ok, printAll } from './doctor/store.ts'
import { addSettings, configurationFrom, givenSettings } from './flags.ts'
import { ABOUT_FLAGS } from './help.ts'

export function addDoctor(command: Command): void {
  addSettings(command.argument('[url]', 'address of the store, as --base-url'), 'doctor')
    .addHelpText('before', EXAMPLE)
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, options: Record<string, unknown>) => {
      process.exitCode = await doctor(await configurationFrom(givenSettings(options, url)))
    })
}

const EXAMPLE = `Example:
  STORE_API_KEY=… npx store-conformance doctor https://store.example/v1
`

const HELP = `
Takes the settings of a run. Sends only GET requests, and provider states to their endpoint.
${ABOUT_FLAGS}

Exit: 0 a run can start · 2 the configuration is wrong · 4 unreachable, or the API key is refused`

/** Checks everything that a run needs, and prints each finding at once. */
async function doctor(configuration: Configuration): Promise<number> {
  const { target, baseUrl, profile } = configuration
  const selection = selectRules(subject, configuration)
  const say = (text: string) => void process.stdout.write(`${text}\n`)
  if (baseUrl === undefined) {
    say(
      findingText(ok('configuration', 'a run judges the bundled reference store; there is nothing to check')),
    )
    process.stdout.write(ready('npx store-conformance run --target reference'))
    return 0
  }
  say(findingText(ok('configuration', `target ${target}, ${baseUrl}, profile ${profile}`)))
  for (const text of configuration.notes) say(findingText(note('configuration', text)))
  const check = checkStore(configuration, process.env, checked => checkStates(configuration, checked))
  // For example from a timer of the states module.
  const stray = new Promise<never>((_resolve, reject) => {
    process.on('uncaughtException', error =>
      reject(new Misconfigured(`${strayErrorText(error, configuration)}.`)),
    )
  })
  const findings = await Promise.race([printAll(check, say), stray])
  const wrong = findings.filter(({ mark }) => mark === 'wrong').length
  if (wrong > 0) {
    say(`\n${wrong === 1 ? 'Fix this problem' : `Fix these ${wrong} problems`} before a run.`)
    return exitOf(findings)
  }
  say(`\n${terminal(await forecast(configuration))}`)
  const declined = findings.flatMap(found => found.declined ?? [])
  const missing = missingFor(configuration, selection, declined)
  process.stdout.write(
    missing.length === 0
      ? ready(configuration.command ?? '')
      : `\nA run can start, but will end incomplete (exit 3). For a full verdict, ${declined.length > 0 ? 'arrange the states above' : 'set a states endpoint or module'}, or:\n${missing.map(each => `  ${each}\n`).join('')}`,
  )
  return exitOf(findings)
}

/** The command has the flags of this one. */
const ready = (command: string) => `\nReady for a full verdict: ${command}\n`

/** One phrase for each thing that a full verdict still needs. @param declined states that the endpoint does not arrange */
function missingFor(
  configuration: Configuration,
  { rules }: Selection,
  declined: readonly StateName[],
): string[] {
  if (configuration.readOnly)
    return ['leave out --read-only: a read-only run judges only what GET requests show']
  const { statesUrl, statesModule, pendingOrders = [], shippedOrders = [], pets = [] } = configuration
  const arranges = statesUrl !== undefined || statesModule !== undefined
  const needs = [...new Set(rules.map(({ given }) => given))].map(needsOf)
  // Each scenario consumes its orders, so their numbers add up. Pets are returned, so the largest need is enough.
  const sum = (kind: 'pendingOrders' | 'shippedOrders') =>
    needs.reduce((total, each) => total + (each[kind] ?? 0), 0)
  const most = pets === 'any' ? 0 : Math.max(0, ...needs.map(each => each.pets ?? 0))
  const more = (state: StateName, wanted: number, named: number) => {
    const count = wanted - named
    if (count <= 0 || (arranges && !declined.includes(state))) return []
    const what = count === 1 ? state.replace(/s$/, '') : state
    return [`name ${count} ${named > 0 ? 'more ' : ''}${what} (--${state.replace(' ', '-')})`]
  }
  return [
    ...more('pending orders', sum('pendingOrders'), pendingOrders.length),
    ...more('shipped orders', sum('shippedOrders'), shippedOrders.length),
    ...more('pets', most, pets.length),
  ]
}
