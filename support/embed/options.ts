import {
  referenceStore as createStore,
  serve as listen,
  type ReferenceStore,
  type ServedStore,
  type ServeOptions,
  type StoreOptions,
} from '../reference/index.ts'
import { ConfigurationError, type Mistake, nearest } from '../settings/mistake.ts'
import { type GivenSettings, type ProgramSettings, settingsOf } from '../settings/settings.ts'
import type { StatesModule } from '../target/provider.ts'
import type { Transport } from '../wire/transport.ts'

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
const has = (method: string) => (value: unknown) =>
  isObject(value) && typeof (value as Readonly<Record<string, unknown>>)[method] === 'function'

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
  const mistakes = unknownOptions(
    options,
    [...settingsOf('judge').map(({ name }) => name), ...Object.keys(OWN)],
    'judge()',
  )
  const say = (setting: string, problem: string) => mistakes.push({ setting, problem })
  for (const [name, [isRight, wanted]] of Object.entries(OWN)) {
    const { [name as keyof typeof OWN]: value } = options
    if (value !== undefined && !isRight(value)) say(name, `is not ${wanted}`)
  }
  const { baseUrl, fetch, transport, states, reference } = options
  const stores = (['baseUrl', 'fetch', 'reference'] as const).filter(name => name in options)
  // An unset variable could judge another store than intended.
  for (const name of stores)
    if (options[name] === undefined) say(name, 'is undefined; leave it out, or give it a value')
  if (stores.length === 0)
    say(
      'baseUrl',
      'is missing, so no store is named; give baseUrl or fetch, or reference: true for the bundled store',
    )
  if (reference && stores.length > 1) say('reference', 'is set beside baseUrl or fetch; give one of them')
  if (states && baseUrl === undefined && fetch === undefined)
    say('states', 'needs the address of the store: give baseUrl or fetch')
  if (fetch && transport) say('fetch', 'cannot be combined with transport; give one of the two')
  for (const name of ['statesUrl', 'statesModule'] as const)
    if (states && options[name] !== undefined) say(name, 'is set beside states; give one of the two')
  return mistakes
}

const STORE: readonly (keyof StoreOptions)[] = [
  'apiKey',
  'revokedKeys',
  'seed',
  'demo',
  'statesToken',
  'overrides',
  'onError',
]

/** @throws {ConfigurationError} for an unknown option */
export function referenceStore(options: StoreOptions = {}): ReferenceStore {
  expectKnown(options, STORE, 'referenceStore()')
  return createStore(options)
}

/** @throws {ConfigurationError} for an unknown option */
export async function serve(store: ReferenceStore, options: ServeOptions = {}): Promise<ServedStore> {
  expectKnown<ServeOptions>(options, ['port', 'host'], 'serve()')
  return listen(store, options)
}

function expectKnown<Options extends object>(
  options: Options,
  known: readonly (keyof Options & string)[],
  owner: string,
) {
  const mistakes = unknownOptions(options, known, owner)
  if (mistakes.length > 0) throw new ConfigurationError(mistakes)
}

/** A mistake for each option that a function does not have. Ignoring one could judge the wrong store, or change data. */
function unknownOptions(given: object, known: readonly string[], owner: string): Mistake[] {
  return Object.keys(given).flatMap(name => {
    if (known.includes(name)) return []
    const meant = nearest(name, known)
    const hint = meant ? `did you mean ${meant}?` : `its options are ${known.join(', ')}`
    return [{ setting: name, problem: `is not an option of ${owner}; ${hint}` }]
  })
}
