import type { Configuration } from '../settings/configuration.ts'
import { allSettings, type RawSettings } from '../settings/settings.ts'
import { shellWord, variableOf } from '../wire/curl.ts'

const COMMAND = 'npx --no-install store-conformance'

/** The flags as they are typed in a shell. */
export function writtenFlags(given: RawSettings): string[] {
  return allSettings.flatMap(({ name, flag, short }) => {
    const text = given[name]
    if (short === undefined || text === undefined) return []
    return [flag === short ? short : `${short} ${shellWord(text)}`]
  })
}

/**
 * The command that judges the same store again, without the selection. It contains what the environment and `.env` say, because it
 * may be pasted elsewhere. Variables stand for secrets. Undefined for a program, which has no texts of flags.
 */
export function commandOf({ given, isFallback, headers = {}, readOnly }: Configuration): string | undefined {
  if (!given) return undefined
  const { only: _only, skip: _skip, seed: _seed, headers: _headers, orReference, ...flags } = given
  const store = isFallback ? { target: 'reference' } : { orReference }
  const read = readOnly ? 'true' : undefined
  return [
    `${COMMAND} run`,
    ...writtenFlags({ ...flags, ...store, readOnly: read }),
    ...Object.keys(headers).map(name => `--header ${shellWord(name)}="$${variableOf(name)}"`),
  ].join(' ')
}

/** The command that restores the stock of the store at this address. */
export function howToRestore(
  baseUrl: string,
  { target, reportsDir }: Pick<Configuration, 'target' | 'reportsDir'>,
): string {
  const isStaging = target === 'staging'
  const address = isStaging ? { target, stagingBaseUrl: baseUrl } : { target: 'base', baseUrl }
  const key = isStaging ? 'STORE_STAGING_API_KEY' : 'STORE_API_KEY'
  const flags = writtenFlags({ ...address, reportsDir }).join(' ')
  return `To restore it, with the key of that store in ${key}:\n  ${COMMAND} restore ${flags}`
}
