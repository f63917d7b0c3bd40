import { setImmediate } from 'node:timers/promises'
import type { Command } from 'commander'
import { JsonNumber, member } from '../../suites/oracle/json.ts'
import type { List } from '../../suites/oracle/lists.ts'
import { schedulesFor } from '../../suites/schedules/index.ts'
import { canonical, randomIntegers } from '../interface/numbers.ts'
import { EXIT_WRONG_USAGE, exitCodes } from '../interface/verdict.ts'
import { type Part, printable, terminal } from '../report/document.ts'
import { count, REFERENCE } from '../report/words.ts'
import { untilInterrupted } from '../run/process.ts'
import { openRun } from '../run/run.ts'
import { type Configuration, readConfiguration } from '../settings/configuration.ts'
import type { Client } from '../target/client.ts'
import { providerOf } from '../target/provider.ts'
import { addSettings, columns, givenSettings } from './flags.ts'

export function add(program: Command): void {
  addSettings(program, 'doctor', 'https://store.example/v1')
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, options: Record<string, unknown>) => {
      const configuration = readConfiguration(givenSettings(options, url))
      process.exitCode = await untilInterrupted(configuration, signal => doctor(configuration, signal))
    })
}

const HELP = `
Takes the settings of a run. Sends only GET requests, and provider states to their endpoint.

Exit: 0 a run can start · 2 the configuration is wrong · 4 unreachable, or the API key is refused`

/**
 * Prints what was checked, the result, and what to do. `note`: a run is possible, but judges less. `wrong`: a run is impossible, or its
 * verdict would be wrong.
 */
type Show = (mark: 'ok' | 'note' | 'wrong', what: string, says: string) => void

/** Checks everything that a run needs, and prints each finding at once. */
async function doctor(configuration: Configuration, signal: AbortSignal): Promise<number> {
  const { target, baseUrl, profile, command = '' } = configuration
  let isWrong = false
  const show: Show = (mark, what, says) => {
    if (mark === 'wrong') isWrong = true
    // A store or a states endpoint may have chosen what it says.
    process.stdout.write(`  ${mark.padEnd(5)}  ${what.padEnd(14)}  ${printable(says)}\n`)
  }
  show('ok', 'configuration', `target ${target}, ${baseUrl ?? REFERENCE}, profile ${profile}`)
  if (baseUrl === undefined) return 0
  const run = await openRun({ ...configuration, readOnly: true }, { signal })
  const { target: store } = run
  try {
    const { unreachable } = await store.check()
    if (unreachable) {
      const { refusesKey, cause, advice } = unreachable
      show('wrong', refusesKey ? 'API key' : 'store', `${cause}. ${advice}`)
      return exitCodes.unreachable
    }
    show('ok', 'API key', 'is accepted')
    const lists = store.client.lists()
    for (const [what, list] of Object.entries(lists))
      if (list) show('ok', what, `${list.items.length} listed${list.hidesIds ? ', not all with an id' : ''}`)
      else show('note', what, 'the answer is no list; a run reports the rules that this violates')
    const declined = await tryStates(configuration, store.client, signal, show)
    const isFull = checkNamed(configuration, lists, declined, show)
    // A rejection that nobody handles is reported only after everything that is ready has run.
    await setImmediate()
    const ready = { title: 'Ready for a full verdict:', text: { command } }
    const says =
      isWrong || signal.aborted
        ? [{ text: 'Fix what is wrong before a run.' }]
        : [...outlook(configuration, declined), isFull ? ready : { text: INCOMPLETE }]
    process.stdout.write(`\n${terminal(says, { width: columns() })}\n`)
    return isWrong || signal.aborted ? EXIT_WRONG_USAGE : 0
  } finally {
    await run.close()
  }
}

/** @returns undefined if the list cannot show it: it could not be read, or has entries without an id */
function isListed(list: List | undefined, id: string): boolean | undefined {
  return list?.byId.has(canonical(id)) || (list && !list.hidesIds ? false : undefined)
}

/**
 * Arranges each provider state, looks for its id in the list, and tears it down.
 * @returns the states that are not arranged. Undefined without a provider
 */
