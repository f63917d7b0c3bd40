import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { Command } from 'commander'
import { JsonNumber, member } from '../../suites/oracle/json.ts'
import type { List } from '../../suites/oracle/lists.ts'
import { schedulesFor } from '../../suites/schedules/index.ts'
import { canonical, randomIntegers } from '../interface/numbers.ts'
import { EXIT_WRONG_USAGE, exitCodes, Misconfigured } from '../interface/verdict.ts'
import { type Part, printable, terminal } from '../report/document.ts'
import { count, REFERENCE } from '../report/words.ts'
import { SIGNALS, strayErrorText } from '../run/process.ts'
import { openRun } from '../run/run.ts'
import { type Configuration, readConfiguration } from '../settings/configuration.ts'
import type { Selection } from '../settings/selection.ts'
import type { Client } from '../target/client.ts'
import { providerOf } from '../target/provider.ts'
import { addSettings, columns, givenSettings } from './flags.ts'

export function add(program: Command): void {
  addSettings(program, 'doctor', 'https://store.example/v1')
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, options: Record<string, unknown>) => {
      const configuration = readConfiguration(givenSettings(options, url))
      // For example from a timer of the states module.
      const stray = once(process, 'uncaughtException').then(([error]) => {
        throw new Misconfigured(`${strayErrorText(error, configuration)}.`)
      })
      // The store that --start started ends with this process.
      for (const signal of SIGNALS) process.on(signal, () => process.exit(130))
      process.exitCode = await Promise.race([doctor(configuration), stray])
    })
}

const HELP = `
Takes the settings of a run. Sends only GET requests, and provider states to their endpoint.

Exit: 0 a run can start · 2 the configuration is wrong · 4 unreachable, or the API key is refused`

/**
 * Prints what was checked, the result, and what to do. `note`: a run is possible, but judges less. `wrong`: a run is impossible, or its
 * verdict would be wrong.
 */
type Show = (mark: 'ok' | 'note' | 'wrong', what: string, says: string, todo?: string) => void
type Lists = ReturnType<Client['lists']>

/** Checks everything that a run needs, and prints each finding at once. */
async function doctor(configuration: Configuration): Promise<number> {
  const { target, baseUrl, profile, selection } = configuration
  let wrong = 0
  const show: Show = (mark, what, says, todo) => {
    if (mark === 'wrong') wrong += 1
    const next = todo === undefined ? '' : `\n${' '.repeat(25)}→ ${todo}`
    // A store or a states endpoint may have chosen what it says.
    process.stdout.write(`  ${mark.padEnd(5)}  ${what.padEnd(14)}  ${printable(says)}${next}\n`)
  }
  show('ok', 'configuration', `target ${target}, ${baseUrl ?? REFERENCE}, profile ${profile}`)
  if (baseUrl === undefined) return 0
  const { target: store, close } = await openRun({ ...configuration, readOnly: true })
  try {
    const { unreachable } = await store.check()
    if (unreachable) {
      show('wrong', unreachable.refusesKey ? 'API key' : 'store', unreachable.cause, unreachable.advice)
      return exitCodes.unreachable
    }
    show('ok', 'API key', 'is accepted')
    const lists = store.client.lists()
    findNamed(configuration, lists, show)
    const declined = await tryStates(configuration, store.client, show)
    // A rejection that nobody handles is reported only after everything that is ready has run.
    await setImmediate()
    const parts =
      wrong > 0
        ? [{ text: `Fix what is wrong (${wrong}) before a run.` }]
        : outlook(configuration, selection.rules, declined, lists)
    process.stdout.write(`\n${terminal(parts, { width: columns() })}\n`)
    return wrong > 0 ? EXIT_WRONG_USAGE : 0
  } finally {
    await close()
  }
}

/** @returns undefined if the list cannot show it: it could not be read, or has entries without an id */
function isListed(list: List | undefined, id: string): boolean | undefined {
  if (list?.byId.has(canonical(id))) return true
  return !list || list.hidesIds ? undefined : false
}

/** What a user may name, how many of it a full verdict needs, the list that has them, and what a run does to them. */
// biome-ignore format: a table
const NEEDS = [
  ['pendingOrders', 'pending orders', 3, 'orders', 'a run cancels them'],
  ['shippedOrders', 'shipped orders', 1, 'orders', 'a run tries to cancel them, which a conformant store refuses (409)'],
  ['pets', 'pets', 2, 'inventory', 'a run changes their stock, and restores it'],
] as const
const flagOf = (what: string): string => `--${what.replace(' ', '-')}`

/** A run would report what follows from a named id that is not listed as a violation by the store. */
function findNamed(configuration: Configuration, lists: Lists, show: Show): void {
  for (const [what, list] of Object.entries(lists))
    if (list) show('ok', what, `${list.items.length} listed`)
    else show('note', what, 'the answer is no list', 'A run reports the rules that this violates.')
  for (const [name, what, _wanted, list] of NEEDS) {
    const { [name]: ids = [] } = configuration
    if (ids === 'any' || ids.length === 0) continue
    const missing = ids.filter(id => isListed(lists[list], id) === false)
    const isHidden = ids.some(id => isListed(lists[list], id) === undefined)
    if (missing.length > 0)
      show('wrong', what, `${missing.join(', ')} not listed`, `Name others with ${flagOf(what)}.`)
    else if (isHidden) show('note', what, `the list does not show whether it contains ${ids.join(', ')}`)
    else show('ok', what, `${ids.join(', ')}: all listed`)
  }
}

