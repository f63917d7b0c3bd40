import { closeSync, fchmodSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { parse } from 'dotenv'
import {
  type RawSettings,
  type SettingInfo,
  type SettingName,
  settingInfos,
} from '../../settings/settings.ts'

/** `.env` with these settings. @throws where a value can't be written so that it is read back the same */
export function envText(settings: RawSettings): string {
  const lines = Object.entries(settings).flatMap(([name, value]) => {
    const { variable, meaning }: SettingInfo = settingInfos[name as SettingName]
    return value === undefined || variable === undefined
      ? []
      : [`# ${meaning}`, `${variable}=${quoted(value)}`, '']
  })
  return ['# Holds secrets: keep it out of version control.', '', ...lines].join('\n')
}

/** dotenv knows no escapes within single quotes and backticks, and cuts what has none at a `#`. */
function quoted(value: string): string {
  const ways = [value, `'${value}'`, `"${value}"`, `\`${value}\``]
  const found = ways.find(way => parse(`VALUE=${way}`)['VALUE'] === value)
  if (found !== undefined) return found
  throw new Error(
    'holds all kinds of quotes, so .env cannot hold it; name a file with --api-key-file instead',
  )
}

/**
 * Readable by its owner alone, from the first byte on. A file that is there stays, unless it is to be replaced; then it is
 * replaced as a whole.
 * @throws {NodeJS.ErrnoException} EEXIST where the file is there
 */
export function writeSecretFile(path: string, text: string, replace: boolean): void {
  const written = replace ? `${path}.${process.pid}.tmp` : path
  const file = openSync(written, 'wx', 0o600)
  try {
    // A umask can only take rights away; one that takes those of the owner would leave a file that nobody reads.
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
