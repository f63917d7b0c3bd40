import { operations } from '../../interface/operations.ts'
import { type ReferenceStore, referenceStore } from '../../reference/index.ts'
import { type Block, list, paragraph, section, table } from '../../report/document.ts'
import type { Report } from '../../report/report.ts'
import { count, plural } from '../../report/words.ts'
import { openRun } from '../../run/run.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { inProcess } from '../../wire/in-process.ts'

/** What a run with these settings would send, and what it may change. */
export async function forecast(configuration: Configuration): Promise<readonly Block[]> {
  const { exchanges, arranged } = await rehearsal(configuration)
  const total = exchanges.length
  const withoutKey = exchanges.filter(isWithoutKey).length
  const { rate, concurrency } = configuration
  const pace =
    rate === undefined
      ? '--rate limits requests per second'
      : `at most ${rate} per second, so about ${Math.ceil(total / rate)} s in all`
  return [
    ...section(
      'What a run would send to a conformant store',
      [
        ...table(['Operation', 'Accepted', 'Wrong or no key (401)', 'Refused otherwise'], rowsOf(exchanges)),
        ...paragraph(`At most ${concurrency} requests are in flight at once; ${pace}.`),
        ...paragraph('A store that violates a rule gets more requests.'),
        ...paragraph(
          withoutKey === 0
            ? ''
            : `${count(withoutKey)} requests have a wrong key or none. A store that locks out after wrong keys refuses the rest of the run.`,
        ),
      ],
      { note: plural(total, 'request') },
    ),
    ...section('What a run may change', list(changes(configuration, arranged).map(text => ({ text })))),
  ]
}

type Exchange = Report['exchanges'][number]

const isWithoutKey = ({ response }: Exchange): boolean => response?.status === 401
const isAccepted = ({ response }: Exchange): boolean => response !== undefined && response.status < 300

function rowsOf(exchanges: readonly Exchange[]) {
  const known = Object.values(operations).map(({ id, method, path }) => [id, `${method} ${path}`] as const)
  return [...known, [undefined, 'other methods and paths'] as const].map(([id, shown]) => {
    const own = exchanges.filter(({ operation }) => operation === id)
    const [accepted, withoutKey] = [own.filter(isAccepted).length, own.filter(isWithoutKey).length]
    return [shown, count(accepted), count(withoutKey), count(own.length - accepted - withoutKey)]
  })
}

interface Arranged {
  readonly orders: number
  readonly pets: number
}

function changes(
  { readOnly, pendingOrders = [], shippedOrders = [], pets = [] }: Configuration,
  arranged: Arranged | undefined,
): string[] {
  if (readOnly) return ['nothing: the run sends only GET requests']
  const lines = [
    ...pendingOrders.map(id => `order ${id}: is cancelled`),
    ...shippedOrders.map(id => `order ${id}: a cancellation is sent, which a conformant store refuses (409)`),
    ...(pets === 'any'
      ? ['the stock of any listed pet: is changed, and restored']
      : pets.map(id => `pet ${id}: its stock is changed, and restored`)),
    ...(arranged
      ? [
          `the provider states arrange ${plural(arranged.orders, 'order')} and ${plural(arranged.pets, 'pet')}, which the run cancels and changes`,
        ]
      : []),
  ]
  return [
    ...(lines.length > 0
      ? lines
      : ['nothing in a conformant store: no order and no pet is named or arranged']),
    'a store that violates the interface may keep changes: the run stops such requests, and the report names what is left',
  ]
}

const ORIGIN = 'http://rehearsal.invalid'

/** The exchanges of a run with these settings on a reference store in this process, and what its provider states arranged. */
async function rehearsal(configuration: Configuration) {
  const store = referenceStore()
  const transport = inProcess((request, connection) => store.answer(request, { connection }), ORIGIN)
  const { statesUrl, statesModule, revokedApiKey, ...rest } = configuration
  const isArranged = statesUrl !== undefined || statesModule !== undefined
  const counts = { orders: 0, pets: 0 }
  const states = {
    ...store.states,
    setup(state: string, params: Parameters<typeof store.states.setup>[1]) {
      const values = store.states.setup(state, params)
      counts.orders += values.orderIds?.length ?? 0
      counts.pets += values.petIds?.length ?? 0
      return values
    },
  }
  const run = await openRun(
    {
      ...rest,
      target: 'base',
      baseUrl: `${ORIGIN}/v1`,
      apiKey: store.apiKey,
      ...(revokedApiKey === undefined ? {} : { revokedApiKey: store.revokedKeys[0] ?? '' }),
      ...(isArranged ? {} : namedIds(configuration, store)),
      rate: undefined,
      // The rehearsal has keys of its own.
      otherSecrets: [],
    },
    { transport, env: {}, ...(isArranged ? { states } : {}) },
  )
  const { exchanges } = await run.finish()
  return { exchanges, arranged: isArranged ? counts : undefined }
}

/** As many orders and pets as the settings name. */
function namedIds(
  { pendingOrders = [], shippedOrders = [], pets = [] }: Configuration,
  { states }: ReferenceStore,
) {
  const arranged = (state: string, count: number): string[] =>
    count === 0 ? [] : Object.values(states.setup(state, { count })).flat().map(String)
  return {
    pendingOrders: arranged('pending orders', pendingOrders.length),
    shippedOrders: arranged('shipped orders', shippedOrders.length),
    // With `any`, a run takes as many pets as one scenario needs at most.
    pets: arranged('pets', pets === 'any' ? 2 : pets.length),
  }
}