const arranges = ({ readOnly, statesUrl, statesModule }: Configuration): boolean =>
  !readOnly && (statesUrl ?? statesModule) !== undefined

/** Arranges each provider state, looks for its id in the list, and tears it down. @returns the states that are not arranged */
async function tryStates(configuration: Configuration, client: Client, show: Show) {
  const provider = arranges(configuration) && (await providerOf({ ...configuration, env: process.env }))
  const declined: string[] = []
  if (!provider) return declined
  // Odd, so that a double cannot represent it.
  let unused = (2n ** 53n + randomIntegers(configuration.seed)('doctor')(4_000n)) | 1n
  while (client.lists().orders?.byId.has(String(unused))) unused += 2n
  for (const [state, params] of [
    ['pending orders', { count: 1 }],
    ['shipped orders', { count: 1 }],
    ['pets', { count: 1, quantity: 5 }],
    ['pending order with id', { id: String(unused) }],
  ] as const) {
    const { ids, declined: refusal, failed } = await provider.setup(state, params)
    const [id = ''] = ids
    const isShown = async () => {
      await client.look()
      return isListed(client.lists()[state === 'pets' ? 'inventory' : 'orders'], id)
    }
    const listed = await isShown()
    // After a failure as well: it may have arranged something nevertheless.
    const undoing = refusal === undefined ? provider.teardown(state, params) : undefined
    const kept = await undoing?.catch((error: Error) => `; the teardown failed: ${error.message}`)
    const say = (mark: Parameters<Show>[0], says: string, todo?: string) =>
      show(mark, 'state', `"${state}" arranged ${id}${says}`, todo)
    if (refusal !== undefined) {
      declined.push(state)
      show('note', 'state', `"${state}" is not arranged: ${refusal}`)
    } else if (failed !== undefined) show('wrong', 'state', failed)
    else if ('id' in params && canonical(id) !== params.id)
      say('wrong', `, although the id ${params.id} was requested`, EXACTLY)
    else if (listed === false) say('wrong', ', which is not in the list', AT_ONCE)
    else if (kept) say('wrong', kept)
    else if (listed === undefined) say('note', '; the list does not show whether it contains this id')
    else if (await isShown()) say('note', ', which is still in the list after the teardown')
    else say('ok', ', listed, torn down')
  }
  return declined
}
const EXACTLY = 'Arrange exactly this id, or answer 4xx. In JavaScript, return it as a string or a bigint.'
const AT_ONCE = 'Check that it arranges the state in the store at the base URL, at once.'

/** What a run with these settings sends, what it may change, and what is missing for a full verdict, with ids of the lists. */
function outlook(
  configuration: Configuration,
  rules: Selection['rules'],
  declined: readonly string[],
  lists: Lists,
): Part[] {
  const { readOnly, rate, concurrency } = configuration
  const isArranging = arranges(configuration)
  const planned = schedulesFor(rules).map(({ title, requests }) => {
    return [title, requests[readOnly ? 2 : isArranging ? 0 : 1]] as const
  })
  const total = planned.reduce((sum, [, sent]) => sum + sent, 0)
  const pace = rate
    ? `at most ${rate} per second, so about ${Math.ceil(total / rate)} s`
    : 'no limit by --rate'
  const changed = NEEDS.flatMap(([name, what, _wanted, _list, does]) => {
    const ids = [configuration[name] ?? []].flat().join(', ')
    return ids === '' || readOnly ? [] : [[what, `${ids}: ${does}`] as const]
  })
  const missing = NEEDS.flatMap(([name, what, wanted, from, does]) => {
    const { [name]: given = [] } = configuration
    const [operation, key] = from === 'orders' ? ['cancelOrder', 'id'] : ['updateInventory', 'petId']
    const isArranged = isArranging && !declined.includes(what)
    const isNeeded = !isArranged && rules.some(each => each.operation === operation)
    if (!isNeeded || given === 'any' || given.length >= wanted) return []
    const found = [...(lists[from]?.byId.values() ?? [])].flatMap(object => {
      // As the list writes it: a petId of 12.5 stays so.
      const id = member(object, key)
      const isWanted = key === 'petId' || member(object, 'complete') === (name === 'shippedOrders')
      return isWanted && id instanceof JsonNumber && !given.includes(id.value) ? [id.value] : []
    })
    const ids = [...given, ...found.slice(given.length - wanted)]
    const few = `name ${wanted} ${what}; the list shows ${found.length || 'none'}`
    return [{ text: `${flagOf(what)} ${ids.join(',')}`.trim(), more: [ids.length < wanted ? few : does] }]
  })
  const items = readOnly ? [{ text: 'leave out --read-only' }] : missing
  return [
    {
      title: `What a run sends to a conformant store (about ${count(total)} requests)`,
      facts: planned.map(([title, sent]) => [title, sent > 0 && count(sent)]),
      text: `At most ${concurrency} requests at once; ${pace}. A store that locks out after wrong keys refuses the rest of the run.`,
    },
    {
      title: 'What a run may change',
      facts: [...changed, ['states', isArranging && 'arranged orders and pets, up to 1,300 of each']],
      text: readOnly
        ? 'Nothing: it sends only GET requests.'
        : 'Nothing else in a conformant store. One that violates the interface may keep changes: the run stops such requests, and names what is left.',
    },
    items.length === 0
      ? { title: 'Ready for a full verdict:', text: { command: configuration.command ?? '' } }
      : { title: INCOMPLETE, items },
  ]
}
const INCOMPLETE =
  'A run can start, but will end incomplete (exit 3). For a full verdict, arrange all states, or name what a run may change (complete orders may have shipped)'
