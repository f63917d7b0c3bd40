import {
  answered,
  type Exchange,
  expectStatus,
  header,
  lastOf,
  NotApplicable,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import { operations } from '../../support/interface/operations.ts'
import { cancelledTwice } from '../cancel-order/scenarios.ts'
import { refused } from '../update-inventory/refusals.ts'
import { otherMethods } from './scenarios.ts'

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
  ...otherMethods.map(({ id, given }) =>
    rule({
      id: `other-method-405-${operations[id].slug}`,
      level: 'advisory',
      because:
        'The document is silent on other methods. RFC 9110 §15.5.6 asks for 405 with Allow, or 501 (§15.6.2).',
      clause: '1/base-address',
      operation: id,
      title: `${operations[id].path} answers an undocumented method with 405 and Allow, or with 501`,
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
    title: 'The error body for a malformed orderId contains no stack trace',
    given: cancelledTwice,
    expect({ nameless }) {
      if (nameless.length === 0) throw new NotApplicable('each such path could be read as the id of an order')
      for (const each of nameless) expectNoTrace(each)
    },
  }),
  rule({
    id: 'no-stack-trace-update-inventory',
    level: 'advisory',
    because: 'The document is silent; a stack trace tells strangers how the store is built.',
    clause: '7/400-body',
    operation: 'updateInventory',
    title: 'The error body for an invalid update contains no stack trace',
    given: refused,
    expect({ tried }) {
      for (const { answer } of tried) expectNoTrace(lastOf(answer))
    },
  }),
]
