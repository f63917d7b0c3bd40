import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { parse } from 'dotenv'
import type { Environment } from '../http/proxy.ts'
import { Misconfigured } from '../judge/outcome.ts'
import { capital } from '../report/words.ts'
import { writeWhole } from '../report/write.ts'
import { configure } from '../settings/configuration.ts'
import { mergeSettings } from '../settings/environment.ts'
import { ConfigurationError } from '../settings/mistake.ts'
import { nameOf, type RawSettings, type SettingName, settingOf, settingsOf } from '../settings/settings.ts'
import { checkStore, exitOf, findingText, printAll } from './doctor/store.ts'
import { missingFor } from './doctor.ts'
import { addSettings, givenSettings } from './flags.ts'

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
  readonly env: Environment
  readonly folder: string
  /** Asks the user a question. The answer to a secret one is not shown. Undefined without a terminal. */
  readonly ask: ((question: string, secret: boolean) => Promise<string>) | undefined
  say(text: string): void
}

export async function init(options: InitOptions): Promise<number> {
  const { env, folder, force, say } = options
  const path = join(folder, '.env')
  if (!force) expectNone(path)
  const raw = await asked({ target: 'base', ...ownSettings(mergeSettings(options.given, env, {})) }, options)
  const configured = configure(raw)
  if ('mistakes' in configured) throw new ConfigurationError(configured.mistakes)
  const { configuration } = configured
  if (options.probe) {
    const findings = await printAll(checkStore(configuration, env), say)
    if (exitOf(findings) !== 0) {
      say(`\n${path} was not written. Fix the problem above first, or skip these checks with --no-probe.`)
      return exitOf(findings)
    }
  }
  if (!force) expectNone(path)
  // A key from --api-key-file is written as the key itself, because no variable names the file.
  const settings = { ...ownSettings(raw), apiKey: configuration.apiKey }
  try {
    writeWhole(folder, '.env', envText(settings), 0o600)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Misconfigured(`${path} cannot be written: ${code ?? message}`)
  }
  say(`\n${path} was written; only its owner can read it. Keep it out of version control.`)
  const missing = missingFor(configuration)
  say(
    missing.length > 0
      ? `For a full verdict, set a states endpoint or module, or:\n${missing.map(each => `  ${each}`).join('\n')}\nWithout that, npx store-conformance run ends incomplete (exit 3).`
      : configuration.statesUrl || configuration.statesModule
        ? 'To check that the provider states arrange what a full verdict needs: npx store-conformance doctor'
        : 'Ready for a full verdict: npx store-conformance run',
  )
  return 0
}

function expectNone(path: string): void {
  if (existsSync(path)) throw new Misconfigured(`${path} already exists; --force replaces it.`)
}

/** The settings that it asks for. `about`: the name of the finding about those that are checked at once. */
const ASKED: readonly (readonly [SettingName, about?: string])[] = [
  ['baseUrl', 'store'],
  ['apiKey', 'API key'],
  ['statesUrl'],
  ['statesToken'],
  ['pendingOrders', 'pending orders'],
  ['shippedOrders', 'shipped orders'],
  ['pets', 'pets'],
]

/** Asks for each setting that is missing, until the answer is valid and fits the store. */
async function asked(given: RawSettings, { ask, say, probe, env }: InitOptions): Promise<RawSettings> {
  if (!ask) return given
  let settings = given
  for (const [name, about] of ASKED) {
    const { meaning, flag, schema } = settingOf(name)
    if (settings[name] !== undefined || isUnneeded(name, settings)) continue
    const [secret, optional] = [flag === undefined, name !== 'baseUrl' && name !== 'apiKey']
    const remarks = [...(secret ? ['not shown'] : []), ...(optional ? ['empty: none'] : [])]
    const text = `${capital(meaning)}${remarks.length === 0 ? '' : ` (${remarks.join('; ')})`}`
    for (;;) {
      const answer = (await ask(text, secret)).trim()
      if (answer === '' && optional) break
      const together = { ...settings, [name]: answer }
      const { error } = schema.safeParse(answer)
      const problem =
        answer === ''
          ? 'A value is required.'
          : error
            ? `${nameOf(name)}: ${error.issues.map(({ message }) => message).join('; ')}`
            : probe && about && (await problemAtStore(about, together, env))
      if (!problem) {
        settings = together
        break
      }
      say(problem)
    }
  }
  return settings
}

/** With provider states, no ids have to be named. Without an endpoint, no token is needed. */
function isUnneeded(name: SettingName, given: RawSettings): boolean {
  const arranged = Boolean(given.statesUrl || given.statesModule)
  if (name === 'apiKey') return given.apiKeyFile !== undefined
  if (name === 'statesToken') return !given.statesUrl
  return arranged && ['statesUrl', 'pendingOrders', 'shippedOrders', 'pets'].includes(name)
}

/** Why the answer to a question does not fit the store. */
async function problemAtStore(
  about: string,
  settings: RawSettings,
  env: Environment,
): Promise<string | undefined> {
  // The address is asked for before the key. A store that is to be started does not answer yet.
  const configured = configure({ ...settings, apiKey: settings.apiKey ?? 'not-known-yet' })
  if ('mistakes' in configured || (about === 'store' && settings.start)) return
  for await (const found of checkStore(configured.configuration, env))
    if (found.mark === 'wrong' && found.what === about) return findingText(found)
}

function ownSettings(settings: RawSettings): RawSettings {
  return Object.fromEntries(settingsOf('init').map(({ name }) => [name, settings[name]]))
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

/** Asks at the terminal. Ctrl-C and Ctrl-D end the command. */
function terminal() {
  let hidden = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!hidden) process.stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const ended = new AbortController()
  lines.once('close', () => ended.abort())
  return {
    async ask(question: string, secret: boolean) {
      const prompt = `${question}: `
      // Readline redraws the whole line, with the prompt, at each key. So the prompt is printed here and all else hidden.
      if (secret) process.stderr.write(prompt)
      hidden = secret
      try {
        return await lines.question(prompt, { signal: ended.signal })
      } catch {
        throw new Misconfigured('Nothing was written.')
      } finally {
        hidden = false
        if (secret) process.stderr.write('\n')
      }
    },
    close: () => lines.close(),
  }
}
