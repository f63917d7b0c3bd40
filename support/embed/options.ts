import * as reference from '../reference/index.ts'
import { ConfigurationError, type Mistake, mistakesOf, suggestion } from '../settings/configuration.ts'
import { type GivenSettings, type ProgramSettings, settingsOf } from '../settings/settings.ts'
import type { StatesModule } from '../target/provider.ts'
import type { Transport } from '../wire/connection.ts'

/** A store as a function. It is called with the request alone. */
export type Fetch = (request: Request) => Response | Promise<Response>

/** Options of `judge`: settings, and what only a program can give. One of `baseUrl`, `fetch` and `reference` names the store. */
export interface JudgeOptions extends ProgramSettings {
  /** Judges the bundled reference store. */
  readonly reference?: true
  /** Provider states as functions of this program. */
  readonly states?: StatesModule
  /** Ends the run early: stock is restored, and the verdict is `incomplete`. */
  readonly signal?: AbortSignal
  /**
   * A store in this process: a function of the Fetch standard, or an adapter around a framework. With it, the base URL only sets the
   * prefix of the paths; default `http://in-process.invalid/v1`.
   */
  readonly fetch?: Fetch
  /** Replaces HTTP over a socket. */
  readonly transport?: Transport
  /** File for the old stock while it is changed. Without it, the old stock is kept in memory. */
  readonly undoPath?: string
  /** Environment in which HTTPS_PROXY and NO_PROXY are looked up. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const has = (method: string) => (value: unknown) => isObject(value) && typeof value[method] === 'function'

/** What only a program can give: a check of each value, and what it should be. */
const OWN: Readonly<
  Record<Exclude<keyof JudgeOptions, keyof ProgramSettings>, [(value: unknown) => boolean, string]>
> = {
  reference: [value => value === true, 'true; leave it out to judge another store'],
  states: [has('setup'), 'an object with a function setup(state, params)'],
  signal: [value => value instanceof AbortSignal, 'an AbortSignal'],
  fetch: [value => typeof value === 'function', 'a function from a Request to a Response'],
  transport: [has('connect'), 'a Transport'],
  undoPath: [value => typeof value === 'string', 'the path of a file'],
  env: [isObject, 'an object of variables'],
}

/** `.invalid` never resolves (RFC 6761 §6.4), so a request cannot leave the process by mistake. */
const IN_PROCESS = 'http://in-process.invalid/v1'

/** The options that are settings. An empty list counts as unset, but an empty selection is a mistake. */
export function givenSettings(options: JudgeOptions): GivenSettings {
  const given = settingsOf('judge').flatMap(({ name }) => {
    const value: unknown = (options as GivenSettings)[name]
    return Array.isArray(value) && value.length === 0 && name !== 'only' ? [] : [[name, value] as const]
  })
  const { baseUrl = options.fetch && IN_PROCESS } = options
  // If no option names a store, `optionMistakes` says so in the words of a program.
  return { ...Object.fromEntries(given), baseUrl, orReference: true }
}

/** What is wrong with the options apart from the settings. */
export function optionMistakes(options: JudgeOptions): Mistake[] {
  const { baseUrl, fetch, transport, states, reference: isReference } = options
  const own = Object.entries(OWN).map(([name, [isRight, wanted]]) => {
    const { [name as keyof typeof OWN]: value } = options
    return [value !== undefined && !isRight(value), name, `is not ${wanted}`] as const
  })
  const stores = (['baseUrl', 'fetch', 'reference'] as const).filter(name => name in options)
  const isNone = stores.length === 0
  const hasAddress = baseUrl !== undefined || fetch !== undefined
  const none =
    'is missing, so no store is named; give baseUrl or fetch, or reference: true for the bundled store'
  const two = 'is set beside states; give one of the two'
  return [
    ...unknownOptions(
      'judge()',
      [...settingsOf('judge').map(({ name }) => name), ...Object.keys(OWN)],
      options,
    ),
    ...mistakesOf([
      ...own,
      // An unset variable could judge another store than intended.
      ...stores.map(
        name =>
          [options[name] === undefined, name, 'is undefined; leave it out, or give it a value'] as const,
      ),
      [isNone, 'baseUrl', none],
      [isReference && stores.length > 1, 'reference', 'is set beside baseUrl or fetch; give one of them'],
      [states && !hasAddress, 'states', 'needs the address of the store: give baseUrl or fetch'],
      [fetch && transport, 'fetch', 'cannot be combined with transport; give one of the two'],
      [states && options.statesUrl !== undefined, 'statesUrl', two],
      [states && options.statesModule !== undefined, 'statesModule', two],
    ]),
  ]
}

const STORE = ['apiKey', 'revokedKeys', 'seed', 'demo', 'statesToken', 'overrides', 'onError']

/** @throws {ConfigurationError} for an unknown option */
export function referenceStore(options: reference.StoreOptions = {}): reference.ReferenceStore {
  expectNoMistake(unknownOptions('referenceStore()', STORE, options))
  return reference.referenceStore(options)
}

/** @throws {ConfigurationError} for an unknown option */
export async function serve(
  store: reference.ReferenceStore,
  options: reference.ServeOptions = {},
): Promise<reference.ServedStore> {
  expectNoMistake(unknownOptions('serve()', ['port', 'host'], options))
  return reference.serve(store, options)
}

function expectNoMistake(mistakes: readonly Mistake[]): void {
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)
}

/** A mistake for each option that a function does not have. Ignoring one could judge the wrong store, or change data. */
const unknownOptions = (owner: string, known: readonly string[], given: object): Mistake[] =>
  Object.keys(given)
    .filter(name => !known.includes(name))
    .map(name => {
      const hint = suggestion(name, known, `Its options are ${known.join(', ')}.`)
      return { setting: name, problem: `is not an option of ${owner}. ${hint}` }
    })
