import { canonical, INT64_MAX, toInteger } from '../../interface/numbers.ts'
import { randomness } from '../../run/randomness.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { type Provider, providerOf, type StateName } from '../../target/provider.ts'
import { type Find, isListed, type Lists } from './store.ts'

/** Arranges each provider state, looks for its id in the list, and tears it down. @returns the states that are not arranged */
export async function checkStates(
  configuration: Configuration,
  find: Find,
  read: () => Promise<Lists>,
): Promise<readonly StateName[]> {
  const { statesUrl, statesModule, readOnly, seed } = configuration
  if (readOnly && (statesUrl || statesModule))
    find('note', 'states', 'are configured but not used, because the run is read-only')
  if (readOnly) return []
  const opening = providerOf({ ...configuration, env: process.env })
  const provider = await opening.catch((error: Error) => {
    find('wrong', 'states', error.message, 'Fix STORE_STATES_MODULE (--states-module).')
    return undefined
  })
  if (!provider) return []
  const notArranged: StateName[] = []
  const tries: readonly (readonly [StateName, object])[] = [
    ['pending orders', { count: 1 }],
    ['shipped orders', { count: 1 }],
    ['pets', { count: 1, quantity: 5 }],
    ['pending order with id', { id: chooseId(seed, await read()) }],
  ]
  for (const [state, params] of tries) {
    const { ids, declined, failed } = await provider.setup(state, params)
    if (failed !== undefined) {
      // It may have arranged something nevertheless.
      await provider.teardown(state, params).catch(() => undefined)
      find('wrong', 'state', failed, 'The rules that need it will be untested.')
    } else if (declined !== undefined) {
      notArranged.push(state)
      const says = `"${state}" is not arranged: ${declined}`
      find('note', 'state', says, 'A run cannot test the rules that need it.')
    } else await findArranged(find, provider, state, params, ids[0] ?? '', read)
  }
  return notArranged
}

async function findArranged(
  find: Find,
  provider: Provider,
  state: StateName,
  params: object,
  id: string,
  read: () => Promise<Lists>,
): Promise<void> {
  const isShown = async () => isListed((await read())[state === 'pets' ? 'inventory' : 'orders'], id)
  const listed = await isShown()
  const failure = await provider.teardown(state, params).then(
    () => '',
    (error: Error) => `; the teardown failed: ${error.message}`,
  )
  const tell = (mark: Parameters<Find>[0], says: string, todo?: string) =>
    find(mark, 'state', `"${state}" arranged ${id}${says}`, todo)
  if ('id' in params && canonical(id) !== params.id)
    return tell(
      'wrong',
      `, although the id ${params.id} was requested`,
      'Arrange exactly this id, or answer 4xx. In JavaScript, read and return it as a string or a bigint.',
    )
  const where =
    'Check that it arranges the state in the store at the base URL, with exactly this id, at once.'
  if (listed === false) return tell('wrong', ', which is not in the list', where)
  if (failure !== '') return tell('wrong', failure, 'What it arranged remains in the store.')
  if (listed === undefined) return tell('note', '; the list does not show whether it contains this id')
  const remains = 'What a run arranges remains in the store, unless the teardown removes it.'
  if (await isShown()) return tell('note', ', which is still in the list after the teardown', remains)
  tell('ok', ', listed, torn down')
}

/** The next ids of a store are closer to its largest one, also if they grow in steps of a million. */
const CLEAR = 10n ** 9n

/**
 * An unused id for "pending order with id". It is odd and above 2^53, so that a double cannot represent it, and above the largest
 * listed id, because some stores continue their sequence after the largest one.
 */
function chooseId(seed: number, { orders }: Lists): string {
  const ids = [...(orders?.byId.keys() ?? [])].map(id => toInteger(id) ?? 0n)
  const largest = ids.reduce((most, id) => (id > most ? id : most), 0n)
  const isBeside = largest > 2n ** 53n - CLEAR && largest < INT64_MAX - 10n * CLEAR
  const start = isBeside ? largest + CLEAR : 2n ** 53n
  return String((start + randomness(seed).integers('doctor')(4_000n)) | 1n)
}
