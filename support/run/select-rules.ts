import { allRules } from '../judge/interface.ts'
import { matcher, type Selection, select } from '../judge/selection.ts'
import type { Configuration } from '../settings/configuration.ts'
import { ConfigurationError } from '../settings/mistake.ts'
import { nearest } from '../settings/nearest.ts'
import { storeServiceUnderTest as subject } from './store-service.ts'

/** The rules of a run. @throws {ConfigurationError} if a selector matches nothing */
export function selectRules(configuration: Pick<Configuration, 'profile' | 'only' | 'skip'>): Selection {
  const selection = select(subject, configuration)
  if ('rules' in selection) return selection
  const { profile, only, skip } = configuration
  const mistakes = selection.unmatched.map(selector => ({
    setting: only?.includes(selector) ? '--only' : '--skip',
    problem: problemWith(selector, profile),
  }))
  const none = {
    setting: [only && '--only', skip && '--skip'].filter(Boolean).join(', '),
    problem: 'selects no rule; store-conformance list shows all rules',
  }
  throw new ConfigurationError(mistakes.length > 0 ? mistakes : [none])
}

function problemWith(selector: string, profile: string): string {
  const isMatch = matcher(subject)
  const all = [...allRules(subject), ...subject.suites.flatMap(({ observations }) => observations)]
  if (all.some(each => isMatch(selector, each)))
    return `${JSON.stringify(selector)} is not in profile ${profile}; choose another --profile`
  const meant = nearest(selector, [...Object.keys(subject.operations), ...all.map(({ id }) => id)])
  const hint = meant ? `Did you mean ${meant}?` : 'store-conformance list shows all rules.'
  return `${JSON.stringify(selector)} is not a rule, glob or operation. ${hint}`
}
