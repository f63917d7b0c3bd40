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
import type { BodyKind } from './oracle/log.ts'
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

/** Aspects and effects in words. Others are as they are called. */
const WORDS: Readonly<Record<string, string>> = {
  answered: 'an answer',
  body: 'no body',
  type: 'Content-Type application/json',
  json: 'valid JSON',
  shape: 'the documented shape',
  fields: 'the documented members',
  advice: 'as advised',
  unlisted: 'no list',
  effect: 'its effect, once, and no other',
  itself: 'it is made exactly once',
  once: 'of several at the same time, one is made',
  nothing: 'what it names stays as it is',
  others: 'everything else stays as it is',
  stock: 'no other stock changes',
  created: 'nothing is created',
  pending: 'a pending order stays pending until it is cancelled',
  kept: 'what earlier and later lists show is listed',
  members: 'orders show the same members',
  page: 'no list ends after a page',
}

const listOf = <Value>(values: Value | readonly Value[] | undefined): readonly Value[] =>
  values === undefined ? [] : ([values].flat() as Value[])

/** What a rule judges, a line each: the requests, and what has to be true of their answers and effects. */
const judgedBy = ({ judges }: Rule, operation: OperationId): readonly string[] =>
  judges.map(subject => {
    const { aspect, about, named, row, body, refused, answered } = subject
    const requests = [
      operation,
      named && `of ${listOf(named).join(' or ')}`,
      body && `with a body that is ${listOf(body).join(' or ')}`,
      row && `(${listOf(row).join(', ')})`,
      refused === true && 'without a valid key',
      answered && `answered ${answered}`,
    ]
    const expected = listOf(aspect).flatMap(each => {
      if (each === 'status' && about === undefined) return statusIn(subject, operation)
      const names = each === 'advice' || about === undefined ? [each] : listOf(about)
      return names.map(name => WORDS[name] ?? name)
    })
    return `${requests.filter(Boolean).join(' ')}: ${expected.join(', ')}`
  })

/** The statuses that are allowed, where the requests of a rule have the same ones. */
function statusIn({ named, row, body, refused }: Subject, operation: OperationId): string {
  const rows = bodyRows(() => 0n).filter(each => listOf(row).includes(each.row))
  const kinds: readonly BodyKind[] = rows.length > 0 ? rows.map(({ kind }) => kind) : listOf(body)
  const isKnown = refused === true || operation.startsWith('list') || kinds.length > 0
  if (!named && !isKnown) return 'the documented status'
  const key = refused === true ? (keyRules.find(({ name }) => name === row)?.expected ?? 401) : undefined
  const texts = listOf(named ?? 'nothing').flatMap(each =>
    (kinds.length > 0 ? kinds : ['ordinary' as const]).map(
      kind => statusesOf({ operation, named: each, id: '', title: '', refused: key, body: { kind } }).text,
    ),
  )
  return `status ${[...new Set(texts)].join('; ')}`
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
