import {
  allRules,
  type InterfaceUnderTest,
  matcher,
  matchesGlob,
  type Selection,
  select,
} from '../interface/selection.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { ExpectedFailure } from '../settings/expected-failures.ts'
import { ConfigurationError, type Mistake, suggestion } from '../settings/mistake.ts'
import { type GivenSettings, settings } from '../settings/settings.ts'
import { redactor } from '../wire/redact.ts'

/** The settings that name rules. */
type Choice = Partial<Pick<Configuration, 'profile' | 'only' | 'skip' | 'expectedFailures' | 'otherSecrets'>>

/** The rules of a run. @throws {ConfigurationError} if a setting names an unknown rule, or no rule is left */
export function selectRules(subject: InterfaceUnderTest, choice: Choice): Selection {
  const { otherSecrets = [], only, skip } = choice
  const selection = select(subject, { profile: profileIn(subject, choice), only, skip })
  const mistakes = mistakesIn(subject, choice)
  if ('rules' in selection && mistakes.length === 0) return selection
  const redact = redactor(otherSecrets)
  throw new ConfigurationError(mistakes.map(each => ({ ...each, problem: redact(each.problem) })))
}

/** The mistakes in the settings that name rules, beside mistakes in others. */
export function ruleMistakes(subject: InterfaceUnderTest, given: GivenSettings): readonly Mistake[] {
  const [only, skip] = [given.only, given.skip].map(each => settings.only.schema.safeParse(each).data)
  const expectedFailures = settings.expectedFailures.schema.safeParse(given.expectedFailures).data
  return mistakesIn(subject, { profile: String(given.profile), only, skip, expectedFailures })
}

/** An unknown profile is reported with the mistakes of the other settings. */
const profileIn = ({ profiles }: InterfaceUnderTest, { profile = '' }: Choice): string =>
  Object.hasOwn(profiles, profile) ? profile : (Object.keys(profiles)[0] ?? '')

const LIST = 'npx --no-install store-conformance list shows all rules'

function mistakesIn(subject: InterfaceUnderTest, choice: Choice): readonly Mistake[] {
  const { only, skip, expectedFailures: { file, entries } = { file: '', entries: [] } } = choice
  const profile = profileIn(subject, choice)
  const ofFile = entries.flatMap(entry => {
    const problem = problemWithEntry(subject, entry)
    return problem ? [{ setting: `${file}:${entry.lines[0]}`, problem }] : []
  })
  const selection = select(subject, { profile, only, skip })
  if ('rules' in selection) return ofFile
  const unmatched = selection.unmatched.map(selector => ({
    setting: only?.includes(selector) ? '--only' : '--skip',
    problem: problemWith(subject, selector, profile),
  }))
  const flags = [only && '--only', skip && '--skip'].filter(Boolean).join(', ')
  const none = { setting: flags, problem: `selects no rule; ${LIST}` }
  return [...(unmatched.length > 0 ? unmatched : [none]), ...ofFile]
}

function problemWith(subject: InterfaceUnderTest, selector: string, profile: string): string {
  const isMatch = matcher(subject)
  const all = [...allRules(subject), ...subject.suites.flatMap(({ observations }) => observations)]
  if (all.some(each => isMatch(selector, each)))
    return `${JSON.stringify(selector)} is not in profile ${profile}; choose another --profile`
  const known = [...Object.keys(subject.operations), ...all.map(({ id }) => id)]
  return `${JSON.stringify(selector)} is not a rule, glob or operation. ${suggestion(selector, known, `${LIST}.`)}`
}

/** An entry that matches no rule would have no effect, and would hide the mistake in the file. */
function problemWithEntry(
  subject: InterfaceUnderTest,
  { rule, operation }: ExpectedFailure,
): string | undefined {
  const all = allRules(subject)
  const matched = all.filter(({ id }) => matchesGlob(rule, id))
  if (matched.some(each => operation === undefined || each.operation === operation)) return undefined
  const [other] = matched
  if (other) return `${rule} is a rule of ${other.operation}, not of ${operation}`
  const known = all.map(({ id }) => id)
  return `${JSON.stringify(rule)} is not a rule or glob. ${suggestion(rule, known, `${LIST}.`)}`
}
