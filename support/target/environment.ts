import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { type Configured, configure, mergeSettings } from './configuration.ts'
import type { RawSettings } from './settings.ts'

/** The configuration from flags, the environment and `.env` in the working folder, in this order of precedence. */
export function readConfiguration(
  flags: RawSettings,
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): Configured {
  const path = join(folder, '.env')
  let dotenv: Readonly<Record<string, string>> = {}
  try {
    dotenv = parse(readFileSync(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // No .env is no mistake; one that can't be read would silently judge another store than the one meant.
    if (code !== 'ENOENT')
      return { mistakes: [{ setting: '.env', problem: `${path} cannot be read (${code})` }] }
  }
  return configure(mergeSettings(flags, env, dotenv))
}
