import { operationIds } from '../support/interface/operations.ts'
import { breaking, type Fault, type RequestContext } from '../support/reference/index.ts'
import { lost, lostBeside } from './fault-timing.ts'
import {
  answered,
  ask,
  asks,
  emptied,
  fromThe,
  headed,
  html,
  instances,
  member,
  requesting,
  rewritten,
  success,
  unanswered,
} from './operators.ts'

const isLong = (id: bigint | undefined): boolean => id !== undefined && BigInt.asIntN(32, id) !== id

const isBeyondInt64 = (text: string): boolean =>
  /^\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) !== BigInt(text)

const sends = async ({ body }: RequestContext, text: string): Promise<boolean> =>
  Buffer.from(await body()).includes(text)

const keyOf = ({ headers }: RequestContext): string => headers.get('authorization') ?? ''

const isBrowser = ({ operation, headers }: RequestContext): boolean =>
  operation !== 'none' && /^text\/html/.test(headers.get('accept') ?? '')

const any = ask(undefined)
const browser = ask(undefined, undefined, isBrowser)
const keyless = ask(undefined, 401)
const noKey = ask(undefined, 401, ctx => keyOf(ctx) === '')
const wrongKey = ask(undefined, 401, ctx => keyOf(ctx) !== '')
const oddKey = ask(undefined, 401, ctx => /[^ -~]/.test(keyOf(ctx)))
const otherMethod = ask(undefined, 405, ({ operation }) => operation === 'none')

const { 'list-orders-200': orders, 'list-inventory-200': inventory } = asks
const queried = ask('listOrders', 200, ({ url }) => url.search !== '')

const { 'cancel-pending-204': cancel, 'cancel-twice-refused': cancelAgain } = asks
const { 'cancel-shipped-409': cancelShipped, 'cancel-unknown-404': cancelUnknown } = asks
const cancelQueried = ask('cancelOrder', 204, ({ url }) => url.search !== '')
const cancelAmong = ask('cancelOrder', 204, ({ domain }) => domain.orders.size > 900)
const cancelInt64 = ask('cancelOrder', 404, ({ found }) => found.orderId !== undefined)
const cancelLong = ask('cancelOrder', 404, ({ found }) => isLong(found.orderId))
const cancelLowest = ask('cancelOrder', 404, ({ found }) => found.orderId === -(2n ** 63n))
const cancelNameless = ask('cancelOrder', 404, ({ found }) => found.orderId === undefined)
const cancelBeyond = ask('cancelOrder', 404, ({ segment }) => isBeyondInt64(segment))

const { 'update-200': update, 'update-400-string': updateInvalid, 'update-unknown-404': updateUnknown } = asks
const updateTo0 = ask('updateInventory', 200, ({ found }) => found.quantity === 0n)
const updateAbove0 = ask('updateInventory', 200, ({ found }) => found.quantity !== 0n)
const updateString = ask('updateInventory', 400, ctx => sends(ctx, '{"quantity":"3"}'))
const updateMissing = ask('updateInventory', undefined, ctx => sends(ctx, '{"note"'))
const updateHuge = ask('updateInventory', undefined, ctx => sends(ctx, 'e400'))
const updateNameless = ask('updateInventory', 404, ({ segment }) => Number.isNaN(Number(segment)))
const updateLong = ask('updateInventory', 404, ({ segment }) => Math.abs(Number(segment)) >= 2 ** 31)
const updateOrdered = ask('updateInventory', 200, ({ domain, found: { entry } }) =>
  [...domain.orders.values()].some(each => each.state === 'pending' && String(each.petId) === entry?.petId),
)

const TRACE = '"Traceback (most recent call last):\\n  File \\"store.py\\", line 7\\n"'

const TOO_FEW = { outOfReachWhenNamed: 'named orders are too few' }
const DECLINED = { ...TOO_FEW, also: ['cancel-path-names-order'] }
const ANY_PETS = { outOfReachWhenNamed: 'named orders are for any pets' }
const NOT_AGAIN = { outOfReachWhenNamed: 'named pets are not updated after an update without a response' }

