import { type Command, Option } from 'commander'
import { shellWord } from '../http/curl.ts'
import { type RawSettings, type SettingInfo, type SettingName, settingInfos } from '../settings/settings.ts'
import { UsageError } from './usage.ts'

const names = Object.keys(settingInfos) as SettingName[]

/** Adds a flag for each of these settings. */
export function addSettings(command: Command, wanted: readonly SettingName[] = names): Command {
  for (const name of wanted) {
    const { flag, value, meaning, kind }: SettingInfo = settingInfos[name]
    if (flag === undefined) continue
    const option = new Option(value === undefined ? flag : `${flag} <${value}>`, meaning)
    // A list may be given in several flags, or in one with commas.
    if (kind === 'list') option.argParser(joined(','))
    // The value of a header may contain commas.
    if (kind === 'headers') option.argParser(joined('\n'))
    command.addOption(option)
  }
  return refuseSecrets(command)
}

const joined =
  (separator: string) =>
  (text: string, before: unknown): string =>
    before ? `${before}${separator}${text}` : text

const secrets = {
  '--api-key': 'STORE_API_KEY',
  '--staging-api-key': 'STORE_STAGING_API_KEY',
  '--revoked-api-key': 'STORE_REVOKED_API_KEY',
  '--states-token': 'STORE_STATES_TOKEN',
} as const

/** Commander would print an unknown flag with its value, which is a secret here. The user needs to know where it belongs instead. */
function refuseSecrets(command: Command): Command {
  for (const [flag, variable] of Object.entries(secrets)) {
    const option = new Option(`${flag} [value]`).hideHelp()
    command.addOption(option).on(`option:${option.name()}`, () => {
      const file = flag === '--api-key' ? ', or name a file with --api-key-file' : ''
      throw new UsageError(
        `${flag} is not a flag, because command lines are public. Set ${variable} in the environment or in .env${file}. Nothing was sent.`,
      )
    })
  }
  return command
}

/** The settings that were given as flags. */
export function givenSettings(options: Readonly<Record<string, unknown>>): RawSettings {
  const given = names.flatMap(name => {
    const { flag }: SettingInfo = settingInfos[name]
    const value = flag === undefined ? undefined : options[attributeOf(flag)]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return Object.fromEntries(given)
}

/** Commander's name of a flag: `--base-url` → `baseUrl`. */
const attributeOf = (flag: string): string =>
  flag.replace(/^--/, '').replace(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase())

/** The flags as they are typed in a shell. */
export function writtenFlags(given: RawSettings): string[] {
  return (Object.entries(given) as [SettingName, string][]).map(([name, text]) => {
    const { flag, value }: SettingInfo = settingInfos[name]
    if (value === undefined) return `${flag}`
    return `${flag} ${shellWord(text)}`
  })
}

/** Collects the values of a flag that may be given several times. */
export const several = (value: string, before: readonly string[]): readonly string[] => [...before, value]
