import { type Command, InvalidArgumentError, Option } from 'commander'
import { Misconfigured } from '../judge/outcome.ts'
import type { Configuration } from '../settings/configuration.ts'
import { ConfigurationError, type Mistake } from '../settings/mistake.ts'
import { allSettings, type RawSettings, settingsOf, type Taker } from '../settings/settings.ts'
import { MORE } from './help.ts'

/** Adds a flag for each setting that the command takes. */
export function addSettings(command: Command, taker: Taker): Command {
  for (const { flag, meaning, separator, common } of settingsOf(taker)) {
    if (flag === undefined) continue
    const option = new Option(flag, meaning)
    if (!common && ['run', 'doctor'].includes(taker)) option.helpGroup(MORE)
    if (separator)
      option.argParser((text: string, before: unknown) => (before ? `${before}${separator}${text}` : text))
    command.addOption(option)
  }
  return refuseSecrets(command)
}

/** Commander would print an unknown flag with its value, which is a secret here. The user needs to know where it belongs instead. */
function refuseSecrets(command: Command): Command {
  for (const { name, variable, flag } of allSettings) {
    if (variable === undefined || flag !== undefined) continue
    const refused = `--${variable.replace('STORE_', '').replaceAll('_', '-').toLowerCase()}`
    const option = new Option(`${refused} [value]`).hideHelp()
    command.addOption(option).on(`option:${option.name()}`, () => {
      const file = name === 'apiKey' ? ', or name a file with --api-key-file' : ''
      throw new Misconfigured(
        `${refused} is not a flag, because command lines are public. Set ${variable} in the environment or in .env${file}. Nothing was sent.`,
      )
    })
  }
  return command
}

/** The settings that were given as flags. @param address the argument of the command, instead of --base-url */
export function givenSettings(options: Readonly<Record<string, unknown>>, address?: string): RawSettings {
  if (address !== undefined && options['baseUrl'] !== undefined)
    throw new Misconfigured(
      'The address is given twice, also as --base-url. Leave out one. Nothing was sent.',
    )
  const given = allSettings.flatMap(({ name, flag }) => {
    const value = flag === undefined ? undefined : options[new Option(flag).attributeName()]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return { ...Object.fromEntries(given), ...(address === undefined ? {} : { baseUrl: address }) }
}

/** Reads the value of a flag that is not a setting. */
export const wholeNumber = (low: number, high: number) => (text: string) => {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= low && value <= high) return value
  throw new InvalidArgumentError(`It is not a whole number from ${low} to ${high}.`)
}

/**
 * The configuration from the flags, the environment and `.env`.
 * @param others what is wrong with flags that are not settings
 * @throws {ConfigurationError} with every mistake
 */
export async function configurationFrom(
  given: RawSettings,
  others: readonly Mistake[] = [],
): Promise<Configuration> {
  // Loaded when needed, so that help and mistakes are printed at once.
  const { readConfiguration } = await import('../settings/environment.ts')
  const configured = readConfiguration(given, process.env, process.cwd())
  if ('configuration' in configured && others.length === 0) return configured.configuration
  const { ruleMistakes } = await import('../run/select-rules.ts')
  const { storeServiceUnderTest } = await import('../run/store-service.ts')
  const wrong = 'mistakes' in configured ? configured.mistakes : []
  throw new ConfigurationError([...wrong, ...others, ...ruleMistakes(storeServiceUnderTest, given)])
}

/** What a flag that is not a setting names. If it cannot be used, that is added to the mistakes. */
export async function readFlag<Value>(
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
