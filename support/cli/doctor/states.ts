import { ARRANGED_QUANTITY } from '../../access/fixtures.ts'
import { type Provider, providerOf, type SetupParams, type StateName } from '../../access/provider.ts'
import { canonical } from '../../http/decimal.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Redact } from '../../http/redact.ts'
import { RANGE_OF_CHOSEN_IDS, startOfChosenIds } from '../../interface/identifiers.ts'
import { largestId } from '../../judge/expect/lists.ts'
import { CantTell } from '../../judge/outcome.ts'
import { randomness } from '../../judge/randomness.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { type Finding, note, ok, wrong } from './finding.ts'
import { isListed, type Lists } from './store.ts'

/** Each provider state once. */
const tries = (
  seed: number,
  { orders }: Lists,
): readonly (readonly [StateName, SetupParams[StateName]])[] => [
  ['pending orders', { count: 1 }],
  ['shipped orders', { count: 1 }],
  ['pets', { count: 1, quantity: ARRANGED_QUANTITY }],
  ['pending order with id', { id: chooseId(seed, orders) }],
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
  if ((statesUrl || statesModule) && readOnly)
    return {
      findings: [note('states', 'are configured but not used, because the run is read-only')],
      declined: [],
    }
  const findings: Finding[] = []
  const declined: StateName[] = []
  const provider = await providerOf({ ...configuration, env: process.env }, redact).catch(
    (error: Error) => error,
  )
  if (!provider) return { findings, declined }
  if (provider instanceof Error)
    return {
      findings: [wrong('states', redact(provider.message), 'Fix STORE_STATES_MODULE (--states-module).')],
      declined,
    }
  for (const [state, params] of tries(configuration.seed, await read())) {
    const { finding, isDeclined } = await tryState(provider, state, params, read).catch((error: Error) => ({
      finding: wrong('state', redact(error.message), 'The rules that need it will be untested.'),
      isDeclined: false,
    }))
    findings.push(finding)
    if (isDeclined) declined.push(state)
  }
  return { findings, declined }
}

/** @throws if the response of the provider is invalid */
async function tryState(
  provider: Provider,
  state: StateName,
  params: SetupParams[StateName],
  read: () => Promise<Lists>,
): Promise<{ readonly finding: Finding; readonly isDeclined: boolean }> {
  const answer = await provider.setup(state, params)
  if ('declined' in answer) {
    const says = `"${state}" is not arranged: ${answer.declined}`
    return { finding: note('state', says, 'A run cannot test the rules that need it.'), isDeclined: true }
  }
  const [id = ''] = answer.ids
  const listed = shows(state, await read(), id)
  const failure = await provider.teardown(state, params).then(
    () => undefined,
    (error: Error) => error.message,
  )
  const remains = failure === undefined && shows(state, await read(), id)
  return { finding: stateFinding({ state, params, id, listed, failure, remains }), isDeclined: false }
}

const shows = (state: StateName, { orders, inventory }: Lists, id: string): boolean | undefined =>
  state === 'pets' ? isListed(inventory, 'petId', id) : isListed(orders, 'id', id)

interface Tried {
  readonly state: StateName
  readonly params: SetupParams[StateName]
  /** The id that the provider returned. */
  readonly id: string
  /** Whether it was listed before the teardown. Undefined if the list cannot show it. */
  readonly listed: boolean | undefined
  /** Why the teardown failed. */
  readonly failure: string | undefined
  /** Whether it was listed after the teardown. */
  readonly remains: boolean | undefined
}

function stateFinding({ state, params, id, listed, failure, remains }: Tried): Finding {
  const arranged = `"${state}" arranged ${id}`
  if ('id' in params && canonical(id) !== params.id)
    return wrong(
      'state',
      `${arranged}, although the id ${params.id} was requested`,
      'Arrange exactly this id, or answer 4xx. In JavaScript, read and return it as a string or a bigint.',
    )
  if (listed === false)
    return wrong(
      'state',
      `${arranged}, which is not in the list`,
      'Check that it arranges the state in the store at the base URL, with exactly this id, and before it responds.',
    )
  if (failure !== undefined)
    return wrong(
      'state',
      `${arranged}; the teardown failed: ${failure}`,
      'What it arranged remains in the store.',
    )
  if (remains)
    return note(
      'state',
      `${arranged}, which is still in the list after the teardown`,
      'What a run arranges remains in the store, unless the teardown removes it.',
    )
  if (listed === undefined)
    return note('state', `${arranged}; the list does not show whether it contains this id`)
  return ok('state', `${arranged}, listed, torn down`)
}

/** An unused id for "pending order with id". It is odd and above 2^53, so that a double cannot represent it. */
function chooseId(seed: number, orders: Exchange): string {
  const random = randomness(seed).integers('doctor')
  const start = startOfChosenIds(largestListed(orders))
  const chosen = () => String((start + random(RANGE_OF_CHOSEN_IDS)) | 1n)
  let id = chosen()
  for (let attempt = 0; attempt < 100 && isListed(orders, 'id', id); attempt += 1) id = chosen()
  return id
}

function largestListed(orders: Exchange): bigint {
  try {
    return largestId(orders, 'id') ?? 0n
  } catch (error) {
    if (error instanceof CantTell) return 0n
    throw error
  }
}
