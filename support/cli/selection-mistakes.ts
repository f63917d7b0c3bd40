import { profileNames } from '../interface/profiles.ts'
import { ConfigurationError, selectFor } from '../run/run.ts'
import type { Mistake } from '../settings/configuration.ts'
import { list, type RawSettings } from '../settings/settings.ts'

/** What is wrong with the selection, where other settings are wrong too: every mistake is named at once. */
export function selectionMistakes({ profile: wanted, only, skip }: RawSettings): readonly Mistake[] {
  const profile = profileNames.find(name => name === wanted) ?? '1.0.0'
  try {
    selectFor({
      profile,
      ...(only === undefined ? {} : { only: list(only) }),
      ...(skip === undefined ? {} : { skip: list(skip) }),
    })
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes
    throw error
  }
}
