import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { type Configured, configure, mergeSettings } from './configuration.ts'
import type { Mistake } from './mistake.ts'
import { distance } from './nearest.ts'
import { type RawSettings, type SettingInfo, type SettingName, settingInfos, valuesOf } from './settings.ts'

/**
 * The configuration from flags, the environment and `.env` in the working folder, in this order of precedence.
 * @param flagsOnly settings whose variables are ignored
 */
export function readConfiguration(
  flags: RawSettings,
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
  flagsOnly: readonly SettingName[] = [],
): Configured {
  const path = join(folder, '.env')
  let dotenv: Readonly<Record<string, string>> = {}
  try {
    dotenv = parse(readFileSync(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A missing .env is allowed. Ignoring one that cannot be read could judge the wrong store.
    if (code !== 'ENOENT')
      return { mistakes: [{ setting: '.env', problem: `${path} cannot be read (${code})` }] }
  }
  const misspelt = [...misspeltIn(env, 'the environment'), ...misspeltIn(dotenv, '.env')]
  const configured = configure(
    valuesOf(mergeSettings(flags, without(env, flagsOnly), without(dotenv, flagsOnly))),
    env,
  )
  if (misspelt.length === 0) return configured
  return { mistakes: [...misspelt, ...('mistakes' in configured ? configured.mistakes : [])] }
}

const without = (
  variables: Readonly<Record<string, string | undefined>>,
  names: readonly SettingName[],
): Readonly<Record<string, string | undefined>> => {
  const ignored = names.map(name => (settingInfos[name] as SettingInfo).variable)
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !ignored.includes(name)))
}

const known = Object.values(settingInfos).flatMap((info: SettingInfo) => info.variable ?? [])

/** Misspelt variables of the suite. Ignoring them could judge the wrong store, or by the wrong rules. */
function misspeltIn(names: Readonly<Record<string, string | undefined>>, place: string): Mistake[] {
  return Object.keys(names).flatMap(name => {
    if (!name.startsWith('STORE') || known.includes(name)) return []
    const meant = known.find(each => !names[each] && isAlmost(name, each))
    return meant ? [{ setting: name, problem: `in ${place} is not a setting; did you mean ${meant}?` }] : []
  })
}

/** The same letters, or one edit apart, or two for a long name. Other programs may have variables with the same prefix. */
function isAlmost(name: string, setting: string): boolean {
  const letters = (text: string) => [...text.replaceAll('_', '')].sort().join('')
  if (letters(name) === letters(setting)) return true
  return distance(name, setting) <= (setting.length > 12 ? 2 : 1)
}
