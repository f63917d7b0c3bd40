import { operationIds } from '../../support/interface/operations.ts'
import {
  type Answer,
  answersChanged,
  type ClientConnection,
  emptyAnswer,
  messageOf,
  resultChanged,
  withBody,
  withHeader,
} from '../../support/reference/index.ts'
import { every, fromThe, requesting } from './moments.ts'
import {
  answered,
  ask,
  asks,
  changed,
  type Defect,
  deciding,
  emptied,
  headed,
  html,
  type Listed,
  letIn,
  listed,
  member,
  rewritten,
  rowsOf,
  sent,
  unanswered,
} from './operators.ts'

/** The name that the suite gives itself. */
const SUITE = 'store-conformance'

const isBrowser = ({ headers }: { headers: Headers }): boolean =>
  /^text\/html/.test(headers.get('accept') ?? '')

const { 'list-orders-200': orders, 'list-inventory-200': inventory } = asks
const any = ask()
const browser = ask(undefined, undefined, ctx => ctx.operation !== 'none' && isBrowser(ctx))
const otherMethod = ask(undefined, 405, ({ operation }) => operation === 'none')
const otherClient = ask('listOrders', 200, ({ headers }) => (headers.get('user-agent') ?? SUITE) !== SUITE)
const behindProxy = ask('listInventory', 401, ({ headers }) => headers.has('x-forwarded-for'))
const queried = ask('listOrders', 200, ({ url }) => url.search !== '')
const queriedFor = (name: string, value?: string) =>
  ask('listOrders', 200, ({ url }) => url.searchParams.has(name, value))
const long = ask('listInventory', 200, (_, { body }) => (body?.length ?? 0) >= 32_768)

/** Closes the connection before the last two bytes. */
const cut = sent(answer => messageOf(answer).subarray(0, -2), 'close')

/** Sends the body as one chunk, beside the Content-Length. */
const chunkedWithLength = sent(answer => {
  const { body = Buffer.of(), headers } = answer
  if (body.length === 0) return messageOf(answer)
  const chunk = [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]
  const framing = [
    ['Content-Length', String(body.length)],
    ['Transfer-Encoding', 'chunked'],
  ] as const
  return messageOf({ ...answer, headers: [...headers, ...framing], body: Buffer.concat(chunk) })
})

/** Answers 304 to a client that has this validator already. */
const validated = (validatorOf: (answer: Answer) => string, name = 'ETag', condition = 'if-none-match') =>
  changed((answer, { headers }) => {
    const validator = validatorOf(answer)
    return headers.get(condition) === validator ? emptyAnswer(304) : withHeader(answer, name, validator)
  })

const MODIFIED = 'Mon, 02 Nov 2020 10:00:00 GMT'
const modified = validated(() => MODIFIED, 'Last-Modified', 'if-modified-since')

const upperCaseUnread = deciding(
  resultChanged('credential', (key, { headerNames }) =>
    headerNames.includes('AUTHORIZATION') ? undefined : key,
  ),
)

/** A connection on which a wrong key was refused is refused the right key as well. */
const rememberingWrongKey = deciding(base => {
  const refused = new WeakSet<ClientConnection>()
  return resultChanged('isKey', (isKey, _, { connection }) => {
    if (!isKey) refused.add(connection)
    return !refused.has(connection)
  })(base)
})

/** A cache for each query, of which updates clear only the one for no query. */
const cachedByQuery = deciding(base => {
  const lists = new Map<string, Answer>()
  return answersChanged({ operation: 'listInventory', status: 200 }, (answer, { url }) => {
    const list = lists.get(url.search) ?? answer
    if (url.search !== '') lists.set(url.search, list)
    return list
  })(base)
})

/** The body of a refused update stays on the connection and is taken for the next request. */
const unreadBody = deciding(base => {
  const left = new WeakSet<ClientConnection>()
  const page = { status: 501, headers: [['Connection', 'close']] } as const
  return {
    operate: ctx =>
      left.delete(ctx.connection) ? withBody(page, '<h1>Unsupported method</h1>') : base.operate(ctx),
    finish: (answer, ctx) => {
      if (ctx.operation === 'updateInventory' && [401, 404].includes(answer.status)) left.add(ctx.connection)
      return base.finish(answer, ctx)
    },
  }
})

const constantTag = validated(() => '"1"')
const tagOfLength = validated(({ body }) => `"${body?.length}"`)
const halved = listed(all => all.slice(0, Math.ceil(all.length / 2)))
const knowingList = ask(undefined, 401, ({ headers }) => headers.has('if-none-match'))

