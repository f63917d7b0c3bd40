import { parse } from 'lossless-json'
import type { Answer } from './answer.ts'
import { entryAnswer } from './answering.ts'
import type { Context, Decisions } from './decisions.ts'
import { canonicalDecimal, type Entry, NumberText, readInt64, stockKey } from './domain.ts'
import { bodyEncoded, bodyInvalid, petUnknown, quantityInvalid, Refusal } from './refusal.ts'

/** Reads and writes without a wait in between. The last of several simultaneous updates determines the quantity. */
export const update = async (entry: Entry, ctx: Context): Promise<Answer> => {
  const { decide } = ctx
  if (ctx.found.quantity !== undefined) {
    const quantity = decide.newQuantity(entry.quantity, ctx.found.quantity, ctx)
    const applied = decide.applyQuantity(entry, quantity, ctx)
    if (applied) await applied
  }
  return decide.answerUpdate(entry, ctx)
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (value instanceof NumberText) return 'a number'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

export const isObject = (value: unknown): value is Record<string, unknown> => kindOf(value) === 'an object'

/** JSON is UTF-8 (RFC 8259 §8.1), whatever a charset parameter says. */
export const parseJson = (bytes: Uint8Array): unknown => {
  if (bytes.length === 0) throw bodyInvalid('The body is empty; it must be JSON.')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw bodyInvalid('The body is not valid UTF-8.')
  }
  try {
    return parse(text, null, { parseNumber: source => new NumberText(source), onDuplicateKey: memberTwice })
  } catch (error) {
    if (error instanceof Refusal) throw error
    // The message of the parser quotes the body. Too deep a nesting is a RangeError.
    throw bodyInvalid('The body is not valid JSON.')
  }
}

/** A repeated name is ambiguous (RFC 8259 §4). */
const memberTwice = (): never => {
  throw bodyInvalid('The body has a member twice, with different values.')
}

const mediaType = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''

export const updating = {
  readPetId: text => (canonicalDecimal(text) === undefined ? undefined : text),
  findEntry: (petId, { domain }) => domain.stock.get(stockKey(petId)),
  readUpdate: (bytes, ctx) => {
    ctx.decide.checkContent(ctx)
    const body = ctx.decide.parseBody(bytes, ctx)
    if (!isObject(body)) {
      throw bodyInvalid(`The body must be a JSON object such as {"quantity": 5}; this is ${kindOf(body)}.`)
    }
    const quantity = ctx.decide.readQuantity(body.quantity, ctx)
    if (quantity !== undefined) ctx.decide.checkQuantity(quantity, ctx)
    return quantity
  },
  checkContent: ({ headers }) => {
    const coding = headers.get('content-encoding')?.trim().toLowerCase()
    if (coding && coding !== 'identity') throw bodyEncoded()
    const type = headers.get('content-type')
    // A missing Content-Type is accepted (RFC 9110 §8.3). Another one is a mistake of the client.
    if (type !== null && mediaType(type) !== 'application/json') {
      throw bodyInvalid('Send the body with "Content-Type: application/json".')
    }
  },
  parseBody: parseJson,
  readQuantity: (value, ctx) => {
    if (value === undefined) throw quantityInvalid('is missing')
    if (!(value instanceof NumberText)) throw quantityInvalid(`must be an integer, not ${kindOf(value)}`)
    const quantity = ctx.decide.readInteger(value.source, ctx)
    if (quantity === undefined) {
      throw quantityInvalid('must be an integer in plain digits, without fraction or exponent, within int64')
    }
    return quantity
  },
  readInteger: literal => (literal === '-0' ? 0n : readInt64(literal)),
  checkQuantity: quantity => {
    if (quantity < 0n) throw quantityInvalid('must not be negative')
  },
  newQuantity: (_current, sent) => sent,
  applyQuantity: (entry, quantity) => {
    entry.quantity = quantity
  },
  answerUpdate: (entry, ctx) => (entry ? entryAnswer(entry, ctx) : ctx.decide.refuse(petUnknown(), ctx)),
} satisfies Partial<Decisions>
