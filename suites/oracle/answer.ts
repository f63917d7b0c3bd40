import { NOT_UTF8 } from '../../support/interface/description.ts'
import { sameNumber, toInteger } from '../../support/interface/numbers.ts'
import { members } from '../../support/interface/operations.ts'
import { asked, isObject, isWhole, type Json, JsonNumber, member, parseJson, show, wrongsOf } from './json.ts'
import { isListing, type List, type ListReader } from './lists.ts'
import type { Ask, Aspect, BodyKind, Check, Exchange } from './log.ts'

/** What an answer may show besides what its own request determines. */
export interface Beside {
  /** Another request may have cancelled the order before. */
  readonly mayBeCancelled: boolean
  /** Whether another update, or an order, may have left this stock instead of the one that was sent. */
  readonly mayBe: (stock: bigint) => boolean
}

type Response = NonNullable<Exchange['response']>

/** The statuses that the document allows, and how a message names them. */
export interface Statuses {
  readonly text: string
  readonly allows: (status: number) => boolean
}

const only = (...statuses: readonly number[]): Statuses => ({
  text: statuses.join(' or '),
  allows: status => statuses.includes(status),
})
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 401
const refusal: Statuses = { text: 'a refusal (4xx)', allows: isRefusal }
const noSuccess: Statuses = { text: 'no success', allows: status => status >= 300 }

/** With a key, of a request that names such an order or pet. */
const BY_NAME: Readonly<Partial<Record<Ask['named'], Statuses>>> = {
  'pending order': only(204),
  'shipped order': only(409),
  'cancelled order': refusal,
  'unknown order': only(404),
  'similar order id': only(404),
  'no order id': noSuccess,
  'unknown pet': only(404),
  'similar pet id': refusal,
  'no pet id': noSuccess,
}
/** With a key, of a list or of an update of a pet that exists. */
const BY_BODY: Readonly<Record<BodyKind, Statuses>> = {
  ordinary: only(200),
  refusable: only(200, 400),
  lenient: only(200, 400),
  invalid: only(400),
  empty: only(200, 400, 411),
}

/** Whether a conformant store may answer the request in any way, or not at all. */
export const isUndetermined = ({ undescribed, refused }: Ask): boolean =>
  undescribed === true || refused === 'unlisted'

/** What the document determines of the status (§4, §5, §7). */
export function statusesOf(ask: Ask): Statuses {
  const { named, refused, body } = ask
  const plain = BY_NAME[named] ?? BY_BODY[body?.kind ?? 'ordinary']
  if (isUndetermined(ask)) return { text: 'any answer', allows: () => true }
  if (refused === 401) return only(401)
  if (refused === '4xx')
    return { text: '401, or another 4xx', allows: status => status >= 400 && status < 500 }
  if (refused === 'open')
    return {
      text: `${plain.text} or 401`,
      allows: status => status === 401 || status === 403 || plain.allows(status),
    }
  return plain
}

/** Whether a status is one that the document excludes. */
export const isWrong = ({ ask, response }: Exchange): boolean =>
  response !== undefined &&
  !ask.declined?.includes(response.status) &&
  !statusesOf(ask).allows(response.status)

/** What the document determines of one answer, aspect by aspect. Nothing is said of an aspect after the first that fails. */
export function answerChecks(
  exchange: Exchange,
  { mayBeCancelled, mayBe }: Beside,
  reader: ListReader,
): readonly Check[] {
  const { ask, response } = exchange
  if (!response) return []
  const checks: Check[] = [{ exchange, aspect: 'answered', about: '' }]
  const check = (aspect: Aspect, about: string, expected: string, got: string | undefined): boolean => {
    const problem = got === undefined ? undefined : { expected, got, shown: [exchange] }
    checks.push({ exchange, aspect, about, problem })
    return got === undefined
  }
  const { status } = response
  if (ask.declined?.includes(status)) return checks
  // Another request may have cancelled it, or its state was not what the user named: the refusal shows nothing.
  if (mayBeCancelled && isRefusal(status) && isWrong(exchange)) return checks
  const { text, allows } = statusesOf(ask)
  const declined = [...new Set(ask.declined)].filter(each => !allows(each)).join(', ')
  const expected = declined === '' ? text : `${text} (or ${declined})`
  if (!check('status', '', expected, isWrong(exchange) ? String(status) : undefined)) return checks
  if (status === 204) {
    check('body', '', 'no body', contentOf204(exchange, response))
    return checks
  }
  if (!hasDocumentedBody(ask, status)) return checks
  if (!check('type', 'Content-Type', 'Content-Type application/json', typeProblem(response))) return checks
  const list = reader.read(exchange)
  if (list) {
    check('json', '', 'valid JSON', undefined)
    listChecks(ask, list, check)
    return checks
  }
  const parsed = parseJson(response.body)
  if ('error' in parsed) {
    // Bytes in a coding that cannot be undone show nothing.
    if (!parsed.isBeyond && !hasUnknownCoding(response))
      check('json', '', 'valid JSON', `${parsed.error}: ${excerptOf(response.body, parsed.error)}`)
    return checks
  }
  check('json', '', 'valid JSON', undefined)
  const { value } = parsed
  if (status !== 200) check('shape', '', `an Error with status ${status}`, errorProblem(value, status))
  else if (ask.operation === 'updateInventory') entryChecks(ask, value, mayBe, check)
  else check('shape', '', 'an array of objects', show(value))
  return checks
}

