import {
  answered,
  type Exchange,
  expectSimultaneous,
  expectStatus,
  header,
  rule,
  scenario,
  Violation,
} from '../../support/authoring/index.ts'
import { operationIds, operations } from '../../support/interface/operations.ts'

const AT_ONCE = 8

const bursts = operationIds.map(id => ({
  id,
  given: scenario(`${id}, several times at once`, {}, async ({ store, states, simultaneous }) => {
    const order = id === 'cancelOrder' ? states.unknownOrder() : ''
    const pet = id === 'updateInventory' ? states.unknownPet() : ''
    const count = Math.min(AT_ONCE, simultaneous())
    const answers = Array.from({ length: count }, () =>
      store.call(id, order || pet, { quantity: '7' }, { connection: 'fresh' }),
    )
    return { answers: await Promise.all(answers) }
  }),
}))

const otherMethods = operationIds.map(id => ({
  id,
  given: scenario(
    `${operations[id].path}, asked with a method that it does not have`,
    {},
    async ({ store }) => ({
      // A method that is safe by definition (RFC 4918 §9.1): where a store knows more than the document shows, it changes nothing.
      answer: await store.probe('PROPFIND', operations[id].path.replace(/\{.*\}/, '1987654321')),
    }),
  ),
}))

const failing = scenario(
  'requests that are refused, for the look of their answers',
  {},
  async ({ store, states }) => {
    const pet = states.unknownPet()
    return {
      cancelOrder: await store.cancelOrder('abc', { step: 'an id that is none' }),
      updateInventory: await store.updateInventory(pet, '{"quantity":', { step: 'malformed JSON' }),
    }
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

export const rules = [
  ...bursts.map(({ id, given }) =>
    rule({
      id: `no-server-error-${operations[id].slug}`,
      level: 'implied',
      because: `§${operations[id].section} shows the statuses of the operation, and none of them is 5xx.`,
      clause: operations[id].harmless.clause,
      operation: id,
      title: `${operations[id].method} ${operations[id].path} answers several clients at once as it answers one`,
      given,
      after: operations[id].harmless.rule,
      expect({ answers }) {
        expectSimultaneous(answers)
        for (const answer of answers) expectStatus(answer, operations[id].harmless.status)
      },
      usually: 'A connection pool that is too small, or state that requests share.',
    }),
  ),
  ...otherMethods.map(({ id, given }) =>
    rule({
      id: `other-method-405-${operations[id].slug}`,
      level: 'advisory',
      because:
        'RFC 9110 §15.5.6 wants 405 with Allow (or 501, §15.6.2); the document is silent on other methods.',
      clause: '1/base-address',
      operation: id,
      title: `${operations[id].path} answers a method that it does not have with 405 and Allow, or with 501`,
      given,
      expect({ answer }) {
        const response = answered(answer)
        if (response.status === 501) return
        expectStatus(answer, 405)
        if (!header(response, 'allow')) throw new Violation('405 with Allow', '405 without it', answer)
      },
    }),
  ),
  rule({
    id: 'no-stack-trace-cancel-order',
    level: 'advisory',
    because: 'The document is silent; a stack trace tells strangers how the store is built.',
    clause: '4.2/order-id',
    operation: 'cancelOrder',
    title: 'The refusal of a malformed id shows no stack trace',
    given: failing,
    expect: ({ cancelOrder }) => expectNoTrace(cancelOrder),
  }),
  rule({
    id: 'no-stack-trace-update-inventory',
    level: 'advisory',
    because: 'The document is silent; a stack trace tells strangers how the store is built.',
    clause: '7/400-body',
    operation: 'updateInventory',
    title: 'The refusal of malformed JSON shows no stack trace',
    given: failing,
    expect: ({ updateInventory }) => expectNoTrace(updateInventory),
  }),
]
