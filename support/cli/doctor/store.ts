import { type List, ListReader } from '../../../suites/oracle/lists.ts'
import type { Exchange } from '../../../suites/oracle/log.ts'
import { canonical } from '../../interface/numbers.ts'
import { EXIT_WRONG_USAGE, exitCodes } from '../../judge/verdict.ts'
import { printable } from '../../report/printable.ts'
import { startStore } from '../../run/process/started-store.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { openTarget } from '../../target/open.ts'
import type { Environment } from '../../wire/proxy.ts'

/** What was checked, the result, and what to do next. */
export interface DoctorFinding {
  /** `note`: a run is possible, but judges fewer rules or leaves something behind. `wrong`: a run is impossible, or its verdict would be wrong. */
  readonly mark: 'ok' | 'note' | 'wrong'
  readonly what: string
  readonly says: string
  readonly todo?: string | undefined
  /** Exit code of the command, if the mark is `wrong` and the code is not 2. */
  readonly exit?: number
  /** The provider state that is not arranged. */
  readonly declined?: string
}

const marked =
  (mark: DoctorFinding['mark']) =>
  (what: string, says: string, todo?: string): DoctorFinding => ({ mark, what, says, todo })
export const [ok, note, wrong] = [marked('ok'), marked('note'), marked('wrong')] as const

/** A store or a states endpoint may have chosen what it says. */
export const findingText = ({ mark, what, says, todo }: DoctorFinding): string =>
  `  ${mark.padEnd(5)}  ${what.padEnd(14)}  ${printable(says)}${todo === undefined ? '' : `\n${' '.repeat(25)}→ ${todo}`}`

/** The highest exit code. An unreachable store (4) outranks a wrong configuration (2). */
export const exitOf = (findings: readonly DoctorFinding[]): number =>
  Math.max(0, ...findings.map(({ mark, exit = EXIT_WRONG_USAGE }) => (mark === 'wrong' ? exit : 0)))

/** The responses to listOrders and listInventory. */
export interface Lists {
  readonly orders: List | undefined
  readonly inventory: List | undefined
}

/** A store that can be judged. */
export interface Checked {
  readonly lists: Lists
  /** Reads both lists again. */
  read(): Promise<Lists>
}

/** Prints each finding at once. @returns all of them */
export async function printAll(
  findings: AsyncIterable<DoctorFinding>,
  say: (text: string) => void,
): Promise<readonly DoctorFinding[]> {
  const all: DoctorFinding[] = []
  for await (const found of findings) {
    say(findingText(found))
    all.push(found)
  }
  return all
}

/**
 * Starts the store if the settings say how, and checks connection, key, lists and named ids. Sends only GET requests.
 * @param further checks of a store that can be judged
 */
export async function* checkStore(
  configuration: Configuration,
  env: Environment,
  further?: (checked: Checked) => AsyncGenerator<DoctorFinding>,
): AsyncGenerator<DoctorFinding> {
  const started = await startStore(configuration, env)
  try {
    const { baseUrl = '', apiKey = '', statesUrl: _url, statesModule: _module, ...rest } = configuration
    const target = await openTarget({
      ...rest,
      baseUrl,
      apiKey,
      readOnly: true,
      env,
      integers: () => () => 0n,
    })
    const reader = new ListReader()
    const latest = (operation: Exchange['ask']['operation']) =>
      target.log.exchanges.findLast(({ ask }) => ask.operation === operation)
    const listOf = (exchange: Exchange | undefined) => exchange && reader.read(exchange)
    try {
      const { unreachable } = started.unreachable ? started : await target.check()
      if (unreachable) {
        const { refusesKey, cause, advice } = unreachable
        yield { ...wrong(refusesKey ? 'API key' : 'store', cause, advice), exit: exitCodes.unreachable }
        return
      }
      const read = async () => {
        await target.client.look()
        return { orders: listOf(latest('listOrders')), inventory: listOf(latest('listInventory')) }
      }
      const found = await read()
      yield ok('API key', 'is accepted')
      yield listFinding('orders', 'GET /store/orders', found.orders, latest('listOrders'))
      yield listFinding('inventory', 'GET /inventory', found.inventory, latest('listInventory'))
      yield* namedFindings(configuration, found)
      if (further) yield* further({ lists: found, read })
    } finally {
      await target.close()
    }
  } finally {
    await started.stop()
  }
}

function listFinding(
  what: string,
  request: string,
  list: List | undefined,
  exchange: Exchange | undefined,
): DoctorFinding {
  if (list) return ok(what, `${request} lists ${list.items.length}`)
  const { response, problem } = exchange ?? {}
  const got = response ? `status ${response.status}` : (problem?.message ?? 'no response')
  return note(what, `${request} returned no list (${got})`, 'A run reports the rules that this violates.')
}

/** Reports named ids that are not listed: a run would report what follows from them as violations by the store. */
function namedFindings(
  { pendingOrders, shippedOrders, pets }: Configuration,
  { orders, inventory }: Lists,
): DoctorFinding[] {
  const named = [
    ['pending orders', pendingOrders, orders, '--pending-orders'],
    ['shipped orders', shippedOrders, orders, '--shipped-orders'],
    ['pets', pets === 'any' ? undefined : pets, inventory, '--pets'],
  ] as const
  return named.flatMap(([what, ids, list, flag]) => {
    if (ids === undefined) return []
    const missing = ids.filter(id => isListed(list, id) === false)
    const unknown = ids.filter(id => isListed(list, id) === undefined)
    if (unknown.length > 0)
      return [note(what, `${unknown.join(', ')}: the list does not show whether it contains them`)]
    if (missing.length === 0) return [ok(what, `${ids.join(', ')}: all listed`)]
    const todo = `Name others with ${flag}. These do not exist, or no longer exist.`
    return [wrong(what, `${missing.join(', ')} not listed`, todo)]
  })
}

/** @returns undefined if the list cannot show it: it could not be read, or has entries without an id */
export function isListed(list: List | undefined, id: string): boolean | undefined {
  if (list?.byId.has(canonical(id))) return true
  return !list || list.hidesIds ? undefined : false
}
