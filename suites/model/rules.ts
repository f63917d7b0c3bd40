import {
  answered,
  CantTell,
  codingsOf,
  control,
  type Exchange,
  header,
  isSuccess,
  NotApplicable,
  NotArranged,
  type RecordedResponse,
  type Rule,
  rule,
  Violation,
} from '../../support/authoring/index.ts'
import { type OperationId, operationIds, operations } from '../../support/interface/operations.ts'
import { expectComparable, expectOrdersShown, type Finding, findingsIn } from './explain.ts'
import { isCutOff } from './forms.ts'
import { type Event, type History, isOutdated } from './histories.ts'
import {
  aboutOwnPets,
  atTheEnd,
  inAnyForm,
  oneAfterAnother,
  oneBesideAnother,
  type Tried,
} from './scenarios.ts'
import { keyOf } from './shrink.ts'
import {
  cancelAgain,
  cancelPending,
  cancelShipped,
  INVALID_BODIES,
  inventory,
  orderList,
  type Step,
  simplest,
  stepOf,
  steps,
  updateStock,
} from './steps.ts'

/** @throws {Violation} for the first such finding. Where a shorter history shows the same, it takes the place of the longer one */
function expectNone({ histories, repeated }: Tried, isWanted: (finding: Finding) => boolean): void {
  for (const { alone } of repeated) {
    const finding = alone && findingsIn(alone).find(isWanted)
    if (finding) throw shortest(alone, finding)
  }
  for (const history of histories)
    for (const finding of findingsIn(history).filter(isWanted)) {
      const again = repeated.find(({ key }) => key === keyOf(finding))
      if (!again?.alone) throw onlyOnce(history, finding, again !== undefined)
    }
}

/** The steps of the history before the first list that shows the finding, or before its event. */
function shortest({ events }: History, { event, kind, expected, actual }: Finding): Violation {
  const isCause = ({ client, isCheck }: Event) => client >= 0 && !(isCheck && kind === 'effect')
  const path = events.filter(each => each.begun <= event.begun && isCause(each))
  const culprit = kind === 'answer' ? event : (path.findLast(each => each !== event) ?? event)
  const others = path.filter(each => each !== culprit && each !== event)
  const where = others.map(each => `${placeOf(each, culprit)} "${each.exchange.step}"`).join(', ')
  const { levels, exchange } = culprit
  // Without a request, the first list shows what was changed before.
  const isNamed = path.length > 0 && (kind === 'effect' || levels.length > 0)
  const what = isNamed ? `, to "${exchange.step}"` : ''
  const found = [actual + what, where].filter(text => text !== '').join(', ')
  return new Violation(expected, found, ...exchangesOf([...path, event]))
}

const exchangesOf = (path: readonly Event[]): readonly Exchange[] =>
  [...new Set(path)].map(({ exchange }) => exchange)

function placeOf(other: Event, { begun, connection, levels }: Event): string {
  if (other.ended > begun) return 'beside'
  // A request in another form has a connection of its own.
  return other.connection === connection && other.levels.length === 0 && levels.length === 0
    ? 'right after, on the same connection,'
    : 'right after, on another connection,'
}

/** Requests that a message names. */
const NAMED = 5

/** The event with what may have caused it: the requests since the list before, or the last ones of its client. */
function onlyOnce({ events }: History, finding: Finding, wasRepeated: boolean): Violation {
  const { event, kind, expected, actual, suspects } = finding
  const isAnswer = kind === 'answer'
  const culprit = isAnswer ? event : (suspects[0] ?? event)
  const earlier = events.filter(each => each.client === culprit.client && each.ended < culprit.begun)
  const causes = isAnswer ? earlier.slice(-2).reverse() : suspects
  // What an accepted request names may not be there any more.
  const isRepeatable = !isSuccess(event.exchange) || /^20/.test(stepOf(event).answer)
  // What they changed at first may have stayed, so that it could not be changed again.
  const again = !isAnswer
    ? ' (sent again alone, they had no further effect of this kind)'
    : isRepeatable
      ? ' (sent again after the same requests, it was answered as expected)'
      : ''
  const where = isAnswer
    ? event.levels.length > 0
      ? `, to "${event.exchange.step}"`
      : ''
    : afterOneOf(causes)
  const path = causes.slice(0, NAMED).toSorted((one, other) => one.begun - other.begun)
  const found = `${actual}${where}${wasRepeated ? again : ''}`
  return new Violation(expected, found, ...exchangesOf([...path, culprit, event]))
}

function afterOneOf(causes: readonly Event[]): string {
  const titles = [...new Set(causes.map(({ exchange }) => `"${exchange.step}"`))]
  if (titles.length < 2) return titles.map(title => `, after ${title}`).join('')
  const more = titles.length > NAMED ? ` and ${titles.length - NAMED} other requests` : ''
  return `, after one of ${titles.slice(0, NAMED).join(', ')}${more}`
}