/** The text around the position that an error names, or around the first bytes that are not UTF-8. */
function excerptOf(text: string, error: string): string {
  const at = Number(/position (\d+)/.exec(error)?.[1] ?? text.indexOf(NOT_UTF8))
  return JSON.stringify(text.slice(Math.max(0, at - 40), at + 20).replace(NOT_UTF8, '\ufffd'))
}

type CheckOne = (aspect: Aspect, about: string, expected: string, got: string | undefined) => boolean

/** Of these it is not shown whether they name an operation or a resource, so that any 404 will do. */
const UNSHOWN: readonly Ask['named'][] = ['no order id', 'no pet id', 'similar pet id']

/** The shapes of 400 and 409 are not shown (§7), nor that of a 200 to a body that changes nothing. */
function hasDocumentedBody(ask: Ask, status: number): boolean {
  if (isUndetermined(ask)) return false
  if (status === 404) return !UNSHOWN.includes(ask.named)
  return status === 401 || (status === 200 && !ask.refused)
}

/** RFC 9110 §15.3.5: a 204 has no content. `Content-Length: 0` is not one. What follows its head is no body (RFC 9112 §6.3). */
function contentOf204({ stray }: Exchange, response: Response): string | undefined {
  const length = headersOf(response, 'content-length').join(', ')
  if (!/^0*(, 0+)*$/.test(length)) return `Content-Length: ${length}`
  return stray ? 'bytes after the response' : undefined
}

export const headersOf = ({ headers }: Pick<Response, 'headers'>, name: string): readonly string[] =>
  headers.flatMap(([own, value]) => (own.toLowerCase() === name ? [value] : []))

const CODINGS = ['gzip', 'x-gzip', 'deflate', 'br', 'identity', '']

const hasUnknownCoding = (response: Response): boolean =>
  headersOf(response, 'content-encoding')
    .flatMap(value => value.split(','))
    .some(coding => !CODINGS.includes(coding.trim().toLowerCase()))

/** A gateway may add the header again: the same type is one type (RFC 9110 §8.3.1). */
function typeProblem(response: Response): string | undefined {
  const values = headersOf(response, 'content-type')
  const types = new Set(values.map(value => value.split(';', 1)[0]?.trim().toLowerCase()))
  if (types.size === 1 && types.has('application/json')) return undefined
  return values.length === 0 ? 'no Content-Type' : values.join(', ')
}

/** §2 Error: a code, a message, and the status as an integer. */
function errorProblem(value: Json, status: number): string | undefined {
  if (!isObject(value)) return show(value)
  for (const name of members.error) {
    const found = member(value, name)
    const isRight =
      name === 'status'
        ? isWhole(found) && toInteger(found.value) === BigInt(status)
        : typeof found === 'string'
    if (!isRight) return found === undefined ? `no ${name}` : `${name} ${show(found)}`
  }
  return undefined
}

/** §4.4: the entry of that pet, with that quantity and the status that follows. */
function entryChecks({ id, body }: Ask, value: Json, mayBe: Beside['mayBe'], check: CheckOne): void {
  const wrongs = wrongsOf(value, 'listInventory')
  if (!check('shape', '', 'an inventory entry', wrongs['shape']) || !isObject(value)) return
  const [petId, quantity] = [member(value, 'petId'), member(value, 'quantity')]
  const isThatPet = petId instanceof JsonNumber && sameNumber(petId.value, id)
  check('fields', 'petId', `petId ${id}`, isThatPet ? undefined : show(petId))
  const stock = isWhole(quantity) ? toInteger(quantity.value) : undefined
  const sent = body?.quantity ?? ''
  const isRight =
    isWhole(quantity) &&
    (sent === '' || sameNumber(quantity.value, sent) || (stock !== undefined && mayBe(stock)))
  // What an update without a quantity shows is open.
  if (body?.kind !== 'empty' && (body?.kind !== 'lenient' || isWhole(quantity)))
    check('fields', 'quantity', `quantity ${sent}`, isRight ? undefined : show(quantity))
  if (check('fields', 'status', 'a status', wrongs['status'] ?? wrongs['status present']) && isRight)
    check('fields', 'label', 'status sold at 0, available above 0', wrongs['sold'] ?? wrongs['available'])
}

function listChecks({ operation }: Ask, { wrongs }: List, check: CheckOne): void {
  if (!isListing(operation) || !check('shape', '', 'an array of objects', wrongs['shape'])) return
  for (const [about, [expected]] of Object.entries(asked[operation]))
    check('fields', about, expected, wrongs[about])
  if (operation === 'listOrders')
    check('advice', 'rfc3339', 'an RFC 3339 date-time as shipDate', wrongs['rfc3339'])
  check('advice', 'repeated', 'each member name once', wrongs['repeated'])
}
