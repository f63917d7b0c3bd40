import * as reference from '../reference/index.ts'
import type { Report, ReportedRule } from '../report/report.ts'
import { type OpenRun, openRun } from '../run/run.ts'
import { ConfigurationError, configure, type Mistake, mistakesOf } from '../settings/configuration.ts'
import { suggestion } from '../settings/selection.ts'
import { type GivenSettings, type ProgramSettings, settingsOf } from '../settings/settings.ts'
import type { StatesModule } from '../target/provider.ts'
import type { Transport } from '../wire/connection.ts'
import { fetchHandler, inProcess } from '../wire/connection.ts'

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

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFunction = (value: unknown): boolean => typeof value === 'function'

/** What only a program can give: a check of each value, and what it should be. */
const OWN: Readonly<
  Record<Exclude<keyof JudgeOptions, keyof ProgramSettings>, [(value: unknown) => boolean, string]>
> = {
  reference: [value => value === true, 'true; leave it out to judge another store'],
  states: [value => isFunction(Object(value).setup), 'an object with a function setup(state, params)'],
  signal: [value => value instanceof AbortSignal, 'an AbortSignal'],
  fetch: [isFunction, 'a function from a Request to a Response'],
  transport: [value => isFunction(Object(value).connect), 'a Transport'],
  undoPath: [value => typeof value === 'string', 'the path of a file'],
  env: [isObject, 'an object of variables'],
}

const SETTINGS = settingsOf('judge').map(({ name }) => name)

/**
 * Judges a store without a test runner.
 * @throws {ConfigurationError} for invalid options, before anything is sent
 * @throws {Misconfigured} if the states endpoint or module does not work as agreed
 */
export async function judge(options: JudgeOptions = {}): Promise<Report> {
  const run = await openFor(options)
  return run.finish()
}

/** Like `judge`, but yields the rules one by one once the log of the run is judged, and returns the report. */
export async function* judgeEach(options: JudgeOptions = {}): AsyncGenerator<ReportedRule, Report, void> {
  const report = await judge(options)
  yield* report.rules
  return report
}

/** `.invalid` never resolves (RFC 6761 §6.4), so a request cannot leave the process by mistake. */
const IN_PROCESS = 'http://in-process.invalid/v1'

/** A run for these options. */
export async function openFor(options: JudgeOptions): Promise<OpenRun> {
  if (!isObject(options))
    throw new ConfigurationError([{ setting: 'judge()', problem: 'takes an object of options' }])
  const { states, undoPath, fetch, signal, env = process.env } = options
  // An empty list counts as unset, but an empty selection is a mistake.
  const isUnset = (name: string, value: unknown) =>
    Array.isArray(value) && value.length === 0 && name !== 'only'
  const settings = SETTINGS.map(name => [name, (options as GivenSettings)[name]] as const)
  const { baseUrl = fetch && IN_PROCESS } = options
  // If no option names a store, `optionMistakes` says so in the words of a program.
  const given: GivenSettings = {
    ...Object.fromEntries(settings.filter(([name, value]) => !isUnset(name, value))),
    ...{ baseUrl, orReference: true },
  }
  // A fetch function or a transport does not use a proxy.
  const configuration = configure(given, fetch || options.transport ? {} : env, optionMistakes(options))
  // Only the request is passed: further parameters of a framework (environment, context) must be undefined.
  const handler = fetch && fetchHandler(request => fetch(request), new URL(baseUrl ?? '').origin)
  const transport = handler ? inProcess(handler, configuration.timeoutMs) : options.transport
  return openRun(configuration, { states, undoPath, env, transport, signal })
}

/** What is wrong with the options apart from the settings. */
function optionMistakes(options: JudgeOptions): Mistake[] {
  const { baseUrl, fetch, transport, states, reference: isReference, statesUrl, statesModule } = options
  const own = Object.entries(OWN).map(([name, [isRight, wanted]]) => {
    const { [name as keyof typeof OWN]: value } = options
    return [value !== undefined && !isRight(value), name, `is not ${wanted}`] as const
  })
  const stores = (['baseUrl', 'fetch', 'reference'] as const).filter(name => name in options)
  const none =
    'is missing, so no store is named; give baseUrl or fetch, or reference: true for the bundled store'
  const two = 'is set beside states; give one of the two'
  const isNowhere = states && baseUrl === undefined && fetch === undefined
  // An unset variable could judge another store than intended.
  const unset = 'is undefined; leave it out, or give it a value'
  return [
    ...unknownOptions('judge()', [...SETTINGS, ...Object.keys(OWN)], options),
    ...mistakesOf([
      ...own,
      ...stores.map(name => [options[name] === undefined, name, unset] as const),
      [stores.length === 0, 'baseUrl', none],
      [isReference && stores.length > 1, 'reference', 'is set beside baseUrl or fetch; give one of them'],
      [isNowhere, 'states', 'needs the address of the store: give baseUrl or fetch'],
      [fetch && transport, 'fetch', 'cannot be combined with transport; give one of the two'],
      [states && statesUrl !== undefined, 'statesUrl', two],
      [states && statesModule !== undefined, 'statesModule', two],
    ]),
  ]
}

const STORE = ['apiKey', 'revokedKeys', 'seed', 'demo', 'overrides', 'onError']

/** @throws {ConfigurationError} for an unknown option */
export const referenceStore = (options: reference.StoreOptions = {}): reference.ReferenceStore =>
  reference.referenceStore(known('referenceStore()', STORE, options))

/** @throws {ConfigurationError} for an unknown option */
export const serve = async (store: reference.ReferenceStore, options: reference.ServeOptions = {}) =>
  reference.serve(store, known('serve()', ['port', 'host'], options))

function known<Options extends object>(owner: string, names: readonly string[], options: Options): Options {
  const mistakes = unknownOptions(owner, names, options)
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)
  return options
}

/** A mistake for each option that a function does not have. Ignoring one could judge the wrong store, or change data. */
const unknownOptions = (owner: string, known: readonly string[], given: object): Mistake[] =>
  Object.keys(given)
    .filter(name => !known.includes(name))
    .map(name => {
      const hint = suggestion(name, known, `Its options are ${known.join(', ')}.`)
      return { setting: name, problem: `is not an option of ${owner}. ${hint}` }
    })