/** @throws {Violation} if an answer to this step is wrong */
function expectAnswers(tried: Tried, step: Step): void {
  expectNone(tried, ({ kind, event }) => kind === 'answer' && event.step === step.rule)
  const events = tried.histories.flatMap(history =>
    history.events.filter(each => each.step === step.rule && each.client >= 0),
  )
  if (events.length === 0) {
    const missing = tried.histories[0]?.unsent[step.rule] ?? tried.missing[step.target]
    if (!missing) throw new CantTell('no such request was sent')
    const { message, need, isUnknown } = missing
    if (isUnknown) throw new CantTell(message)
    throw need === undefined ? new NotApplicable(message) : new NotArranged(message, need)
  }
  const unanswered = events.find(
    ({ exchange, levels }) => !exchange.response && !isCutOff(levels, exchange) && !isOutdated(exchange),
  )
  if (unanswered) answered(unanswered.exchange)
  // A step of which every form was cut off has not been judged.
  if (events[0] && !events.some(({ exchange }) => exchange.response)) answered(events[0].exchange)
}

/** @throws {Violation} if a list shows something else than the requests have made of it */
function expectAgreement(tried: Tried, operation: OperationId): void {
  expectNone(tried, ({ kind, event }) => kind === 'effect' && stepOf(event).operation === operation)
  const isEmpty = tried.histories.every(({ events }) => events.every(({ client }) => client < 0))
  if (isEmpty) {
    const { message = 'no request could be sent', isUnknown } = tried.missing.pet ?? {}
    throw isUnknown ? new CantTell(message) : new NotApplicable(message)
  }
  const end = tried.histories[0]?.events.findLast(each => stepOf(each).operation === operation)
  if (end) control(end.exchange, 200, 'the list after the requests')
  if (operation === 'listInventory') expectComparable(tried.histories)
  else expectOrdersShown(tried.histories)
}

interface Column {
  readonly name: string
  readonly given: typeof inAnyForm | typeof oneAfterAnother
  /** The column that shows the same with fewer requests at once. */
  readonly after: readonly string[]
  /** The other answers of an operation wait for this one, because most forms matter to all of them. */
  readonly firstOfOperation?: true
  readonly isSimultaneous?: true
  /** Rules about longer histories, which the lists wait for. */
  readonly histories?: Readonly<Record<'listOrders' | 'listInventory', string>>
  /** Default: all. */
  readonly answers?: readonly Step[]
  /** Continues "… is answered 204". */
  readonly where: string
  readonly because: string
}

const COLUMNS: readonly Column[] = [
  {
    name: 'after-anything',
    given: oneAfterAnother,
    after: [],
    where: 'right after every other request, on the same connection and on another',
    because: 'The document determines the answer by the state of the store, and not by the request before.',
  },
  {
    name: 'beside-anything',
    given: oneBesideAnother,
    after: ['after-anything'],
    isSimultaneous: true,
    where: 'beside every other request at the same time',
    because:
      'The document determines the answer by the state of the store, and not by simultaneous requests.',
  },
  {
    name: 'any-request',
    given: inAnyForm,
    firstOfOperation: true,
    after: ['after-anything', 'beside-anything', 'any-data'],
    where: 'to every form of the request to which HTTP gives the same meaning',
    because:
      'The document describes a request by its method, path, key and JSON value. RFC 9110 and RFC 9112 give the same meaning to each form.',
  },
  {
    name: 'any-data',
    given: aboutOwnPets,
    answers: [cancelPending, cancelAgain, cancelShipped, updateStock],
    after: ['after-anything', 'beside-anything'],
    where: 'also where the order is for a pet of the run',
    because:
      'The document determines the answer by the state of the order or by the pet alone, and not by an order for that pet.',
  },
  {
    name: 'at-the-end',
    given: atTheEnd,
    isSimultaneous: true,
    histories: { listOrders: 'histories-orders-agree', listInventory: 'histories-stock-agrees' },
    // The lists have list-orders-unpaged and list-inventory-unpaged.
    answers: steps.filter(step => step !== orderList && step !== inventory),
    after: ['after-anything', 'beside-anything', 'any-data'],
    where: 'at the end of the run as well, when the lists are long',
    because:
      'The document determines the answer by the state of the store, and not by time or by the length of a list.',
  },
]

/** The rules that must hold before a list can be compared with the model. */
const LISTS = [
  {
    id: 'list-orders-agrees',
    operation: 'listOrders',
    clause: '3/shipped',
    what: 'GET /store/orders shows the orders that the requests left, and their other members as before',
    after: [
      'list-orders-objects',
      'list-orders-pending-listed',
      'list-orders-shipped-listed',
      'cancel-only-that-order',
      'cancel-changes-no-other-order',
      cancelShipped.rule,
      ...orderList.after,
    ],
  },
  {
    id: 'list-inventory-agrees',
    operation: 'listInventory',
    clause: '4.4/replaces',
    what: 'GET /inventory shows the stock that the requests left',
    after: [
      'cancel-changes-no-other-stock',
      'update-400-string',
      ...INVALID_BODIES,
      'update-400-no-effect',
      'update-similar-id-changes-nothing',
      'auth-401-no-effect-update-inventory',
      'list-inventory-objects',
      'list-inventory-pets-listed',
      ...inventory.after,
      ...updateStock.after,
    ],
  },
] as const

