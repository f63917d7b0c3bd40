import { closeSync, fchmodSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { parse } from 'dotenv'
import { type RawSettings, type SettingName, settingOf } from '../../settings/settings.ts'

/** The text of `.env` with these settings. @throws if dotenv would read a value back changed */
export function envText(settings: RawSettings): string {
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
export function writeSecretFile(path: string, text: string, replace: boolean): void {
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
