import { type Command, Option } from 'commander'
import { shellWord } from '../http/curl.ts'
import { type RawSettings, type SettingInfo, type SettingName, settingInfos } from '../settings/settings.ts'
import { UsageError } from './usage.ts'

const names = Object.keys(settingInfos) as SettingName[]

/** Flags that may be given several times, or once with commas. */
const lists: readonly SettingName[] = ['only', 'skip', 'pendingOrders', 'shippedOrders', 'pets']

/** Adds a flag for each of these settings. */
export function addSettings(command: Command, wanted: readonly SettingName[] = names): Command {
  for (const name of wanted) {
    const { flag, value, meaning }: SettingInfo = settingInfos[name]
    if (flag === undefined) continue
    const option = new Option(value === undefined ? flag : `${flag} <${value}>`, meaning)
    if (lists.includes(name)) option.argParser((text, before) => (before ? `${before},${text}` : text))
    command.addOption(option)
  }
  return refuseSecrets(command)
}

const secrets = {
  '--api-key': 'STORE_API_KEY',
  '--staging-api-key': 'STORE_STAGING_API_KEY',
  '--revoked-api-key': 'STORE_REVOKED_API_KEY',
  '--states-token': 'STORE_STATES_TOKEN',
} as const

/** Commander would print the unknown flag, and the secret with it; and whoever types one needs to hear where it belongs. */
function refuseSecrets(command: Command): Command {
  for (const [flag, variable] of Object.entries(secrets)) {
    const option = new Option(`${flag} [value]`).hideHelp()
    command.addOption(option).on(`option:${option.name()}`, () => {
      const file = flag === '--api-key' ? ', or name a file with --api-key-file' : ''
      throw new UsageError(
        `${flag} is no flag: command lines are public. Set ${variable} in the environment or in .env${file}. Nothing was sent.`,
      )
    })
  }
  return command
}

/** What was given as flags, as texts. */
export function givenSettings(options: Readonly<Record<string, unknown>>): RawSettings {
  const given = names.flatMap(name => {
    const { flag }: SettingInfo = settingInfos[name]
    const value = flag === undefined ? undefined : options[attributeOf(flag)]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return Object.fromEntries(given)
}

/** As commander calls it: `--base-url` → `baseUrl`. */
const attributeOf = (flag: string): string =>
  flag.replace(/^--/, '').replace(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase())

/** As they are typed in a shell. */
export function writtenFlags(given: RawSettings): string[] {
  return (Object.entries(given) as [SettingName, string][]).map(([name, text]) => {
    const { flag, value }: SettingInfo = settingInfos[name]
    if (value === undefined) return `${flag}`
    return `${flag} ${shellWord(text)}`
  })
}
