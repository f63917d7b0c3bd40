import { type Command, InvalidArgumentError, Option } from 'commander'
import { Misconfigured } from '../interface/verdict.ts'
import { suggestion } from '../settings/selection.ts'
import { allSettings, type RawSettings, settingsOf } from '../settings/settings.ts'

/** The heading of the flags that the help of `run` and `doctor` shows only with --all. */
export const MORE = 'More flags:'

const ABOUT_FLAGS = `
--help --all shows all flags. Each is also a variable, in the environment or in .env (see .env.example). The API key is
never a flag: set STORE_API_KEY, for staging STORE_STAGING_API_KEY.`

/** Adds a flag for each setting that the command takes, with the example of its help. */
export function addSettings(command: Command, taker: 'run' | 'doctor' | 'restore', example = ''): Command {
  const isCommon = (also: string) => taker === 'restore' || also.includes('common')
  // Commander prints the headings in the order of their first flags.
  const settings = settingsOf(taker).toSorted((a, b) => Number(isCommon(b.also)) - Number(isCommon(a.also)))
  for (const { flag, meaning, also } of settings) {
    if (flag === undefined) continue
    const option = new Option(flag, meaning)
    if (!isCommon(also)) option.helpGroup(MORE)
    // The value of a header may contain commas.
    const mark = /<name=value>/.test(flag) ? '\n' : ','
    if (/<ids|<selectors|<name=value/.test(flag))
      option.argParser((text: string, before?: string) => (before ? `${before}${mark}${text}` : text))
    command.addOption(option)
  }
  if (taker !== 'restore')
    command.argument('[url]', 'address of the store, as --base-url').addHelpText('after', ABOUT_FLAGS)
  return command.addHelpText(
    'before',
    `Example:\n  STORE_API_KEY=… npx --no-install store-conformance ${`${taker} ${example}`.trim()}\n`,
  )
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

/** Reads the value of a flag that is not a setting. */
export const wholeNumber = (low: number, high: number) => (text: string) => {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= low && value <= high) return value
  throw new InvalidArgumentError(`It is not a whole number from ${low} to ${high}.`)
}

/** @throws {Misconfigured} with the nearest id, if none is the one that the user typed */
export function itemCalled<Item extends { id: string }>(id: string, kind: string, all: readonly Item[]) {
  const found = all.find(each => each.id === id)
  if (found) return found
  const shown = `npx --no-install store-conformance ${kind === 'rule' ? 'list shows' : 'selfcheck judges'} all.`
  const ids = all.map(each => each.id)
  throw new Misconfigured(`There is no ${kind} ${JSON.stringify(id)}. ${suggestion(id, ids, shown)}`)
}

/** Columns of the terminal, or those that the user asks for. The viewer of a log wraps lines itself. */
export const columns = (): number | undefined =>
  process.stdout.columns ?? (Number(process.env['COLUMNS']) || undefined)

/**
 * Replaces the last line of the error stream, at a terminal only. Without a text, the line is empty.
 * @returns whether there is a terminal
 */
export function showStatus(text = ''): boolean {
  const isShown = process.stderr.isTTY === true && !process.env['CI']
  if (isShown) process.stderr.write(`\r\u001b[2K${text && `  ${text}`}`)
  return isShown
}
