import {
  CantTell,
  type Exchange,
  expectArray,
  expectKept,
  header,
  type Rule,
  rule,
  scenario,
  Violation,
} from '../../support/authoring/index.ts'
import { type OperationId, operationIds, operations } from '../../support/interface/operations.ts'
import { type Finding, findingsIn } from './explain.ts'
import type { FactorLevel } from './forms.ts'
import { type History, type Planned, perform } from './histories.ts'
import { shuffled } from './pairs.ts'
import { namedPets } from './resources.ts'
import {
  cancelAgain,
  cancelPending,
  inventory,
  orderList,
  type Step,
  stepOf,
  steps,
  updateStock,
} from './steps.ts'

/** What a request announces the suite with. */
const SUITE = 'store-conformance'

/** Clients that stores see every day: the headers of each by its User-Agent. Each Accept allows JSON. */
const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'curl/8.14.1': { Accept: '*/*' },
  'python-requests/2.32.5': { 'Accept-Encoding': 'gzip, deflate', Accept: '*/*', Connection: 'keep-alive' },
  'okhttp/4.12.0': { Connection: 'Keep-Alive', 'Accept-Encoding': 'gzip' },
  'Java-http-client/21.0.8': {},
  'Go-http-client/1.1': { 'Accept-Encoding': 'gzip' },
  node: {
    Accept: '*/*',
    'Accept-Language': '*',
    'Sec-Fetch-Mode': 'cors',
    'Accept-Encoding': 'gzip, deflate',
  },
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15':
    {
      Accept: 'application/json, text/plain, */*',
      'Accept-Language': 'en-GB,en;q=0.9',
      'Accept-Encoding': 'gzip, deflate, br',
      'Sec-Fetch-Site': 'same-origin',
      'Sec-Fetch-Mode': 'cors',
      'Sec-Fetch-Dest': 'empty',
    },
}

/** The headers of the program, with this User-Agent. */
const headersOf = (program: string, agent: string): FactorLevel => ({
  name: agent === program ? `as ${program}` : `announced, with the headers of ${program}`,
  apply: draft => ({
    ...draft,
    headers: [
      ['User-Agent', agent],
      ...Object.entries(PROGRAMS[program] ?? {}),
      ...draft.headers.filter(([each]) => each === 'Content-Type'),
    ],
  }),
})

/** What one of the two changes, the other one sees: this suite sends the first and the last step, an ordinary client those between. */
const CROSSED: readonly (readonly Step[])[] = [
  [updateStock, inventory, updateStock, inventory],
  [cancelPending, cancelAgain, orderList, cancelPending, cancelAgain],
]

/** Each of these steps follows the one before. */
const SENT = [
  ...CROSSED.map(row => row.map((step, at) => ({ step, bySuite: at === 0 || at === row.length - 1 }))),
  ...steps.filter(step => !CROSSED.flat().includes(step)).map(step => [{ step, bySuite: false }]),
]

/** Two are cancelled. The last one is for the request without a key, which leaves it pending. */
const ORDERS = 3

/** The same twice: some of it as ordinary clients, or all with equal headers except those that announce the suite. */
const asOrdinaryClients = scenario(
  'each answer to ordinary clients',
  { turn: 'contexts', extraOrders: 2 * ORDERS, extraPets: 4, someShippedOrders: 2, unannounced: true },
  async acts => {
    const { states } = acts
    // Each time on other orders and pets, where they can be arranged: what goes wrong once goes wrong both times.
    const arranged = await states.extraPets(4)
    const pets = arranged.length > 0 ? arranged : await namedPets(acts, 1)
    const shipped = await states.someShippedOrders(2)
    /** An id of an ordinary size, because an unusual one could give the suite away. */
    const ordinary = (isUnknown: (id: bigint) => boolean, otherwise: () => string): string => {
      const ids = Array.from({ length: 20 }, () => acts.random(2n ** 31n))
      return String(ids.find(isUnknown) ?? otherwise())
    }
    // A store that creates what it does not find creates no second one.
    const noOrders = states.created('order') ? [] : [ordinary(states.ids.order.isFree, states.unknownOrder)]
    const noPets = states.created('pet') ? [] : [ordinary(states.ids.pet.isFree, states.unknownPet)]
    const programs = Object.keys(PROGRAMS)
    const sent = shuffled(SENT, acts.random)
      .flat()
      .map((each, at) => ({
        ...each,
        // The stock of no arranged pet, and different from the one before.
        quantity: String(11 + at),
        program: programs[Number(acts.random(BigInt(programs.length)))] as string,
      }))
    const histories: History[] = []
    for (const at of shuffled([1, 0] as const, acts.random)) {
      const halfOf = (ids: readonly string[]) =>
        ids.length < 2 ? ids : ids.slice((at * ids.length) / 2, ((at + 1) * ids.length) / 2)
      const pending = await states.extraOrders(ORDERS)
      const assigned = {
        pending,
        shipped: halfOf(shipped),
        pet: halfOf(pets),
        'no order': noOrders,
        'no pet': noPets,
      }
      const plan = sent.map(({ step, bySuite, program, quantity }): Planned => {
        const levels = [headersOf(program, at === 0 || bySuite ? SUITE : program)]
        return { step, levels, quantity }
      })
      histories[at] = await perform(acts, [[{ assigned, plan }]])
    }
    const [announced, unannounced] = histories as [History, History]
    return { announced, unannounced }
  },
)

