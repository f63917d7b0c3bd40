import { suites } from '../../suites/index.ts'
import {
  type CellName,
  cellKey,
  matchesGlob,
  type Question,
  type RuleFacts,
} from '../interface/description.ts'
import { operationIds } from '../interface/operations.ts'
import { DEFAULT_PROFILE, isNew, type Profile, profiles } from '../interface/profiles.ts'
import {
  type Configuration,
  ConfigurationError,
  type Mistake,
  suggestion,
} from '../settings/configuration.ts'
import type { ExpectedFailure } from '../settings/expected-failures.ts'
import { type GivenSettings, settings } from '../settings/settings.ts'
import { redactor } from '../wire/redact.ts'

/** Every rule of the suites in order, for each operation. */
export const allRules: readonly RuleFacts[] = suites.flatMap(({ rules }) => rules)
const allQuestions: readonly Question[] = suites.flatMap(({ observations }) => observations)

/** The rules and observations of a run. */
export interface Selection {
  readonly profile: Profile
  /** The rules that are reported. */
  readonly rules: readonly RuleFacts[]
  readonly observations: readonly Question[]
  /** Whether `only` or `skip` left out a rule of the profile. */
  readonly partial: boolean
}

/** The settings that name rules. */
type Choice = Partial<Pick<Configuration, 'only' | 'skip' | 'expectedFailures' | 'otherSecrets'>> & {
  readonly profile?: string
}

/** The rules of a run. @throws {ConfigurationError} if a setting names an unknown rule, or no rule is left */
export function selectRules(choice: Choice): Selection {
  const redact = redactor(choice.otherSecrets ?? [])
  const mistakes = mistakesIn(choice).map(each => ({ ...each, problem: redact(each.problem) }))
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)
  return select(profileIn(choice), choice)
}

/** The mistakes in the settings that name rules, beside mistakes in others. */
export function ruleMistakes(given: GivenSettings): readonly Mistake[] {
  const [only, skip] = [given.only, given.skip].map(each => settings.only.schema.safeParse(each).data)
  const expectedFailures = settings.expectedFailures.schema.safeParse(given.expectedFailures).data
  return mistakesIn({ profile: String(given.profile), only, skip, expectedFailures })
}

/** An unknown profile is reported with the mistakes of the other settings. */
const profileIn = ({ profile = DEFAULT_PROFILE }: Choice): Profile =>
  (Object.hasOwn(profiles, profile) ? profiles[profile] : profiles[DEFAULT_PROFILE]) as Profile

export function select(profile: Profile, { only, skip }: Choice): Selection {
  const isSent = ({ operation }: CellName) => !profile.without.includes(operation)
  const isChosen = (item: CellName) =>
    isSent(item) &&
    (!only || only.some(each => isMatch(each, item))) &&
    !skip?.some(each => isMatch(each, item))
  const rules = allRules.filter(isChosen)
  const partial = allRules.some(rule => isSent(rule) && !rules.includes(rule) && !isNew(rule, profile))
  return { profile, rules, observations: allQuestions.filter(isChosen), partial }
}

const folders = new Map(
  suites.map(({ name, rules, observations }) => [name, new Set([...rules, ...observations].map(cellKey))]),
)

/**
 * Whether a selector matches a rule or observation: an operation, a folder of suites, the id of a rule or a glob over ids, or both with a
 * slash between (`auth-no-header/cancelOrder`).
 */
export function isMatch(selector: string, item: CellName): boolean {
  if (operationIds.some(id => id === selector)) return item.operation === selector
  const folder = folders.get(selector)
  if (folder) return folder.has(cellKey(item))
  const [glob = '', operation = item.operation] = selector.split('/')
  return operation === item.operation && matchesGlob(glob, item.id)
}

function mistakesIn(choice: Choice): readonly Mistake[] {
  const { only = [], skip = [], expectedFailures } = choice
  const profile = profileIn(choice)
  const { rules, observations } = select(profile, {})
  const isUnknown = (selector: string) => ![...rules, ...observations].some(each => isMatch(selector, each))
  const unknown = [...only, ...skip].filter(isUnknown).map(selector => ({
    setting: only.includes(selector) ? '--only' : '--skip',
    problem: problemWith(selector, profile),
  }))
  // A run without rules must not look like one that passed.
  if (unknown.length === 0 && select(profile, choice).rules.length === 0)
    unknown.push({ setting: choice.skip ? '--skip' : '--only', problem: `selects no rule; ${LIST}` })
  const ofFile = (expectedFailures?.entries ?? []).flatMap(entry => {
    const problem = problemWithEntry(entry)
    return problem ? [{ setting: `${expectedFailures?.file}:${entry.lines[0]}`, problem }] : []
  })
  return [...unknown, ...ofFile]
}

const LIST = 'npx --no-install store-conformance list shows all rules'

const notA = (text: string, what: string, known: readonly string[]): string =>
  `${JSON.stringify(text)} is not a ${what}. ${suggestion(text, known, `${LIST}.`)}`

function problemWith(selector: string, { name }: Profile): string {
  const all = [...allRules, ...allQuestions]
  return all.some(each => isMatch(selector, each))
    ? `${JSON.stringify(selector)} is not in profile ${name}; choose another --profile`
    : notA(selector, 'rule, glob or operation', [...operationIds, ...all.map(({ id }) => id)])
}

/** An entry that matches no rule would have no effect, and would hide the mistake in the file. */
function problemWithEntry({ rule, operation }: ExpectedFailure): string | undefined {
  const matched = allRules.filter(({ id }) => matchesGlob(rule, id))
  const [first] = matched
  const ids = allRules.map(({ id }) => id)
  if (!first) return notA(rule, 'rule or glob', ids)
  const isRight = matched.some(each => operation === undefined || each.operation === operation)
  return isRight ? undefined : `${rule} is a rule of ${first.operation}, not of ${operation}`
}