async function tryStates(configuration: Configuration, client: Client, signal: AbortSignal, show: Show) {
  const { seed, readOnly } = configuration
  const provider = readOnly ? undefined : await providerOf({ ...configuration, env: process.env, signal })
  if (!provider) return undefined
  // Odd, so that a double cannot represent it.
  const unused = (2n ** 53n + randomIntegers(seed)('doctor')(2n ** 50n)) | 1n
  const declined: string[] = []
  for (const [state, params] of [
    ['pending orders', { count: 1 }],
    ['shipped orders', { count: 1 }],
    ['pets', { count: 1, quantity: 5 }],
    ['pending order with id', { id: String(unused) }],
  ] as const) {
    const { ids, declined: refusal, failed } = await provider.setup(state, params)
    if (refusal !== undefined) {
      declined.push(state)
      show('note', 'state', `"${state}" is not arranged: ${refusal}`)
      continue
    }
    const [id = ''] = ids
    const isShown = async () => {
      await client.look()
      return isListed(client.lists()[state === 'pets' ? 'inventory' : 'orders'], id)
    }
    const listed = await isShown()
    // After a failure as well: it may have arranged something nevertheless.
    const kept = await provider.teardown(state, params).catch((error: Error) => error.message)
    const say = (mark: 'ok' | 'note' | 'wrong', says: string) =>
      show(mark, 'state', `"${state}" arranged ${id}${says}`)
    if (failed !== undefined) show('wrong', 'state', failed)
    else if ('id' in params && canonical(id) !== params.id)
      say('wrong', `, although the id ${params.id} was requested: in JavaScript, return a string or a bigint`)
    else if (listed === false)
      say('wrong', ', which is not in the list: does it arrange in this store, at once?')
    else if (kept) say('wrong', `; ${kept}`)
    else if (await isShown()) say('note', ', which is still in the list after the teardown')
    else say('ok', ', and tore it down')
  }
  return declined
}

/** What a user may name, how many of it a full verdict needs, where its ids are listed, and what a run does to them. */
// biome-ignore format: a table
const NEEDS = [
  ['pendingOrders', 'pending orders', 3, 'orders', 'id', 'a run cancels them'],
  ['shippedOrders', 'shipped orders', 1, 'orders', 'id', 'a run tries to cancel them, which a conformant store refuses (409)'],
  ['pets', 'pets', 2, 'inventory', 'petId', 'a run changes their stock, and restores it'],
] as const

/**
 * Looks for the named ids, and proposes ids of the lists for what is missing. A run would report what follows from an id that is not
 * listed as a violation by the store. @returns whether a run can judge every rule
 */
function checkNamed(
  { readOnly, selection, ...configuration }: Configuration,
  lists: ReturnType<Client['lists']>,
  declined: readonly string[] | undefined,
  show: Show,
): boolean {
  let isFull = !readOnly
  for (const [name, what, wanted, from, key, does] of NEEDS) {
    const { [name]: given = [] } = configuration
    const ids = given === 'any' ? [] : given
    const flag = `--${what.replace(' ', '-')}`
    const unlisted = ids.filter(id => isListed(lists[from], id) === false)
    if (unlisted.length > 0)
      show('wrong', what, `${unlisted.join(', ')} not listed: name others with ${flag}`)
    else if (given.length > 0) show('ok', what, `${[given].flat().join(', ')}${readOnly ? '' : `: ${does}`}`)
    const operation = from === 'orders' ? 'cancelOrder' : 'updateInventory'
    const isNeeded = !readOnly && selection.rules.some(each => each.operation === operation)
    if (!isNeeded || declined?.includes(what) === false || given === 'any' || ids.length >= wanted) continue
    const found = [...(lists[from]?.byId.values() ?? [])].flatMap(object => {
      // As the list writes it: a petId of 12.5 stays so.
      const id = member(object, key)
      const isWanted = key === 'petId' || member(object, 'complete') === (name === 'shippedOrders')
      return isWanted && id instanceof JsonNumber && !ids.includes(id.value) ? [id.value] : []
    })
    const proposed = [...ids, ...found.slice(ids.length - wanted)]
    show('note', what, `a full verdict needs ${wanted}; ${does}: ${flag} ${proposed}`.trim())
    isFull = false
  }
  return isFull
}

/** What a run with these settings sends and may change. */
function outlook({ readOnly, rate, concurrency, selection }: Configuration, declined?: unknown): Part[] {
  const kind = readOnly ? 2 : declined ? 0 : 1
  const planned = schedulesFor(selection.rules).map(({ title, requests }) => [title, requests[kind]] as const)
  const total = planned.reduce((sum, [, sent]) => sum + sent, 0)
  const pace = rate ? `, ${rate} per second: about ${Math.ceil(total / rate)} s` : ''
  const arranged = declined ? ', and what is arranged, up to 1,300 orders and pets' : ''
  return [
    {
      title: `What a run sends to a conformant store (about ${count(total)} requests)`,
      facts: planned.map(([title, sent]) => [title, sent > 0 && count(sent)]),
      text: `At most ${concurrency} requests at once${pace}. A store that locks out after wrong keys refuses the rest of the run.`,
    },
    {
      title: 'What a run may change',
      text: readOnly
        ? 'Nothing: it sends only GET requests.'
        : `What is named${arranged}; nothing else in a conformant store. One that violates the interface may keep changes: the run stops such requests, and names what is left.`,
    },
  ]
}
const INCOMPLETE =
  'A run can start, but will end incomplete (exit 3). For a full verdict, leave out --read-only, and arrange all states or name what a run may change (complete orders may have shipped).'