const hasRule = (column: string, step: Step): boolean =>
  COLUMNS.find(({ name }) => name === column)?.answers?.includes(step) ?? true

const rulesOf = ({
  name,
  given,
  after: columns,
  firstOfOperation,
  isSimultaneous,
  answers = steps,
  histories,
  where,
  because,
}: Column): readonly Rule[] => [
  ...answers.map(step =>
    rule({
      id: `${step.rule}-${name}`,
      operation: step.operation,
      level: 'implied',
      because,
      clause: step.clause,
      title: `The request to ${step.title} ${step.answer === 'refused' ? 'is' : 'is answered'} ${step.answer} ${where}`,
      given,
      after: [
        step.rule,
        'unread-body-update-inventory',
        ...step.after,
        // Of simultaneous cancellations of an order, all but one are of a cancelled order.
        ...(isSimultaneous && step === cancelPending
          ? ['cancel-race-once', `${cancelAgain.rule}-${name}`]
          : []),
        ...columns.filter(column => hasRule(column, step)).map(column => `${step.rule}-${column}`),
        ...(firstOfOperation && simplest(step) !== step ? [`${simplest(step).rule}-${name}`] : []),
      ],
      isSoundAlone: true,
      expect: tried => expectAnswers(tried, step),
    }),
  ),
  ...LISTS.map(({ id, operation, clause, what, after }) =>
    rule({
      id: `${id}-${name}`,
      operation,
      level: 'implied',
      because: '§3 and §4.4 state what each request changes. That nothing else changes follows.',
      clause,
      title: `${what}, ${where}`,
      given,
      after: [
        ...after,
        ...columns.map(column => `${id}-${column}`),
        ...(histories ? [histories[operation]] : []),
      ],
      isSoundAlone: true,
      expect: tried => expectAgreement(tried, operation),
    }),
  ),
]

export const rules: readonly Rule[] = COLUMNS.flatMap(rulesOf)

/** Whether the header Accept-Encoding names a coding. `x-gzip` is another name of `gzip` (RFC 9110 §8.4.1.3). */
function isIn(accepted: string): (coding: string) => boolean {
  const names = accepted.split(',').map(each => each.split(';')[0]?.trim().toLowerCase())
  return coding => names.includes('*') || names.includes(coding.replace(/^x-(?=gzip$|compress$)/, ''))
}

/** Advice about content codings: the forms of a request name different ones in Accept-Encoding. */
export const codings: readonly Rule[] = operationIds.map(id =>
  rule({
    id: `coding-accepted-${operations[id].slug}`,
    operation: id,
    level: 'advisory',
    because:
      'The document is silent. RFC 9110 §12.5.3 asks for no coding that Accept-Encoding does not name.',
    clause: '1/json',
    title: `${operations[id].method} ${operations[id].path} uses only a content coding that Accept-Encoding names`,
    given: inAnyForm,
    expect({ histories }) {
      for (const { exchange } of histories.flatMap(({ events }) => events)) {
        if (exchange.operation !== id || !exchange.response) continue
        const accepted = header(exchange.request, 'accept-encoding')
        if (accepted === undefined || codingsOf(exchange.response).every(isIn(accepted))) continue
        throw new Violation(
          `no Content-Encoding except ${accepted}`,
          `Content-Encoding ${header(exchange.response, 'content-encoding')}`,
          exchange,
        )
      }
    },
  }),
)

/** Advice about the headers that say where a body ends, in the answers to all forms of a request. */
export const framings: readonly Rule[] = operationIds.map(id => {
  const { slug, method, path } = operations[id]
  return rule({
    id: `framing-${slug}`,
    operation: id,
    level: 'advisory',
    because:
      'The document is silent. RFC 9112 §6.2 forbids Content-Length beside Transfer-Encoding: a client that goes by the other header takes the rest of one response for the next.',
    clause: '1/json',
    title: `${method} ${path} has at most one header that says where the body ends`,
    // The cause is mostly a gateway, which frames all responses in the same way.
    after: id === 'listOrders' ? [] : `framing-${operations.listOrders.slug}`,
    given: inAnyForm,
    expect({ histories }) {
      for (const { exchange } of histories.flatMap(({ events }) => events))
        if (exchange.operation === id && exchange.response) expectFramedOnce(exchange.response, exchange)
    },
    usually: 'A gateway copies the headers of the store, and sends the body in chunks.',
  })
})

/** A 204 has no body, and rules of its own. */
function expectFramedOnce(response: RecordedResponse, exchange: Exchange): void {
  const coding = header(response, 'transfer-encoding')
  const length = header(response, 'content-length')
  if (response.status === 204 || length === undefined) return
  if (coding !== undefined)
    throw new Violation(
      'Content-Length or Transfer-Encoding',
      `Content-Length: ${length} and Transfer-Encoding: ${coding}`,
      exchange,
    )
  if (length.includes(',')) throw new Violation('one Content-Length', `Content-Length: ${length}`, exchange)
}
