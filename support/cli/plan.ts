import type { Command } from 'commander'
import type { Configuration } from '../settings/configuration.ts'
import { exitOf, findingText } from './doctor/finding.ts'
import { visited } from './doctor/store.ts'
import { addSettings, configurationFrom } from './flags.ts'
import { type PlannedRequests, plannedRequests } from './planned-requests.ts'

export function addPlan(command: Command): void {
  addSettings(command, 'plan')
    .addHelpText(
      'after',
      `
Sends only GET requests. Give it the same settings as the run.

Example:
  STORE_API_KEY=… npx store-conformance plan --base-url https://store.example/v1 --pets 1,2

Exit: 0 · 2 wrong usage or configuration · 4 unreachable, or the API key is refused`,
    )
    .action(async (options: Record<string, unknown>) => {
      process.exitCode = await printPlan(await configurationFrom(options))
    })
}

/** Prints what a run would send and may change. @returns the exit code */
async function printPlan(configuration: Configuration): Promise<number> {
  const say = (...lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n`)
  const { baseUrl, rate, concurrency, seed, profile } = configuration
  say(
    `Plan of a run against ${baseUrl ?? 'the bundled reference store'} · profile ${profile} · seed ${seed}`,
    '',
  )
  if (baseUrl !== undefined) {
    const found = await visited(configuration, process.env)
    say(...found.map(findingText), '')
    if (exitOf(found) !== 0) return exitOf(found)
  }
  const planned = await plannedRequests(configuration)
  const total = planned.reduce((sum, { count }) => sum + count, 0)
  say('Requests', ...planned.map(line), `  ${String(total).padStart(5)}  in all on a conformant store`, '')
  say(
    'A store that violates a rule about generated values gets more requests, which find the smallest failing value.',
    `At most ${concurrency} requests are in flight at once${rate === undefined ? '; --rate limits requests per second' : `, and ${rate} are sent per second (about ${Math.ceil(total / rate)} s in all)`}.`,
    '',
    'What the run may change',
    ...changes(configuration).map(each => `  ${each}`),
  )
  return 0
}

const line = ({ method, path, kind, count }: PlannedRequests): string =>
  `  ${String(count).padStart(5)}  ${method.padEnd(8)} ${path.padEnd(24)} ${kind}`

function changes({
  readOnly,
  pendingOrders = [],
  shippedOrders = [],
  pets = [],
  statesUrl,
  statesModule,
}: Configuration): string[] {
  if (readOnly) return ['nothing: the run sends only GET requests']
  const lines = [
    ...pendingOrders.map(id => `order ${id}: is cancelled`),
    ...shippedOrders.map(id => `order ${id}: a cancellation is sent, which a conformant store rejects (409)`),
    ...(pets === 'any'
      ? ['the stock of any listed pet: is changed, and restored']
      : pets.map(id => `pet ${id}: its stock is changed, and restored`)),
    ...(statesUrl || statesModule ? ['orders and pets that the provider states arrange for the run'] : []),
  ]
  return [
    ...(lines.length === 0
      ? ['nothing on a conformant store: no order and no pet is named or arranged']
      : lines),
    'A conformant store rejects the other requests: they have wrong keys, or ids that do not exist.',
    'A store that violates the interface may keep changes: it may not restore a stock, or create what does not exist. The run then stops sending such requests, and the report names what is left.',
  ]
}
