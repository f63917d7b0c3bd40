import type { Suite } from '../support/interface/description.ts'
import type { OperationId } from '../support/interface/operations.ts'
import { rules as authentication } from './authentication/rules.ts'
import { keyRules } from './authentication/wrong-keys.ts'
import { rules as cancelOrder } from './cancel-order/rules.ts'
import { rules as contexts } from './contexts/rules.ts'
import { rules as everyAnswer } from './every-answer/rules.ts'
import { rules as listInventory } from './list-inventory/rules.ts'
import { rules as listOrders } from './list-orders/rules.ts'
import { observations } from './observations.ts'
import { statusesOf } from './oracle/answer.ts'
import type { Aspect, BodyKind, Context, Named } from './oracle/log.ts'
import { clauseOf, type Rule, type Subject } from './rule.ts'
import { bodyRows } from './update-inventory/bodies.ts'
import { rules as updateInventory } from './update-inventory/rules.ts'

/** The folders of rules. Within an order, a comparison belongs to the first rule that judges it. */
export const folders: Readonly<Record<string, readonly Rule[]>> = {
  authentication,
  'every-answer': everyAnswer,
  'list-orders': listOrders,
  'cancel-order': cancelOrder,
  'list-inventory': listInventory,
  'update-inventory': updateInventory,
  contexts,
}

export const rules: readonly Rule[] = Object.values(folders).flat()

const CONTEXTS: Readonly<Record<Context, string>> = {
  plain: 'by itself',
  after: 'after each other request',
  beside: 'at the same time as others',
  form: 'in other forms',
  data: 'for orders of pets of the run',
  history: 'in histories of several clients',
  end: 'at the end',
  size: 'with long lists',
}

const ASPECTS: Readonly<Record<Exclude<Aspect, 'status' | 'effect'>, string>> = {
  answered: 'an answer',
  body: 'no body',
  type: 'Content-Type application/json',
  json: 'valid JSON',
  shape: 'the documented shape',
  fields: 'the documented members',
  advice: 'as advised',
}

const EFFECTS: Readonly<Record<string, string>> = {
  itself: 'it is made exactly once',
  once: 'of several at the same time, one is made',
  nothing: 'what it names stays as it is',
  others: 'everything else stays as it is',
  stock: 'no other change of a stock',
  created: 'nothing is created',
  pending: 'a pending order stays pending until it is cancelled',
  'pending listed': 'pending orders are listed',
  'shipped listed': 'shipped orders are listed',
  'pet listed': 'pets are listed',
  kept: 'what earlier and later lists show is listed',
  members: 'orders show the same members',
  page: 'no list ends after a page',
}

const listOf = <Value>(values: Value | readonly Value[] | undefined): readonly Value[] =>
  values === undefined ? [] : ([values].flat() as Value[])

/** What a rule judges, a line each: the requests, and what has to be true of their answers and effects. */
const judgedBy = ({ judges }: Rule, operation: OperationId): readonly string[] =>
  judges.map(subject => `${requestsOf(subject, operation)}: ${expectedOf(subject, operation)}`)

function requestsOf(
  { named, row, body, refused, context, answered }: Subject,
  operation: OperationId,
): string {
  const contexts = context === 'any' ? [] : listOf(context ?? 'plain')
  return [
    operation,
    named === undefined ? '' : `of ${listOf(named).join(' or ')}`,
    body === undefined ? '' : `with a body that is ${listOf(body).join(' or ')}`,
    row === undefined ? '' : `(${listOf(row).join(', ')})`,
    refused === true ? 'without a valid key' : '',
    answered === undefined ? '' : `answered ${answered}`,
    contexts.length === 0 ? 'in all circumstances' : contexts.map(each => CONTEXTS[each]).join(', '),
  ]
    .filter(Boolean)
    .join(' ')
}

function expectedOf(subject: Subject, operation: OperationId): string {
  const abouts = listOf(subject.about)
  const texts = listOf(subject.aspect).map(aspect => {
    if (aspect === 'status') return statusIn(subject, operation)
    if (aspect === 'effect')
      return abouts.map(about => EFFECTS[about] ?? about).join(', ') || 'its effect, once, and no other'
    return aspect === 'fields' && abouts.length > 0 ? abouts.join(', ') : ASPECTS[aspect]
  })
  return texts.join(', ')
}

/** The statuses that are allowed, where the requests of a rule have the same ones. */
function statusIn({ named, row, body, refused, about }: Subject, operation: OperationId): string {
  if (about === 'unlisted') return 'no list'
  if (refused === true)
    return keyRules.find(({ name }) => name === row)?.expected === '4xx'
      ? '401, or another 4xx'
      : 'status 401'
  const rows = bodyRows(() => 0n).filter(each => listOf(row).includes(each.row))
  const bodies: readonly BodyKind[] = rows.length > 0 ? rows.map(({ kind }) => kind) : listOf(body)
  const usual: Named | undefined =
    operation === 'updateInventory' && (rows.length > 0 || body !== undefined) ? 'pet' : undefined
  const names = operation.startsWith('list') ? ['nothing' as const] : listOf(named ?? usual)
  const statuses = names.flatMap(each =>
    (bodies.length > 0 ? bodies : ['ordinary' as const]).map(
      kind => statusesOf({ operation, named: each, id: '', title: '', body: { kind } }).text,
    ),
  )
  return statuses.length === 0 ? 'the documented status' : `status ${[...new Set(statuses)].join('; ')}`
}

/** Each rule for each operation that it holds for, as reports and selections name it. */
const cellsOf = (rules: readonly Rule[]): Suite['rules'] =>
  rules.flatMap(
    ({ operations, judges: _judges, needsProvider: _needs, clause: _clause, title, ...facts }, at) =>
      operations.map(operation => ({
        ...facts,
        operation,
        clause: clauseOf(rules[at] as Rule, operation),
        title: title.replaceAll('{}', operation),
        judges: judgedBy(rules[at] as Rule, operation),
      })),
  )

/** The folders of rules. Observations belong to the folder of their operation. */
export const suites: readonly Suite[] = Object.entries(folders).map(([name, rules]) => ({
  name,
  rules: cellsOf(rules),
  observations: observations.filter(
    ({ operation }) => operation.replace(/[A-Z]/, each => `-${each.toLowerCase()}`) === name,
  ),
}))