const comma = rewritten(json => `${json.slice(0, -1)},]`)
const wrapped = rewritten(json => `{"items":${json}}`)
const withNull = rewritten(json => json.replace(/^\[/, '[null,'))
const marked = rewritten(json => `\ufeff${json}`)
const latin = rewritten(json => Buffer.from(json.replace('{', '{"é":1,'), 'latin1'))
const isHtml = headed('Content-Type', 'text/html')

const answers = instances({
  'coding-names-charset': [any, 'coding-accepted', headed('Content-Encoding', 'UTF-8')],
  'browser-dropped': [browser, 'every-request-answered', unanswered],
  'html-for-browsers': [browser, operationIds.map(id => `any-form/${id}`), html],
  'refusal-dropped': [keyless, 'every-request-answered', unanswered],
  'basic-challenge': [keyless, 'auth-www-authenticate', headed('WWW-Authenticate', 'Basic realm="store"')],
  'missing-key-html': [noKey, 'auth-401-content-type', html],
  'wrong-key-without-code': [wrongKey, 'auth-401-error-body', member('code')],
  'odd-key-dropped': [oddKey, 'every-request-answered', unanswered],
  'key-not-ascii-500': [oddKey, 'auth-unusual-key', answered(500)],
  'no-allow': [otherMethod, 'other-method-405', headed('Allow')],

  'list-orders-206': [orders, 'list-orders-200', answered(206)],
  'list-orders-text-html': [orders, 'list-orders-content-type', isHtml],
  'list-orders-trailing-comma': [orders, 'list-orders-json', comma],
  'list-orders-latin-1': [orders, 'list-orders-json', latin],
  'list-orders-byte-order-mark': [orders, 'list-orders-json', marked],
  'list-orders-wrapped': [orders, 'list-orders-array', wrapped],
  'list-orders-with-null': [orders, 'list-orders-array', withNull],
  'query-500': [queried, 'list-orders-query-ignored', answered(500)],
  'order-id-string': [orders, 'order-id-int64', member('id', '"1007"')],
  'order-id-beyond-int64': [orders, 'order-id-int64', member('id', '9223372036854775808')],
  'order-petid-beyond-int64': [orders, 'order-pet-id-int64', member('petId', '-9223372036854775809')],
  'order-quantity-null': [orders, 'order-quantity-integer', member('quantity', 'null')],
  'order-quantity-fraction': [orders, 'order-quantity-integer', member('quantity', '2.5')],
  'order-wrong-later': [orders, 'order-quantity-integer', member('quantity', '"1"'), { when: fromThe(10) }],
  'order-complete-string': [orders, 'order-complete-boolean', member('complete', '"true"')],
  'order-shipdate-nonexistent': [orders, 'order-ship-date', member('shipDate', '"2026-02-29T10:00:00Z"')],
  'order-shipdate-date-only': [orders, 'order-ship-date', member('shipDate', '"2026-11-02"')],

  'list-inventory-206': [inventory, 'list-inventory-200', answered(206)],
  'list-inventory-text-html': [inventory, 'list-inventory-content-type', isHtml],
  'list-inventory-trailing-comma': [inventory, 'list-inventory-json', comma],
  'list-inventory-wrapped': [inventory, 'list-inventory-array', wrapped],
  'entry-status-missing': [inventory, 'inventory-status-present', member('status')],
  'entry-status-null': [inventory, 'inventory-status-string', member('status', 'null')],
  'entry-pet-id-missing': [inventory, 'inventory-pet-id-present', member('petId')],
  'entry-pet-id-string': [inventory, 'inventory-pet-id-number', member('petId', '"7"')],
  'entry-quantity-missing': [inventory, 'inventory-quantity-present', member('quantity')],
  'entry-quantity-null': [inventory, 'inventory-quantity-integer', member('quantity', 'null')],

  'cancel-200': [cancel, 'cancel-pending-204', answered(200)],
  'cancelled-and-dropped': [cancel, 'every-request-answered/cancelOrder', unanswered, TOO_FEW],
  'cancel-declined-with-effect': [cancelQueried, 'any-form/cancelOrder', answered(400), DECLINED],
  'cancel-500-among-many': [cancelAmong, 'any-size/cancelOrder', answered(500), ANY_PETS],
  'cancel-twice-204': [cancelAgain, 'cancel-twice-refused', emptied(204)],
  'cancel-again-404-empty': [cancelAgain, 'cancel-404-content-type', emptied(404)],
  'shipped-dropped': [cancelShipped, 'every-request-answered/cancelOrder', unanswered],
  'cancel-404-no-code': [cancelUnknown, 'cancel-404-error-body', member('code')],
  'cancel-404-html': [cancelUnknown, 'cancel-404-content-type', html],
  'malformed-id-trace': [cancelUnknown, 'no-stack-trace/cancelOrder', member('trace', TRACE)],
  'unknown-order-dropped': [cancelUnknown, 'every-request-answered/cancelOrder', unanswered],
  'unknown-order-204': [cancelInt64, 'cancel-unknown-404', emptied(204)],
  'unknown-order-int32-400': [cancelLong, 'cancel-unknown-404', answered(400)],
  'unknown-order-lowest-400': [cancelLowest, 'cancel-unknown-404', answered(400)],
  'path-word-204': [cancelNameless, 'cancel-nameless-path-cancels-nothing', emptied(204)],
  'beyond-int64-dropped': [cancelBeyond, 'every-request-answered/cancelOrder', unanswered],

  'update-204': [update, 'update-200', emptied(204)],
  'updated-entry-untyped': [update, 'update-content-type', headed('Content-Type')],
  'update-without-quantity-html': [updateMissing, 'update-content-type', success(html)],
  'updated-entry-wrapped': [update, 'update-entry', rewritten(json => `[${json}]`)],
  'updated-entry-null-at-0': [updateTo0, 'update-entry', rewritten(() => 'null')],
  'updated-entry-without-status': [update, 'update-entry-status', member('status')],
  'updated-entry-sold': [updateAbove0, 'update-status-follows', member('status', '"sold"')],
  'updated-quantity-string': [update, 'update-entry-quantity', member('quantity', '"1"')],
  'updated-entry-without-quantity-at-0': [updateTo0, 'update-entry-quantity', member('quantity')],
  'updated-entry-of-another-pet': [update, 'update-entry-of-that-pet', member('petId', '1')],
  'update-labelled-wrongly-for-another-origin': [
    updateAbove0,
    'any-form/updateInventory',
    member('status', '"sold"'),
    { when: requesting('origin', /./) },
  ],
  'own-pet-update-500': [updateOrdered, 'any-data/updateInventory', answered(500), ANY_PETS],
  'updated-and-dropped': [update, 'every-request-answered/updateInventory', unanswered, NOT_AGAIN],
  'malformed-trace': [updateInvalid, 'no-stack-trace/updateInventory', member('message', TRACE)],
  'string-dropped': [updateString, 'every-request-answered/updateInventory', unanswered],
  'overflow-dropped': [updateHuge, 'every-request-answered/updateInventory', unanswered],
  'update-404-no-code': [updateUnknown, 'update-404-error-body', member('code')],
  'update-404-html': [updateUnknown, 'update-404-content-type', html],
  'pet-path-word-200': [updateNameless, 'update-nameless-path-changes-nothing', emptied(200)],
  'pet-no-number-dropped': [updateNameless, 'every-request-answered/updateInventory', unanswered],
  'pet-beyond-int32-500': [updateLong, 'update-similar-id-changes-nothing', answered(500)],
  'pet-beyond-int32-dropped': [updateLong, 'every-request-answered/updateInventory', unanswered],
})

const isCancel = ({ operation }: RequestContext): boolean => operation === 'cancelOrder'

const isUnnumbered = ({ operation, headers }: RequestContext): boolean =>
  operation === 'updateInventory' && headers.has('user-agent') && !headers.has('x-request-id')

const effects = breaking({
  'cancel-no-effect': ['cancel-twice-refused', lost(isCancel)],
  'cancel-different-lost': ['beside-anything/cancelOrder', lostBeside('cancelOrder'), TOO_FEW],
  'cancel-of-another-origin-without-effect': [
    'any-form/cancelOrder',
    lost(ctx => isCancel(ctx) && ctx.headers.has('origin')),
    TOO_FEW,
  ],
  'update-different-lost': ['beside-anything/updateInventory', lostBeside('updateInventory')],
  'update-without-id-has-no-effect': ['any-form/updateInventory', lost(isUnnumbered)],
})

/** One fault or several for each rule about one answer, and lost effects. */
export const faults: readonly Fault[] = [...answers, ...effects]
