import { setImmediate } from 'node:timers/promises'
import type { Command } from 'commander'
import { Misconfigured } from '../judge/outcome.ts'
import { terminal } from '../report/terminal.ts'
import { commandOf } from '../run/command.ts'
import { strayErrorText } from '../run/process/interrupt.ts'
import { selectRules } from '../run/select-rules.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import type { Configuration } from '../settings/configuration.ts'
import { dotenvText, type Lacking, lackingFor } from './doctor/dotenv.ts'
import { forecast } from './doctor/forecast.ts'
import { checkStates } from './doctor/states.ts'
import { checkStore, exitOf, findingText, type Lists, note, ok, printAll } from './doctor/store.ts'
import { ABOUT_FLAGS, addSettings, configurationFrom, givenSettings } from './flags.ts'

export function add(command: Command): void {
  addSettings(command, 'doctor')
    .addHelpText('before', EXAMPLE)
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, options: Record<string, unknown>) => {
      process.exitCode = await doctor(await configurationFrom(givenSettings(options, url)))
    })
}

const EXAMPLE = `Example:
  STORE_API_KEY=… npx --no-install store-conformance doctor https://store.example/v1
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
    say(`\n${ready('npx --no-install store-conformance run --target reference')}`)
    return 0
  }
  say(findingText(ok('configuration', `target ${target}, ${baseUrl}, profile ${profile}`)))
  for (const text of configuration.notes) say(findingText(note('configuration', text)))
  let lists: Lists | undefined
  const check = checkStore(configuration, process.env, checked => {
    lists = checked.lists
    return checkStates(configuration, checked)
  })
  // For example from a timer of the states module.
  const stray = new Promise<never>((_resolve, reject) => {
    process.on('uncaughtException', error =>
      reject(new Misconfigured(`${strayErrorText(error, configuration)}.`)),
    )
  })
  // A rejection that nobody handles is reported only after everything that is ready has run.
  const findings = await Promise.race([printAll(check, say).then(all => setImmediate(all)), stray])
  const wrong = findings.filter(({ mark }) => mark === 'wrong').length
  if (wrong > 0) {
    say(`\n${wrong === 1 ? 'Fix this problem' : `Fix these ${wrong} problems`} before a run.`)
    return exitOf(findings)
  }
  say(`\n${terminal(forecast(configuration, selection))}`)
  const declined = findings.flatMap(found => found.declined ?? [])
  const lacking = configuration.readOnly ? [] : lackingFor(configuration, selection, declined)
  say(`\n${nextText(configuration, lacking, declined.length > 0)}`)
  if (lists) {
    const allowed = lacking.length > 0 ? ' Remove the # of a line if a run may do what it says.' : ''
    say(`\n.env to copy, with your key in place of change-me.${allowed}\n`)
    process.stdout.write(dotenvText(configuration, lacking, lists))
  }
  return exitOf(findings)
}

/** What to do next. */
function nextText(configuration: Configuration, lacking: readonly Lacking[], isDeclined: boolean): string {
  const { readOnly } = configuration
  if (readOnly)
    return 'A run can start, but will end incomplete (exit 3): a read-only run judges only what GET requests show. For a full verdict, leave out --read-only.'
  if (lacking.length === 0) return ready(commandOf(configuration))
  const states = isDeclined ? 'arrange the states above' : 'set a states endpoint or module'
  const lines = lacking.map(({ todo }) => `\n  ${todo}`).join('')
  return `A run can start, but will end incomplete (exit 3). For a full verdict, ${states}, or:${lines}`
}

/** The command has the flags of this one. */
const ready = (command = '') => `Ready for a full verdict: ${command}`
