import { setImmediate } from 'node:timers/promises'
import type { Command } from 'commander'
import { JsonNumber, type JsonObject, member } from '../../suites/oracle/json.ts'
import { schedulesFor } from '../../suites/schedules/index.ts'
import { isOrderId, isPetId } from '../interface/numbers.ts'
import { EXIT_WRONG_USAGE, exitCodes, Misconfigured } from '../interface/verdict.ts'
import { type Block, command, facts, list, paragraph, section } from '../report/document.ts'
import { printable } from '../report/printable.ts'
import { terminal } from '../report/terminal.ts'
import { count } from '../report/words.ts'
import { commandOf } from '../run/command.ts'
import { strayErrorText } from '../run/process/interrupt.ts'
import { type Selection, selectRules } from '../run/selection.ts'
import type { Configuration } from '../settings/configuration.ts'
import { checkStates } from './doctor/states.ts'
import { checkStore, type Find, type Lists } from './doctor/store.ts'
import { ABOUT_FLAGS, addSettings, columns, configurationFrom, givenSettings } from './flags.ts'

export function add(program: Command): void {
  addSettings(program, 'doctor')
    .addHelpText('before', EXAMPLE)
    .addHelpText('after', HELP)
    .action(async (url: string | undefined, options: Record<string, unknown>) => {
      process.exitCode = await doctor(configurationFrom(givenSettings(options, url)))
    })
}

const EXAMPLE = `Example:
  STORE_API_KEY=… npx --no-install store-conformance doctor https://store.example/v1
`

const HELP = `
Takes the settings of a run. Sends only GET requests, and provider states to their endpoint.
${ABOUT_FLAGS}

Exit: 0 a run can start · 2 the configuration is wrong · 4 unreachable, or the API key is refused`

/** Checks everything that a run needs, and prints each finding at once. */
async function doctor(configuration: Configuration): Promise<number> {
  const { target, baseUrl, profile, notes } = configuration
  const selection = selectRules(configuration)
  let wrong = 0
  // A store or a states endpoint may have chosen what it says.
  const find: Find = (mark, what, says, todo) => {
    if (mark === 'wrong') wrong += 1
    const next = todo === undefined ? '' : `\n${' '.repeat(25)}→ ${todo}`
    process.stdout.write(`  ${mark.padEnd(5)}  ${what.padEnd(14)}  ${printable(says)}${next}\n`)
  }
  const end = (blocks: readonly Block[]) =>
    process.stdout.write(`\n${terminal(blocks, { width: columns() })}\n`)
  if (baseUrl === undefined) {
    find('ok', 'configuration', 'a run judges the bundled reference store; there is nothing to check')
    end(ready('npx --no-install store-conformance run --target reference'))
    return 0
  }
  find('ok', 'configuration', `target ${target}, ${baseUrl}, profile ${profile}`)
  for (const note of notes) find('note', 'configuration', note)
  let declined: readonly string[] = []
  const check = checkStore(configuration, find, async read => {
    declined = await checkStates(configuration, find, read)
  })
  // For example from a timer of the states module.
  const stray = new Promise<never>((_resolve, reject) => {
    process.on('uncaughtException', error =>
      reject(new Misconfigured(`${strayErrorText(error, configuration)}.`)),
    )
  })
  // A rejection that nobody handles is reported only after everything that is ready has run.
  const lists = await Promise.race([check.then(found => setImmediate(found)), stray])
  if (wrong > 0) {
    end(paragraph(`${wrong === 1 ? 'Fix this problem' : `Fix these ${wrong} problems`} before a run.`))
    return lists ? EXIT_WRONG_USAGE : exitCodes.unreachable
  }
  end([...forecast(configuration, selection), ...next(configuration, selection, declined, lists)])
  return 0
}

/** What a run with these settings sends, and what it may change. */
function forecast(configuration: Configuration, { rules }: Selection): Block[] {
  const { readOnly, rate, concurrency } = configuration
  const kind = readOnly ? 2 : arranges(configuration) ? 0 : 1
  const planned = schedulesFor(rules).map(each => ({ ...each, sent: each.requests[kind] }))
  const total = planned.reduce((sum, { sent }) => sum + sent, 0)
  const pace =
    rate === undefined
      ? '--rate limits requests per second'
      : `at most ${rate} per second, so about ${Math.ceil(total / rate)} s in all`
  const lockout = planned.some(({ name, sent }) => name === 'keys' && sent > 0)
    ? ' A store that locks out after wrong keys refuses the rest of the run.'
    : ''
  return [
    ...section(
      'What a run sends to a conformant store',
      [
        ...facts(planned.map(({ title, sent }) => [title, sent > 0 && count(sent)])),
        ...paragraph(`At most ${concurrency} requests are in flight at once; ${pace}.${lockout}`),
      ],
      { note: `about ${count(total)} requests` },
    ),
    ...section('What a run may change', list(changes(configuration).map(text => ({ text })))),
  ]
}

