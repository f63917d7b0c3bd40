import { join } from 'node:path'
import { parse } from 'dotenv'
import { shellWord, variableOf } from '../http/curl.ts'
import type { Environment } from '../http/proxy.ts'
import { MEGABYTE, readInput, type Unreadable } from '../http/read-input.ts'
import { type Redact, redactor } from '../http/redact.ts'
import { type Configuration, type Configured, configure, secretsIn } from './configuration.ts'
import { type Mistake, suggestion } from './mistake.ts'
import { allSettings, type RawSettings, settingOf } from './settings.ts'

/** The configuration from flags, the environment and `.env` in the working folder, in this order of precedence. */
export function readConfiguration(flags: RawSettings, env: Environment, folder: string): Configured {
  const { dotenv, mistakes } = readDotenv(folder)
  const unknown = [...unknownIn(env, 'the environment'), ...unknownIn(dotenv, '.env'), ...mistakes]
  const merged = mergeSettings(flags, env, dotenv)
  const configured = configure(merged, env)
  if ('mistakes' in configured || unknown.length > 0)
    return { mistakes: [...unknown, ...('mistakes' in configured ? configured.mistakes : [])] }
  const { configuration } = configured
  const { otherSecrets, baseUrl, statesUrl } = configuration
  // The value of --start may have one, as in `API_KEY=… node server.js`.
  const redact = redactor(otherSecrets, [baseUrl, statesUrl])
  const given = Object.fromEntries(Object.entries(merged).map(([name, text]) => [name, text && redact(text)]))
  return { configuration: { ...configuration, given, command: redact(commandFor(merged, configuration)) } }
}

function readDotenv(folder: string): { readonly dotenv: Environment; readonly mistakes: readonly Mistake[] } {
  const path = join(folder, '.env')
  try {
    const text = readInput(path, MEGABYTE).toString()
    const dotenv = parse(text)
    return { dotenv, mistakes: unreadableIn(text, dotenv) }
  } catch (error) {
    const { code, message } = error as Unreadable
    // A missing .env is allowed. Ignoring one that cannot be read could judge the wrong store.
    return {
      dotenv: {},
      mistakes: code === 'ENOENT' ? [] : [{ setting: '.env', problem: `${path} ${message}` }],
    }
  }
}

/** The settings before validation. */
export const settingsFrom = (flags: RawSettings, env: Environment, folder: string): RawSettings =>
  mergeSettings(flags, env, readDotenv(folder).dotenv)

/** For messages about wrong usage, which may quote a secret at the place of another setting. */
export const redactorFrom = (flags: RawSettings, env: Environment, folder: string): Redact =>
  redactor(secretsIn(settingsFrom(flags, env, folder), env))

/**
 * The command that judges the same store again, without the selection. It contains what the environment and `.env` say, because it
 * may be pasted elsewhere. Variables stand for secrets.
 */
function commandFor(given: RawSettings, { isFallback, headers = {}, readOnly }: Configuration): string {
  const { only: _only, skip: _skip, seed: _seed, headers: _headers, readOnly: _text, ...rest } = given
  const { orReference: _fallback, ...flags } = isFallback ? { ...rest, target: 'reference' } : rest
  return [
    'npx --no-install store-conformance run',
    ...writtenFlags({ ...flags, ...(readOnly ? { readOnly: 'true' } : {}) }),
    ...Object.keys(headers).map(name => `--header ${shellWord(name)}="$${variableOf(name)}"`),
  ].join(' ')
}

/** The flags as they are typed in a shell. */
export function writtenFlags(given: RawSettings): string[] {
  return allSettings.flatMap(({ name, flag: written }) => {
    const [flag, value] = written?.split(' ') ?? []
    const text = given[name]
    if (flag === undefined || text === undefined) return []
    return [value === undefined ? flag : `${flag} ${shellWord(text)}`]
  })
}

/** A flag wins over the environment, the environment over `.env`. A variable that is empty unsets the one in `.env`. */
function mergeSettings(flags: RawSettings, env: Environment, dotenv: Environment): RawSettings {
  const merged: RawSettings = Object.fromEntries(
    allSettings.map(({ name, variable }) => {
      const given = variable === undefined ? undefined : (env[variable] ?? dotenv[variable]) || undefined
      // Headers of the environment are often secrets, and those of flags are not, so both are sent.
      if (name === 'headers') return [name, [given, flags[name]].filter(Boolean).join('\n') || undefined]
      return [name, flags[name] ?? given]
    }),
  )
  // CI systems set an undefined variable to an empty text. With --or-reference, the run must not judge another store because of that.
  if (merged.target !== undefined) return merged
  const isBlank = (name: 'baseUrl' | 'apiKey') => {
    const { variable = '' } = settingOf(name)
    return merged[name] === undefined && (env[variable] ?? dotenv[variable]) === ''
  }
  const hasKey = merged.apiKeyFile !== undefined || !isBlank('apiKey')
  return { ...merged, ...(isBlank('baseUrl') ? { baseUrl: '' } : {}), ...(hasKey ? {} : { apiKey: '' }) }
}

/** What a parser of `.env` leaves out, or takes as it is, without a word. */
function unreadableIn(text: string, read: Environment): Mistake[] {
  // Some editors write UTF-16.
  if (/[\0\uFFFD]/.test(text)) return [{ setting: '.env', problem: 'is not text in UTF-8; save it as UTF-8' }]
  return text.split('\n').flatMap((line, at) => {
    // Before it, a line of a shell, of Windows or of YAML may have `export`, `set` or `-`.
    const [, name, quote] = /^(?:[^#=]*[\s:])?(STORE_\w+)(?:\s*=\s*(["'`]))?/.exec(line) ?? []
    if (name === undefined) return []
    if (quote !== undefined && read[name]?.startsWith(quote))
      return [{ setting: name, problem: `in line ${at + 1} of .env begins with a quote that is not closed` }]
    const isCut = read[name] && line.replace(/^[^=:]*[=:]\s*/, '').startsWith(`${read[name]}#`)
    if (isCut)
      return [{ setting: name, problem: `in line ${at + 1} of .env is cut at #; put the value in quotes` }]
    if (name in read) return []
    return [{ setting: name, problem: `in line ${at + 1} of .env is not written as ${name}=value` }]
  })
}

/** Variables with the prefix of the suite that are no settings. Ignoring one could judge the wrong store, or by the wrong rules. */
function unknownIn(names: Environment, place: string): Mistake[] {
  const known = allSettings.flatMap(({ variable }) => variable ?? [])
  return Object.keys(names).flatMap(name => {
    if (!/^STORES?_/i.test(name) || known.includes(name)) return []
    const { variable, flag } = flagNamed(name.toUpperCase()) ?? {}
    const hint = variable
      ? `Did you mean ${variable}?`
      : flag
        ? `Give the flag ${flag}.`
        : suggestion(name, known, 'Unset it, or rename it if it belongs to another program.')
    return [{ setting: name, problem: `in ${place} is not a setting. ${hint}` }]
  })
}

/** The setting whose flag has the name of this variable. Without its key file, a run says that the key is missing. */
const flagNamed = (variable: string) =>
  allSettings.find(
    ({ name, flag }) =>
      name !== 'apiKeyFile' &&
      `--${variable.slice(6).replaceAll('_', '-').toLowerCase()}` === flag?.split(' ')[0],
  )