/** The operation that a finding is about: what a client sees, or else what a client did before the list. */
const operationOf = ({ event, kind, suspects }: Finding): OperationId =>
  stepOf(kind === 'effect' && isAnnounced(event.exchange) ? (suspects[0] ?? event) : event).operation

const isAnnounced = ({ request }: Exchange): boolean => header(request, 'user-agent') === SUITE

/** Other clients may add and remove entries, so only those that were listed before and after are expected in between. */
function expectSameEntries({ before, events }: History, step: Step): void {
  const lists = events.filter(each => each.step === step.rule).map(({ exchange }) => exchange)
  const first = step === orderList ? before.orders : before.inventory
  const last = lists.findLast(isAnnounced)
  for (const list of lists)
    if (last && !isAnnounced(list)) {
      expectArray(list)
      expectKept(list, step === orderList ? 'id' : 'petId', first, last)
    }
}

const asksToWait = ({ response }: Exchange): boolean => response?.status === 429 || response?.status === 503

export const rules: readonly Rule[] = operationIds.map(operation => {
  const { slug, method, path, harmless } = operations[operation]
  const list = [orderList, inventory].find(step => step.operation === operation)
  return rule({
    id: `unannounced-${slug}`,
    operation,
    level: 'implied',
    because:
      'The interface makes no difference between clients, and RFC 9110 §10.1.5 lets User-Agent identify a program, not change the meaning of a request.',
    clause: harmless.clause,
    title: `${method} ${path} answers an ordinary client as it answers this suite`,
    given: asOrdinaryClients,
    after: [
      harmless.rule,
      ...(list ? [`${slug}-objects`, 'list-orders-on-every-connection'] : []),
      ...(operation === 'updateInventory'
        ? ['update-400-no-effect', 'update-200-any-data', 'cancel-changes-no-other-stock']
        : []),
      // Units that may have returned could hide the same effect of a request that announces the suite.
      ...(list === inventory ? ['list-inventory-agrees-after-anything'] : []),
    ],
    expect({ announced, unannounced }) {
      const known = findingsIn(announced).filter(finding =>
        [stepOf(finding.event).operation, operationOf(finding)].includes(operation),
      )
      const isKnown = ({ event, kind }: Finding) =>
        known.some(each => each.event.step === event.step && each.kind === kind)
      const found = findingsIn(unannounced).find(each => operationOf(each) === operation && !isKnown(each))
      if (!found) return list && known.length === 0 ? expectSameEntries(unannounced, list) : undefined
      if (known[0])
        throw new CantTell(
          `a request that announces the suite was answered wrongly, too: ${known[0].actual}`,
          known[0].event.exchange,
        )
      const { event, expected, actual, suspects } = found
      if (asksToWait(event.exchange))
        throw new CantTell('the store does not serve this request now', event.exchange)
      const twin = announced.events.find(({ step }) => step === event.step)
      throw new Violation(
        `${expected}, as for the request that announces the suite`,
        `${actual} for an ordinary client`,
        ...[twin, suspects[0], event].flatMap(each => each?.exchange ?? []),
      )
    },
    usually:
      'The store recognises a test by its User-Agent or X-Request-Id. Or something before it rejects some programs.',
  })
})
