import { type OpenRun, openRun, type RunOptions } from '../run/run.ts'
import { configure, type Mistake, mistakesOf } from '../settings/configuration.ts'
import { suggestion } from '../settings/selection.ts'
import { type GivenSettings, type ProgramSettings, settingsOf } from '../settings/settings.ts'
import { fetchHandler, inProcess } from '../wire/connection.ts'

/** A store as a function. It is called with the request alone. */
export type Fetch = (request: Request) => Response | Promise<Response>

/**
 * Options of `judge`: settings, and what only a program can give. One of `baseUrl`, `fetch` and `reference` names the store. The signal
 * ends the run early: stock is restored, and the verdict is `incomplete`. `undoPath` is a file for the old stock while it is changed;
 * without it, the old stock is kept in memory.
 */
export interface JudgeOptions extends ProgramSettings, RunOptions {
  /** Judges the bundled reference store. */
  readonly reference?: true
  /**
   * A store in this process: a function of the Fetch standard, or an adapter around a framework. With it, the base URL only sets the
   * prefix of the paths; default `http://in-process.invalid/v1`.
   */
  readonly fetch?: Fetch
}

const OWN = ['reference', 'states', 'signal', 'fetch', 'transport', 'undoPath', 'env']

const SETTINGS = settingsOf('judge').map(({ name }) => name)

/** `.invalid` never resolves (RFC 6761 §6.4), so a request cannot leave the process by mistake. */
const IN_PROCESS = 'http://in-process.invalid/v1'

/** A run for these options. @throws {ConfigurationError} for invalid ones, before anything is sent */
export async function openFor(options: JudgeOptions): Promise<OpenRun> {
  const { states, undoPath, fetch, signal, env = process.env } = options
  const { baseUrl = fetch && IN_PROCESS } = options
  // An empty list counts as unset, but an empty selection is a mistake.
  const given = Object.fromEntries(
    SETTINGS.map(name => [name, (options as GivenSettings)[name]] as const).filter(
      ([name, value]) => !(Array.isArray(value) && value.length === 0 && name !== 'only'),
    ),
  )
  // If no option names a store, `optionMistakes` says so in the words of a program. A function does not use a proxy.
  const settings = { ...given, baseUrl, orReference: true }
  const configuration = configure(settings, fetch || options.transport ? {} : env, optionMistakes(options))
  // Only the request is passed: further parameters of a framework (environment, context) must be undefined.
  const handler = fetch && fetchHandler(request => fetch(request), new URL(baseUrl ?? '').origin)
  const transport = handler ? inProcess(handler, configuration.timeoutMs) : options.transport
  return openRun(configuration, { states, undoPath, env, transport, signal })
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

/** What is wrong with the options apart from the settings. */
function optionMistakes(options: JudgeOptions): Mistake[] {
  const unknown = unknownOptions('judge()', [...SETTINGS, ...OWN], options)
  const { fetch, transport, states, signal, reference, undoPath = '' } = options
  const { statesUrl, statesModule } = options
  const stores = (['baseUrl', 'fetch', 'reference'] as const).filter(name => name in options)
  const named = (['baseUrl', 'fetch'] as const).filter(name => options[name] !== undefined)
  const missing =
    'is missing, so no store is named; give baseUrl or fetch, or reference: true for the bundled store'
  // biome-ignore format: a table
  return [...unknown, ...mistakesOf([
    [reference !== undefined && reference !== true, 'reference', 'is not true; leave it out to judge another store'],
    [states && !isFunction(Object(states).setup), 'states', 'is not an object with a function setup(state, params)'],
    [signal && !(signal instanceof AbortSignal), 'signal', 'is not an AbortSignal'],
    [fetch && !isFunction(fetch), 'fetch', 'is not a function from a Request to a Response'],
    [typeof undoPath !== 'string', 'undoPath', 'is not the path of a file'],
    // An unset variable could judge another store than intended.
    ...stores.map(name => [options[name] === undefined, name, 'is undefined; leave it out, or give it a value'] as const),
    [stores.length === 0, 'baseUrl', missing],
    [reference && named.length > 0, 'reference', 'is set beside baseUrl or fetch; give one of them'],
    [states && named.length === 0, 'states', 'needs the address of the store: give baseUrl or fetch'],
    [fetch && transport, 'fetch', 'cannot be combined with transport; give one of the two'],
    [states && statesUrl !== undefined, 'statesUrl', 'is set beside states; give one of the two'],
    [states && statesModule !== undefined, 'statesModule', 'is set beside states; give one of the two'],
  ])]
}

/** A mistake for each option that a function does not have. Ignoring one could judge the wrong store, or change data. */
export function unknownOptions(owner: string, known: readonly string[], given: object): Mistake[] {
  const names = Object.keys(given).filter(name => !known.includes(name))
  return names.map(name => {
    const hint = suggestion(name, known, `Its options are ${known.join(', ')}.`)
    return { setting: name, problem: `is not an option of ${owner}. ${hint}` }
  })
}
