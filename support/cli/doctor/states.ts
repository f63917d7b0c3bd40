import {
  moduleProvider,
  type Provider,
  type StateName,
  type StateParams,
  urlProvider,
} from '../../access/provider.ts'
import { ARRANGED_QUANTITY } from '../../access/supply.ts'
import type { Redact } from '../../http/redact.ts'
import { randomness } from '../../judge/randomness.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { type Finding, note, ok, wrong } from './finding.ts'
import { isListed, type Lists } from './store.ts'

/** Each provider state once. The chosen id depends on the seed, and is odd and usually above 2^53, to detect lost digits. */
const tries = (seed: number): readonly (readonly [StateName, StateParams[StateName]])[] => [
  ['pending orders', { count: 1 }],
  ['shipped orders', { count: 1 }],
  ['pets', { count: 1, quantity: ARRANGED_QUANTITY }],
  ['pending order with id', { id: String(randomness(seed).integers('doctor')(2n ** 62n) | 1n) }],
]

export interface StatesFound {
  readonly findings: readonly Finding[]
  /** States that the endpoint or module does not arrange. */
  readonly declined: readonly StateName[]
}

/** Arranges each provider state, looks for its id in the list, and tears it down. Returns nothing if no provider is configured. */
export async function statesFindings(
  configuration: Configuration,
  redact: Redact,
  read: () => Promise<Lists>,
): Promise<StatesFound> {
  const { statesUrl, statesModule, readOnly } = configuration
  if (!statesUrl && !statesModule) return { findings: [], declined: [] }
  if (readOnly)
    return {
      findings: [note('states', 'are configured but not used, because the run is read-only')],
      declined: [],
    }
  const findings: Finding[] = []
  const declined: StateName[] = []
  const provider = await providerFor(configuration, redact).catch((error: Error) => error)
  if (provider instanceof Error)
    return {
      findings: [wrong('states', redact(provider.message), 'Fix STORE_STATES_MODULE (--states-module).')],
      declined,
    }
  for (const [state, params] of tries(configuration.seed)) {
    const found = await stateFinding(provider, state, params, read).catch((error: Error) =>
      wrong('state', redact(error.message), 'The rules that need it will be untested.'),
    )
    findings.push(found)
    if (found.mark === 'note') declined.push(state)
  }
  return { findings, declined }
}

async function providerFor(configuration: Configuration, redact: Redact): Promise<Provider> {
  const { statesUrl = '', statesModule, statesToken: token, statesTimeoutMs: timeoutMs } = configuration
  return statesModule === undefined
    ? urlProvider(statesUrl, { token, timeoutMs, redact, env: process.env })
    : moduleProvider(statesModule, timeoutMs)
}

/** @throws if the response of the provider is invalid */
async function stateFinding(
  provider: Provider,
  state: StateName,
  params: StateParams[StateName],
  read: () => Promise<Lists>,
): Promise<Finding> {
  const answer = await provider.setup(state, params)
  if ('declined' in answer) {
    return note(
      'state',
      `"${state}" is not arranged: ${answer.declined}`,
      'A run cannot test the rules that need it.',
    )
  }
  const [id = ''] = answer.ids
  const { orders, inventory } = await read()
  const listed = state === 'pets' ? isListed(inventory, 'petId', id) : isListed(orders, 'id', id)
  const torn = await provider.teardown(state, params).then(
    () => undefined,
    (error: Error) => error.message,
  )
  if (!listed) {
    return wrong(
      'state',
      `"${state}" arranged ${id}, which is not in the list`,
      'Check that it arranges the state in the store at the base URL, and before it responds.',
    )
  }
  if (torn !== undefined)
    return wrong(
      'state',
      `"${state}" arranged ${id}; the teardown failed: ${torn}`,
      'What it arranged remains in the store.',
    )
  return ok('state', `"${state}" arranged ${id}, listed, torn down`)
}
