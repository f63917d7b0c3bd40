import { closeSync, existsSync, fchmodSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { parse } from 'dotenv'
import { type Configuration, configure } from '../settings/configuration.ts'
import { mergeSettings } from '../settings/environment.ts'
import { mistakesText } from '../settings/mistake.ts'
import { type RawSettings, type SettingName, settingOf, settingsOf } from '../settings/settings.ts'
import { exitOf, findingText } from './doctor/finding.ts'
import { missingFor } from './doctor/needs.ts'
import { networkFindings } from './doctor/network.ts'
import { visited } from './doctor/store.ts'
import { addSettings, givenSettings } from './flags.ts'
import { type Ask, asked, terminal } from './questions.ts'
import { UsageError } from './usage.ts'

export function addInit(command: Command): void {
  command.option('--force', 'replace an existing .env').option('--no-probe', 'send no requests')
  addSettings(command, 'init')
    .addHelpText(
      'after',
      '\nThe key comes from STORE_API_KEY, --api-key-file or the terminal. Only the owner can read .env (mode 600).\n\nExample:\n  STORE_API_KEY=… npx store-conformance init --base-url https://store.example/v1 --pets any',
    )
    .action(async (options: Record<string, unknown>) => {
      const person = process.stdin.isTTY && process.stderr.isTTY ? terminal() : undefined
      try {
        process.exitCode = await init({
          given: givenSettings(options),
          force: options['force'] === true,
          probe: options['probe'] !== false,
          env: process.env,
          folder: process.cwd(),
          ask: person?.ask,
          say: text => process.stdout.write(`${text}\n`),
        })
      } finally {
        person?.close()
      }
    })
}

interface InitOptions {
  readonly given: RawSettings
  readonly force: boolean
  readonly probe: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folder: string
  /** Undefined without a terminal. */
  readonly ask: Ask | undefined
  say(text: string): void
}

export async function init(options: InitOptions): Promise<number> {
  const { env, folder, force, ask, say } = options
  const path = join(folder, '.env')
  if (existsSync(path) && !force)
    throw new UsageError(`${path} already exists; --force replaces it. Nothing was sent.`)
  const known = ownSettings(mergeSettings(options.given, env, {}))
  const problemWith = async (name: SettingName, settings: RawSettings) =>
    options.probe ? problemAt(name, { target: 'base', ...settings }, env) : undefined
  const raw: RawSettings = { target: 'base', ...(ask ? await asked(known, ask, say, problemWith) : known) }
  const configured = configure(raw)
  if ('mistakes' in configured) throw new UsageError(mistakesText(configured.mistakes))
  const { configuration } = configured

  const exit = options.probe ? await probe(configuration, env, say) : 0
  if (exit !== 0) {
    say(`\n${path} was not written. Fix the problem above first, or skip these checks with --no-probe.`)
    return exit
  }
  // A key from --api-key-file is written as the key itself, because no variable names the file.
  write(path, { ...ownSettings(raw), apiKey: configuration.apiKey }, force)
  say(`\n${path} was written; only its owner can read it. Keep it out of version control.`)
  const missing = missingFor(configuration)
  say(
    missing.length === 0
      ? configuration.statesUrl || configuration.statesModule
        ? 'To check that the provider states arrange what a full verdict needs: npx store-conformance doctor'
        : 'Ready for a full verdict: npx store-conformance run'
      : `For a full verdict, set a states endpoint or module, or:\n${missing.map(each => `  ${each}`).join('\n')}\nWithout that, npx store-conformance run ends incomplete (exit 3).`,
  )
  return 0
}

/** Settings that are checked as soon as they are given, with the finding about them. The address is checked by any finding. */
const CHECKED_AT_ONCE: { readonly [Name in SettingName]?: string } = {
  baseUrl: '',
  apiKey: 'API key',
  pendingOrders: 'pending orders',
  shippedOrders: 'shipped orders',
  pets: 'pets',
}

/** Why the answer to a question does not fit the store. */
async function problemAt(
  name: SettingName,
  settings: RawSettings,
  env: InitOptions['env'],
): Promise<string | undefined> {
  const about = CHECKED_AT_ONCE[name]
  // The address is asked for before the key.
  const configured = configure({ apiKey: 'not-known-yet', ...settings })
  if (about === undefined || 'mistakes' in configured) return undefined
  const { configuration } = configured
  const { baseUrl = '', timeoutMs, start } = configuration
  // A store that is to be started does not answer yet.
  if (name === 'baseUrl' && start !== undefined) return undefined
  const found =
    name === 'baseUrl' ? await networkFindings(baseUrl, timeoutMs, env) : await visited(configuration, env)
  const wrong = found.filter(({ mark, what }) => mark === 'wrong' && (about === '' || what === about))
  return wrong.length === 0 ? undefined : wrong.map(findingText).join('\n')
}

/** Checks the connection, the key and the named ids. Sends only GET requests. */
async function probe(
  configuration: Configuration,
  env: InitOptions['env'],
  say: (text: string) => void,
): Promise<number> {
  const { baseUrl = '', timeoutMs } = configuration
  const found = await visited(configuration, env, () => networkFindings(baseUrl, timeoutMs, env))
  for (const each of found) say(findingText(each))
  return exitOf(found)
}

function write(path: string, settings: RawSettings, replace: boolean): void {
  try {
    writeSecretFile(path, envText(settings), replace)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(`${path} cannot be written: ${code ?? message}`)
  }
}

function ownSettings(settings: RawSettings): RawSettings {
  const present = settingsOf('init').flatMap(name =>
    settings[name] === undefined ? [] : [[name, settings[name]] as const],
  )
  return Object.fromEntries(present)
}

/** The text of `.env` with these settings. @throws if dotenv would read a value back changed */
function envText(settings: RawSettings): string {
  const lines = Object.entries(settings).flatMap(([name, value]) => {
    const { variable, meaning } = settingOf(name as SettingName)
    return value === undefined || variable === undefined
      ? []
      : [`# ${meaning}`, `${variable}=${quoted(value)}`, '']
  })
  return ['# Holds secrets: keep it out of version control.', '', ...lines].join('\n')
}

/** dotenv has no escapes within single quotes and backticks, and cuts an unquoted value at `#`. */
function quoted(value: string): string {
  const ways = [value, `'${value}'`, `"${value}"`, `\`${value}\``]
  const found = ways.find(way => parse(`VALUE=${way}`)['VALUE'] === value)
  if (found !== undefined) return found
  throw new Error(
    'holds all kinds of quotes, so .env cannot hold it; name a file with --api-key-file instead',
  )
}

/**
 * Writes a file that only its owner can ever read. An existing file is kept, or with `replace` replaced as a whole.
 * @throws {NodeJS.ErrnoException} EEXIST if the file exists
 */
function writeSecretFile(path: string, text: string, replace: boolean): void {
  const written = replace ? `${path}.${process.pid}.tmp` : path
  const file = openSync(written, 'wx', 0o600)
  try {
    // A umask may have removed the owner's rights, so that not even the owner could read the file.
    fchmodSync(file, 0o600)
    writeSync(file, text)
  } catch (error) {
    rmSync(written, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  if (replace) renameSync(written, path)
}
