import { DEFAULT_PROFILE, profileNames } from '../interface/profiles.ts'
import { selectRules } from '../run/select-rules.ts'
import { ConfigurationError, type Mistake } from '../settings/mistake.ts'
import { list, type RawSettings } from '../settings/settings.ts'

/** What is wrong with the selection, where other settings are wrong too: every mistake is named at once. */
export function selectionMistakes({ profile: wanted, only, skip }: RawSettings): readonly Mistake[] {
  const profile = profileNames.find(name => name === wanted) ?? DEFAULT_PROFILE
  try {
    selectRules({
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
