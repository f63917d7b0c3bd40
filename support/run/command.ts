import type { Configuration } from '../settings/configuration.ts'
import { allSettings, type RawSettings } from '../settings/settings.ts'
import { shellWord, variableOf } from '../wire/curl.ts'

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
  const {
    only: _only,
    skip: _skip,
    seed: _seed,
    headers: _headers,
    readOnly: _text,
    orReference,
    ...flags
  } = given
  return [
    'npx --no-install store-conformance run',
    ...writtenFlags({
      ...flags,
      ...(isFallback ? { target: 'reference' } : { orReference }),
      ...(readOnly ? { readOnly: 'true' } : {}),
    }),
    ...Object.keys(headers).map(name => `--header ${shellWord(name)}="$${variableOf(name)}"`),
  ].join(' ')
}