const comma = rewritten(json => `${json.slice(0, -1)},]`)
const wrapped = rewritten(json => `{"items":${json}}`)
const withNull = rewritten(json => json.replace(/^\[/, '[null,'))
const marked = rewritten(json => `\ufeff${json}`)
const latin = rewritten(json => Buffer.from(json.replace('{', '{"é":1,'), 'latin1'))
const isHtml = headed('Content-Type', 'text/html')
const twice = listed(all => [...all, ...all.slice(0, 1)])
const withoutOne = listed(all => all.filter(each => each !== all.find(({ complete }) => complete)))
const first = (count: number) => listed(all => all.slice(0, count))
/** Each object has this member a second time. */
const again = (name: string) => rewritten(json => json.replaceAll(RegExp(`"${name}":[^,}]+`, 'g'), '$&,$&'))
const having = (name: string, change: (digits: string) => unknown) =>
  rewritten(json =>
    json.replace(RegExp(`"${name}":(-?\\d+)`, 'g'), (_, digits) => `"${name}":${change(digits)}`),
  )
const throughDouble = having('id', id => BigInt(Number(id)))
/** Where the status stays the same. */
const moreByOne = having('quantity', stock => BigInt(stock) + (`${stock}` === '0' ? 0n : 1n))
const without = (isLeftOut: (item: Listed) => unknown) => listed(all => all.filter(each => !isLeftOut(each)))
const labelled = (from: string, to: string) => rewritten(json => json.replaceAll(from, to))

/** The first list is returned for ever. */
const stale: Defect = isMet => base => {
  let first: Answer | undefined
  const again = changed(answer => {
    first ??= answer
    return first
  })
  return again(isMet)(base)
}

const FEW_ORDERS = { outOfReachWhenNamed: 'three named orders do not fill a page' }
const FEW_PETS = { outOfReachWhenNamed: 'named pets do not fill a page' }
const NOT_CHOSEN = { outOfReachWhenNamed: 'only ids above 2^53 show it, and named ids cannot be chosen' }
const LAGGING = { when: every(3), also: ['update-replaces'] }
const SHORT = { outOfReachWhenNamed: 'the lists stay short' }
const NO_NEW = { outOfReachWhenNamed: 'named orders exist before the run, so none can appear during it' }

/** Wrong transfer, wrong answers to conditional requests, and answers that depend on what has no meaning. */
const transfers = rowsOf({
  'coding-names-charset': [any, 'coding-accepted', headed('Content-Encoding', 'UTF-8')],
  'length-and-chunks': [any, 'framing', chunkedWithLength],
  'no-allow': [otherMethod, 'other-method-405', headed('Allow')],
  'list-orders-breaks-off': [orders, 'every-request-answered/listOrders', cut],
  'list-inventory-long-breaks-off': [long, 'every-request-answered/listInventory', cut, SHORT],
  'browser-dropped': [browser, 'every-request-answered', unanswered],
  'html-for-browsers': [browser, operationIds.map(id => `any-form/${id}`), html],
  'header-names-lower-case-only': [any, 'any-form', upperCaseUnread],
  'orders-halved-for-other-clients': [otherClient, 'any-form', halved],
  'wrong-key-behind-proxy': [behindProxy, 'any-form/listInventory', letIn],
  'wrong-key-remembered': [any, 'after-anything', rememberingWrongKey],
  'inventory-cached-by-query': [any, ['any-form', 'conditional-list-inventory'], cachedByQuery],
  'etag-constant-inventory': [inventory, 'conditional-list-inventory', constantTag],
  'etag-of-length-inventory': [inventory, 'conditional-list-inventory', tagOfLength],
  'modified-constant-inventory': [inventory, 'conditional-list-inventory', modified, { needsSocket: true }],
  'etag-constant-orders': [orders, 'conditional-list-orders', constantTag, NO_NEW],
  'condition-before-key': [knowingList, 'auth-conditional', emptied(304)],
  'unread-body-left': [any, 'unread-body', unreadBody, { needsSocket: true }],
})

/** Wrong answers to the two lists, and lists that lack something, have it twice, or are old. */
const lists = rowsOf({
  'list-orders-206': [orders, 'list-orders-200', answered(206)],
  'list-orders-text-html': [orders, 'list-orders-content-type', isHtml],
  'list-orders-trailing-comma': [orders, 'list-orders-json', comma],
  'list-orders-latin-1': [orders, 'list-orders-json', latin],
  'list-orders-byte-order-mark': [orders, 'list-orders-json', marked],
  'list-orders-wrapped': [orders, 'list-orders-array', wrapped],
  'list-orders-with-null': [orders, 'list-orders-array', withNull],
  'query-500': [queried, 'list-orders-query-ignored', answered(500)],
  'query-status-applied': [queriedFor('status', 'pending'), 'list-orders-query-ignored', first(1)],
  'query-limit-applied': [queriedFor('limit'), 'list-orders-query-ignored', first(1)],
  'query-search-applied': [queriedFor('search'), 'list-orders-query-ignored', first(0)],
  'orders-by-range': [orders, 'any-form/listOrders', first(1), { when: requesting('range', /^items/) }],
  'page-of-1000': [orders, 'list-orders-unpaged', first(1_000), FEW_ORDERS],
  'ids-listed-through-double': [orders, 'list-orders-unpaged', throughDouble, NOT_CHOSEN],
  'shipped-hidden': [orders, 'list-orders-shipped-listed', without(each => each.complete)],
  'pending-hidden': [orders, 'list-orders-pending-listed', without(each => !each.complete)],
  'every-third-list-lags': [orders, 'list-orders-steady', withoutOne, { when: every(3) }],
  'order-listed-twice': [orders, 'order-id-unique', twice],
  'order-member-twice': [orders, 'list-orders-no-repeated-names', again('quantity')],
  'order-id-string': [orders, 'order-id-int64', member('id', '"1007"')],
  'order-id-beyond-int64': [orders, 'order-id-int64', member('id', '9223372036854775808')],
  'order-petid-beyond-int64': [orders, 'order-pet-id-int64', member('petId', '-9223372036854775809')],
  'order-quantity-null': [orders, 'order-quantity-integer', member('quantity', 'null')],
  'order-quantity-fraction': [orders, 'order-quantity-integer', member('quantity', '2.5')],
  'order-wrong-later': [orders, 'order-quantity-integer', member('quantity', '"1"'), { when: fromThe(10) }],
  'order-complete-string': [orders, 'order-complete-boolean', member('complete', '"true"')],
  'order-shipdate-nonexistent': [orders, 'order-ship-date', member('shipDate', '"2026-02-29T10:00:00Z"')],
  'order-shipdate-date-only': [orders, 'order-ship-date', member('shipDate', '"2026-11-02"')],
  'ship-date-local': [orders, 'order-ship-date-rfc3339', member('shipDate', '"2026-11-02T10:00:00"')],

  'list-inventory-206': [inventory, 'list-inventory-200', answered(206)],
  'list-inventory-text-html': [inventory, 'list-inventory-content-type', isHtml],
  'list-inventory-trailing-comma': [inventory, 'list-inventory-json', comma],
  'list-inventory-wrapped': [inventory, 'list-inventory-array', wrapped],
  'inventory-stale': [inventory, 'list-inventory-pets-listed', stale, { namedBreaks: ['update-replaces'] }],
  'sold-left-out': [inventory, 'list-inventory-pets-listed', without(each => `${each.quantity}` === '0')],
  'pets-page-of-1000': [inventory, 'list-inventory-unpaged', first(1_000), FEW_PETS],
  'every-third-inventory-lags': [inventory, 'list-inventory-steady', moreByOne, LAGGING],
  'entry-listed-twice': [inventory, 'inventory-pet-id-unique', twice],
  'entry-member-twice': [inventory, 'list-inventory-no-repeated-names', again('status')],
  'entry-status-missing': [inventory, 'inventory-status-present', member('status')],
  'entry-status-null': [inventory, 'inventory-status-string', member('status', 'null')],
  'entry-pet-id-missing': [inventory, 'inventory-pet-id-present', member('petId')],
  'entry-pet-id-string': [inventory, 'inventory-pet-id-number', member('petId', '"7"')],
  'entry-quantity-missing': [inventory, 'inventory-quantity-present', member('quantity')],
  'entry-quantity-null': [inventory, 'inventory-quantity-integer', member('quantity', 'null')],
  'label-always-available': [inventory, 'inventory-sold-at-zero', labelled('sold', 'available')],
  'label-low': [inventory, 'inventory-available-above-zero', labelled('available', 'low')],
})

export const faults = [...transfers, ...lists]
