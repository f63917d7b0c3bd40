import { schedulesFor } from '../../../suites/schedules/index.ts'
import type { Selection } from '../../judge/selection.ts'
import { type Block, facts, list, paragraph, section } from '../../report/document.ts'
import { count } from '../../report/words.ts'
import type { Configuration } from '../../settings/configuration.ts'

/** What a run with these settings sends, and what it may change. */
export function forecast(configuration: Configuration, { rules }: Selection): readonly Block[] {
  const { readOnly, statesUrl, statesModule, rate, concurrency } = configuration
  const kind = readOnly ? 2 : statesUrl !== undefined || statesModule !== undefined ? 0 : 1
  const planned = schedulesFor(rules)
    .map(({ name, title, requests }) => ({ name, title, requests: requests[kind] }))
    .filter(({ requests }) => requests > 0)
  const total = planned.reduce((sum, { requests }) => sum + requests, 0)
  const pace =
    rate === undefined
      ? '--rate limits requests per second'
      : `at most ${rate} per second, so about ${Math.ceil(total / rate)} s in all`
  const hasWrongKeys = planned.some(({ name }) => name === 'keys')
  return [
    ...section(
      'What a run sends to a conformant store',
      [
        ...facts(planned.map(({ title, requests }) => [title, count(requests)])),
        ...paragraph(`At most ${concurrency} requests are in flight at once; ${pace}.`),
        ...paragraph('A store that violates a rule gets more requests.'),
        ...paragraph(
          hasWrongKeys ? 'A store that locks out after wrong keys refuses the rest of the run.' : '',
        ),
      ],
      { note: `about ${count(total)} requests` },
    ),
    ...section('What a run may change', list(changes(configuration).map(text => ({ text })))),
  ]
}

function changes({
  readOnly,
  statesUrl = '',
  statesModule = '',
  pendingOrders = [],
  shippedOrders = [],
  pets = [],
}: Configuration): string[] {
  if (readOnly) return ['nothing: the run sends only GET requests']
  const lines = [
    ...pendingOrders.map(id => `order ${id}: is cancelled`),
    ...shippedOrders.map(id => `order ${id}: a cancellation is sent, which a conformant store refuses (409)`),
    ...(pets === 'any'
      ? ['the stock of any listed pet: is changed, and restored']
      : pets.map(id => `pet ${id}: its stock is changed, and restored`)),
    ...(statesUrl + statesModule === ''
      ? []
      : ['orders and pets that the provider states arrange, up to 1,300 of each: are cancelled and changed']),
  ]
  return [
    ...(lines.length > 0
      ? lines
      : ['nothing in a conformant store: no order and no pet is named or arranged']),
    'a store that violates the interface may keep changes: the run stops such requests, and the report names what is left',
  ]
}
