import { RANGE_OF_CHOSEN_IDS, startOfChosenIds } from '../../interface/identifiers.ts'
import { canonical, toInteger } from '../../interface/numbers.ts'
import { randomness } from '../../judge/randomness.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { type Provider, providerOf, type StateName } from '../../target/provider.ts'
import { type Checked, type DoctorFinding, isListed, type Lists, note, ok, wrong } from './store.ts'

/** Arranges each provider state, looks for its id in the list, and tears it down. */
export async function* checkStates(
  configuration: Configuration,
  { read }: Checked,
): AsyncGenerator<DoctorFinding> {
  const { statesUrl, statesModule, readOnly } = configuration
  if (readOnly && (statesUrl || statesModule))
    return yield note('states', 'are configured but not used, because the run is read-only')
  const opening = providerOf({ ...configuration, env: process.env })
  const provider = await opening.catch((error: Error) => error)
  if (provider instanceof Error)
    return yield wrong('states', provider.message, 'Fix STORE_STATES_MODULE (--states-module).')
  if (!provider) return
  const tries: readonly (readonly [StateName, object])[] = [
    ['pending orders', { count: 1 }],
    ['shipped orders', { count: 1 }],
    ['pets', { count: 1, quantity: 5 }],
    ['pending order with id', { id: chooseId(configuration.seed, await read()) }],
  ]
  for (const [state, params] of tries) {
    const { ids, declined, failed } = await provider.setup(state, params)
    if (failed !== undefined) {
      // It may have arranged something nevertheless.
      await provider.teardown(state, params).catch(() => undefined)
      yield wrong('state', failed, 'The rules that need it will be untested.')
    } else if (declined === undefined)
      yield await arrangedFinding(provider, state, params, ids[0] ?? '', read)
    else {
      const says = `"${state}" is not arranged: ${declined}`
      yield { ...note('state', says, 'A run cannot test the rules that need it.'), declined: state }
    }
  }
}

async function arrangedFinding(
  provider: Provider,
  state: StateName,
  params: object,
  id: string,
  read: Checked['read'],
): Promise<DoctorFinding> {
  const isShown = async () => {
    const { orders, inventory } = await read()
    return state === 'pets' ? isListed(inventory, id) : isListed(orders, id)
  }
  const listed = await isShown()
  const failure = await provider.teardown(state, params).then(
    () => undefined,
    (error: Error) => error.message,
  )
  const remains = failure === undefined && (await isShown())
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
  if (failure !== undefined) {
    const says = `${arranged}; the teardown failed: ${failure}`
    return wrong('state', says, 'What it arranged remains in the store.')
  }
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
function chooseId(seed: number, { orders }: Lists): string {
  const random = randomness(seed).integers('doctor')
  const largest = [...(orders?.byId.keys() ?? [])].reduce<bigint>((most, id) => {
    const value = toInteger(id) ?? 0n
    return value > most ? value : most
  }, 0n)
  const start = startOfChosenIds(largest)
  const chosen = () => String((start + random(RANGE_OF_CHOSEN_IDS)) | 1n)
  let id = chosen()
  for (let attempt = 0; attempt < 100 && isListed(orders, id); attempt += 1) id = chosen()
  return id
}