const arranges = ({ statesUrl, statesModule }: Configuration): boolean =>
  statesUrl !== undefined || statesModule !== undefined

/** What a run may do, how much of it a full verdict needs, and which entries of the lists are candidates: they may belong to others. */
const NEEDS = [
  {
    name: 'pendingOrders',
    what: 'pending orders',
    wanted: 3,
    does: 'a run cancels them',
    candidates: ({ orders }: Lists) => idsIn(orders, 'id', isOrderId, false),
  },
  {
    name: 'shippedOrders',
    what: 'shipped orders',
    wanted: 1,
    does: 'a run tries to cancel them, which a conformant store refuses (409)',
    candidates: ({ orders }: Lists) => idsIn(orders, 'id', isOrderId, true),
  },
  {
    name: 'pets',
    what: 'pets',
    wanted: 2,
    does: 'a run changes their stock, and restores it',
    candidates: ({ inventory }: Lists) => idsIn(inventory, 'petId', isPetId),
  },
] as const

function changes(configuration: Configuration): string[] {
  if (configuration.readOnly) return ['nothing: the run sends only GET requests']
  const named = NEEDS.flatMap(({ name, what, does }) => {
    const { [name]: ids = [] } = configuration
    return ids.length === 0 ? [] : [`${what} ${ids === 'any' ? ids : ids.join(', ')}: ${does}`]
  })
  if (arranges(configuration))
    named.push('orders and pets that the provider states arrange, up to 1,300 of each')
  return [
    ...(named.length > 0 ? named : ['nothing in a conformant store: no order and no pet is named']),
    'a store that violates the interface may keep changes: the run stops such requests, and names what is left',
  ]
}

/** Ids as the list writes them: a petId of 12.5 stays so. */
const idsIn = (from: Lists['orders'], name: string, isId: (id: string) => boolean, complete?: boolean) =>
  [...(from?.byId.values() ?? [])].flatMap(({ object }: { readonly object: JsonObject }) => {
    const id = member(object, name)
    const isWanted = complete === undefined || member(object, 'complete') === complete
    return isWanted && id instanceof JsonNumber && isId(id.source) ? [id.source] : []
  })

const ready = (text = ''): Block[] => section('Ready for a full verdict', paragraph(command(text)))

/** What to do next. */
function next(
  configuration: Configuration,
  { rules }: Selection,
  declined: readonly string[],
  lists: Lists = { orders: undefined, inventory: undefined },
): Block[] {
  if (configuration.readOnly)
    return paragraph(
      'A run can start, but will end incomplete (exit 3): a read-only run judges only what GET requests show. For a full verdict, leave out --read-only.',
    )
  const lacking = NEEDS.flatMap(({ name, what, wanted, does, candidates }) => {
    const operation = name === 'pets' ? 'updateInventory' : 'cancelOrder'
    const named = configuration[name] ?? []
    const isArranged = arranges(configuration) && !declined.includes(what)
    const isNeeded = rules.some(each => each.operation === operation) && !isArranged && named !== 'any'
    if (!isNeeded || named.length >= wanted) return []
    const found = candidates(lists).filter(id => !named.includes(id))
    const ids = [...named, ...found.slice(named.length - wanted)].join(',')
    const many = `name ${wanted} ${what}; the list shows ${found.length === 0 ? 'none' : `only ${found.length} more`}`
    const more = [found.length + named.length < wanted ? many : does]
    return [{ text: `--${what.replace(' ', '-')} ${ids}`.trim(), more }]
  })
  if (lacking.length === 0) return ready(commandOf(configuration))
  const states = declined.length > 0 ? 'arrange the states above' : 'set a states endpoint or module'
  return section(
    `A run can start, but will end incomplete (exit 3). For a full verdict, ${states}, or name what a run may change (orders that are complete according to the list may have shipped)`,
    list(lacking),
  )
}
