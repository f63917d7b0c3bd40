import {
  answered,
  control,
  type Exchange,
  expectReadable,
  expectStatus,
  header,
  lastOf,
  NotApplicable,
  noKey,
  observation,
  rule,
  scenario,
  type UpdateOptions,
  Violation,
} from '../../support/authoring/index.ts'
import { operationIds, operations } from '../../support/interface/operations.ts'
import { cancelledTwice } from '../cancel-order/scenarios.ts'
import { ordersListed } from '../list-orders/fields.ts'
import { refused } from '../update-inventory/refusals.ts'

/** A request that no operation has. */
const probed = (title: string, method: 'GET' | 'PROPFIND', path: string) =>
  scenario(title, {}, async ({ store }) => ({ answer: await store.probe(method, path, { step: title }) }))

/** Without spaces and line breaks: if it is left on the connection, it joins the request line that follows. */
const BODY = '{"quantity":7}'

/** Updates that are refused before their body is needed, each followed by a request on the same connection. */
const bodiesRefused = scenario(
  'send refused updates, each followed by a request on the same connection',
  {},
  async ({ store, states }) => {
    const order = states.unknownOrder()
    const follow = (step: string, options: UpdateOptions) =>
      store.onOneConnection(async connection => ({
        refused: await connection.updateInventory(states.unknownPet(), BODY, { ...options, step }),
        next: await connection.cancelOrder(order, { step: `after ${step}` }),
      }))
    return Promise.all([
      follow('an update without a key', { credential: noKey }),
      follow('an update of an unknown pet', {}),
    ])
  },
)

const TRACE =
  /Traceback \(most recent call last\)|^\s+at .+:\d+:\d+\)?$|\bat [\w.$]+\([\w.]+\.(java|kt|scala):\d+\)|File ".+", line \d+|goroutine \d+ \[|\.go:\d+ \+0x/m

function expectNoTrace(exchange: Exchange): void {
  const found = TRACE.exec(answered(exchange).body.replaceAll('\\n', '\n'))?.[0]
  if (found)
    throw new Violation(
      'an error without a stack trace',
      `one with ${JSON.stringify(found.trim().slice(0, 80))}`,
      exchange,
    )
}

const noTrace = {
  level: 'advisory',
  because: 'The document is silent; a stack trace tells strangers how the store is built.',
} as const

export const rules = [
  rule({
    id: 'unread-body-update-inventory',
    operation: 'updateInventory',
    given: bodiesRefused,
    level: 'implied',
    because:
      'RFC 9112 §9.3: a server reads the whole body of a request or closes the connection. Else the next request of the client is answered wrongly.',
    clause: '4.4/401',
    title: 'After a refused PATCH /inventory/{petId} the connection serves the next request, or is closed',
    after: ['auth-no-header-update-inventory', 'cancel-unknown-404'],
    expect(pairs) {
      for (const { refused, next } of pairs) {
        control(refused, [401, 404], 'the refused update')
        // Only a kept connection can still hold the body.
        if (next.connection === 'kept') expectStatus(next, 404)
      }
    },
    usually:
      'The request is refused before its body is read, and the server takes the body for the next request.',
  }),
  ...operationIds.map(id => {
    const { slug, path } = operations[id]
    return rule({
      id: `other-method-405-${slug}`,
      level: 'advisory',
      because:
        'The document is silent on other methods. RFC 9110 §15.5.6 asks for 405 with Allow, or 501 (§15.6.2).',
      clause: '1/base-address',
      operation: id,
      title: `${path} answers an undocumented method with 405 and Allow, or with 501`,
      // A safe method (RFC 4918 §9.1), so that it changes nothing even if the store implements it.
      given: probed(`send another method to ${path}`, 'PROPFIND', path.replace(/\{.*\}/, '1987654321')),
      expect({ answer }) {
        const response = answered(answer)
        if (response.status === 501) return
        expectStatus(answer, 405)
        if (!header(response, 'allow')) throw new Violation('405 with Allow', '405 without it', answer)
      },
    })
  }),
  rule({
    ...noTrace,
    id: 'no-stack-trace-cancel-order',
    clause: '4.2/order-id',
    operation: 'cancelOrder',
    title: 'The error body for a malformed orderId contains no stack trace',
    given: cancelledTwice,
    expect({ listed, nameless }) {
      if (nameless.length === 0) {
        expectReadable(listed)
        throw new NotApplicable('each such path could be read as the id of an order')
      }
      for (const each of nameless) expectNoTrace(each)
    },
  }),
  rule({
    ...noTrace,
    id: 'no-stack-trace-update-inventory',
    clause: '7/400-body',
    operation: 'updateInventory',
    title: 'The error body for an invalid update contains no stack trace',
    given: refused,
    expect({ tried }) {
      for (const { answer } of tried) expectNoTrace(lastOf(answer))
    },
  }),
]

export const observations = [
  observation({
    id: 'base-url-version',
    clause: '9/prefix',
    operation: 'listOrders',
    title: 'Does the base address end in /v1?',
    given: ordersListed,
    saw: ({ list }) => (new URL(list.request.url).pathname.endsWith('/v1/store/orders') ? 'yes' : 'no'),
  }),
  observation({
    id: 'deprecated-pets',
    clause: '9/deprecated-pets',
    operation: 'listInventory',
    title:
      'How is GET /pets/{petId} answered, and does it have the headers Deprecation (RFC 9745) and Sunset (RFC 8594)?',
    given: probed('send a request to the deprecated endpoint', 'GET', '/pets/1'),
    saw({ answer: { response } }) {
      if (!response) return 'no response'
      const named = (name: string) => `${name} ${header(response, name) ?? 'absent'}`
      return `${response.status}, ${named('Deprecation')}, ${named('Sunset')}`
    },
  }),
]
