import { type Command, Option } from 'commander'
import { type RawSettings, type SettingInfo, type SettingName, settingInfos } from '../target/settings.ts'

const names = Object.keys(settingInfos) as SettingName[]

/** Adds a flag for each of these settings, with its variable in the help. */
export function addSettings(command: Command, wanted: readonly SettingName[] = names): Command {
  for (const name of wanted) {
    const { flag, value, meaning, variable }: SettingInfo = settingInfos[name]
    if (flag === undefined) continue
    const shown = variable === undefined ? meaning : `${meaning} [${variable}]`
    command.addOption(new Option(value === undefined ? flag : `${flag} <${value}>`, shown))
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
