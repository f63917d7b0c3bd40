import { type Command, Help, InvalidArgumentError, Option } from 'commander'
import { Misconfigured } from '../interface/verdict.ts'
import { ruleMistakes } from '../run/selection.ts'
import { type Configuration, readConfiguration } from '../settings/configuration.ts'
import { ConfigurationError, type Mistake } from '../settings/mistake.ts'
import { allSettings, type RawSettings, type SettingName, settingsOf } from '../settings/settings.ts'

/** The flags that most people need. The help of `run` and `doctor` shows only these, unless --all is given. */
const COMMON: readonly SettingName[] = [
  ...(['baseUrl', 'start', 'apiKeyFile', 'statesUrl', 'pendingOrders', 'shippedOrders', 'pets'] as const),
  ...(['readOnly', 'rate', 'reportsDir', 'only', 'expectedFailures'] as const),
]
export const MORE = 'More flags:'

/** Flags that may be repeated, and what separates their values in one text. */
const SEPARATORS: Readonly<Partial<Record<SettingName, string>>> = {
  ...{ pendingOrders: ',', shippedOrders: ',', pets: ',', only: ',', skip: ',' },
  // The value of a header may contain commas.
  headers: '\n',
}

export const ABOUT_FLAGS = `--help --all shows all flags. Each is also a variable, in the environment or in .env (see .env.example). The API key is
never a flag: set STORE_API_KEY, for staging STORE_STAGING_API_KEY.`

/** Adds a flag for each setting that the command takes. */
export function addSettings(command: Command, taker: 'run' | 'doctor' | 'restore'): Command {
  if (taker !== 'restore') command.argument('[url]', 'address of the store, as --base-url')
  for (const { name, flag, meaning } of settingsOf(taker)) {
    if (flag === undefined) continue
    const option = new Option(flag, meaning)
    if (!COMMON.includes(name) && taker !== 'restore') option.helpGroup(MORE)
    const { [name]: mark } = SEPARATORS
    if (mark) option.argParser((text: string, before?: string) => (before ? `${before}${mark}${text}` : text))
    command.addOption(option)
  }
  return command
}

/** The flags that the help shows, those that most people need first. @param all whether it shows all of them */
export const shownFlags = (all: boolean) =>
  function (this: Help, command: Command): Option[] {
    const visible = Help.prototype.visibleOptions.call(this, command)
    const more = visible.filter(({ helpGroupHeading }) => helpGroupHeading === MORE)
    return [...visible.filter(each => !more.includes(each)), ...(all ? more : [])]
  }

/** The settings that were given as flags. @param address the argument of the command, instead of --base-url */
export function givenSettings(options: Readonly<Record<string, unknown>>, address?: string): RawSettings {
  if (address !== undefined && options['baseUrl'] !== undefined)
    throw new Misconfigured('The address is given twice, also as --base-url. Nothing was sent.')
  const given = allSettings.flatMap(({ name, flag }) => {
    const value = flag === undefined ? undefined : options[new Option(flag).attributeName()]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return { ...Object.fromEntries(given), ...(address === undefined ? {} : { baseUrl: address }) }
}

/** Columns of the terminal, or those that the user asks for. The viewer of a log wraps lines itself. */
export const columns = (): number | undefined =>
  process.stdout.columns ?? (Number(process.env['COLUMNS']) || undefined)

/** Reads the value of a flag that is not a setting. */
export const wholeNumber = (low: number, high: number) => (text: string) => {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= low && value <= high) return value
  throw new InvalidArgumentError(`It is not a whole number from ${low} to ${high}.`)
}

/** @param others what is wrong with flags that are not settings @throws {ConfigurationError} with every mistake */
export function configurationFrom(given: RawSettings, others: readonly Mistake[] = []): Configuration {
  const configured = readConfiguration(given, process.env, process.cwd())
  if ('configuration' in configured && others.length === 0) return configured.configuration
  const wrong = 'mistakes' in configured ? configured.mistakes : []
  throw new ConfigurationError([...wrong, ...others, ...ruleMistakes(given)])
}
