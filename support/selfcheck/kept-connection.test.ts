import { expect, it } from 'vitest'
import { suites } from '../../suites/index.ts'
import { judgeSeen } from '../judge/judge-rule.ts'
import { exchangeOf, silence } from '../judge/testing/parts.ts'
import { itemCalled } from '../settings/mistake.ts'

const all = suites.flatMap(({ rules }) => rules)
const credential = { name: 'no-header', title: 'no Authorization header' }
const refused = (connection: 'kept' | 'fresh', startedAt = 0) => ({
  ...exchangeOf({ status: 401 }),
  connection,
  startedAt,
})

it.each([
  ['was served again', exchangeOf({}), refused('kept'), 'passed'],
  ['was closed by the store', exchangeOf({}), refused('fresh'), 'inapplicable'],
  ['was lost with the request that has the key', silence(), refused('fresh'), 'cantTell'],
  ['was lost with the request without a key', exchangeOf({}), silence(), 'cantTell'],
  ['was idle for long, because of a limit of requests', exchangeOf({}), refused('fresh', 5_000), 'untested'],
])(
  'whether each request on a connection is checked, where the connection %s',
  (_title, accepted, exchange, outcome) => {
    const attempts = [{ credential, exchange: refused('fresh') }]
    const kept = [{ credential, exchange, accepted }]
    const rule = itemCalled('auth-each-request-list-orders', 'rule', all)
    expect(judgeSeen(rule, { attempts, kept }).outcome).toBe(outcome)
  },
)
