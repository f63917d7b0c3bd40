import { operationIds } from '../../support/interface/operations.ts'
import type { Context } from '../oracle/log.ts'
import { answer, LONG_LISTS, type Rule, rulesOf } from '../rule.ts'

const CLAUSES = {
  listOrders: '4.1/all',
  cancelOrder: '3/pending',
  listInventory: '4.3/200',
  updateInventory: '4.4/replaces',
} as const

const ASPECTS = ['answered', 'status', 'body', 'type', 'json', 'shape', 'fields', 'effect'] as const

const row = (
  context: Context,
  title: string,
  because: string,
  usually: string,
  own: Pick<Rule, 'needsProvider'> = {},
) =>
  ({
    ...own,
    because,
    implied: CLAUSES,
    title: `Each answer of {} and its effect are the documented ones ${title}`,
    usually,
    judges: [answer(ASPECTS, { context, refused: 'either' })],
  }) as const

/** Each answer is the plain one in all circumstances. The message names the answer. */
export const rules: readonly Rule[] = rulesOf(operationIds, {
  'after-anything': row(
    'after',
    'right after every other request',
    'The document describes each request by itself: what was sent before does not change its answer.',
    'Something of the request before is kept: for the connection, the thread or the transaction.',
  ),
  'beside-anything': row(
    'beside',
    'beside every other request at the same time',
    'The document describes each request by itself: what is sent at the same time does not change its answer.',
    'Something is shared between requests without a lock: a variable, a connection or a transaction.',
  ),
  'any-form': row(
    'form',
    'in every form of the request to which HTTP gives the same meaning',
    'HTTP gives these forms the same meaning (RFC 9110, 9112), and the document names none of them.',
    'A header that the document does not mention decides, or the request is read by a pattern.',
  ),
  'any-data': row(
    'data',
    'also for orders of pets of the run, and ids that resemble each other',
    'The document describes one behaviour for all orders and pets.',
    'Orders for some pets are handled by other code, or ids are compared in part.',
    { needsProvider: 'orders for pets of the run' },
  ),
  'any-size': row(
    'size',
    'also when the lists are long',
    'The document names no limit.',
    'A page, a buffer or a number has a limit.',
    { needsProvider: LONG_LISTS },
  ),
  'at-the-end': row(
    'end',
    'at the end of the run as well, when many requests were sent',
    'The document describes each request by itself: how many were sent before does not change its answer.',
    'A counter, a cache or a job changes what was acknowledged.',
  ),
  'any-history': row(
    'history',
    'in any history of several clients',
    'Each response states what the store did. A store that answers as if requests came in one order did them in that order.',
    'A value is read and written without a lock, or a request is taken for a repetition of an earlier one.',
  ),
})
