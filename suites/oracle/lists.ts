import { NOT_UTF8 } from '../../support/interface/description.ts'
import { canonical, toInteger } from '../../support/interface/numbers.ts'
import { type Listing, type Wrongs, wrongsOf } from './entry.ts'
import { isObject, type Json, JsonNumber, type JsonObject, member, parseJson } from './json.ts'
import type { Exchange } from './log.ts'

const ID = { listOrders: 'id', listInventory: 'petId' } as const
export const isListing = (operation: string): operation is Listing => Object.hasOwn(ID, operation)

/**
 * An element of a list, reduced to what is asked of all of them: its value is parsed again where it is asked for. Equal texts are one
 * item, so that most of a list is compared by identity.
 */
export class Element {
  readonly #text: string
  #object: JsonObject | undefined
  /** The canonical text of its id. */
  readonly id: string | undefined
  /** Undefined if it is no object. */
  readonly wrongs: Wrongs | undefined

  constructor(text: string, value: Json, listing: Listing) {
    this.#text = text
    if (!isObject(value)) return
    const id = member(value, ID[listing])
    this.id = id instanceof JsonNumber ? canonical(id.source) : undefined
    const wrongs = wrongsOf(value, listing)
    this.wrongs = colonsIn(text) > membersIn(value) ? { ...wrongs, repeated: 'one of them twice' } : wrongs
  }

  get value(): Json {
    const parsed = parseJson(this.#text)
    return 'value' in parsed ? parsed.value : null
  }

  /** Its members. The object is kept: what the run names is asked for again. */
  get object(): JsonObject {
    this.#object ??= this.wrongs ? (this.value as JsonObject) : {}
    return this.#object
  }
}

/** A list response, read. */
export interface List {
  readonly items: readonly Element[]
  /** The objects by their ids. */
  readonly byId: ReadonlyMap<string, Element>
  /** Whether an entry shows no id: then an order that is not found may be this one. */
  readonly hidesIds: boolean
}

/** Reads the lists of a log. Equal elements and equal bodies are parsed once. */
export class ListReader {
  readonly #items = { listOrders: new Map<string, Element>(), listInventory: new Map<string, Element>() }
  readonly #lists: Readonly<Record<Listing, Map<string, List | undefined>>> = {
    listOrders: new Map(),
    listInventory: new Map(),
  }

  /** Undefined if the exchange is not a list of objects that was answered 200 as JSON. */
  read({ ask, response }: Exchange): List | undefined {
    const { operation } = ask
    if (!isListing(operation) || ask.undescribed || response?.status !== 200) return undefined
    const known = this.#lists[operation]
    if (!known.has(response.body)) known.set(response.body, this.#listOf(response.body, operation))
    return known.get(response.body)
  }

  #listOf(text: string, listing: Listing): List | undefined {
    const items = elementsOf(text)?.map(each => this.#itemOf(each, listing))
    if (!items?.every(item => item !== undefined)) return undefined
    const byId = new Map<string, Element>()
    for (const item of items) if (item.id !== undefined) byId.set(item.id, item)
    return { items, byId, hidesIds: items.some(({ id, wrongs }) => wrongs && id === undefined) }
  }

  #itemOf(text: string, listing: Listing): Element | undefined {
    const known = this.#items[listing].get(text)
    if (known) return known
    const parsed = parseJson(text)
    if ('error' in parsed) return undefined
    const item = new Element(text, parsed.value, listing)
    this.#items[listing].set(text, item)
    return item
  }
}

const QUOTE = 34
const BACKSLASH = 92

/** The position after the string that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    if ((end - before) % 2 === 1) return end + 1
  }
  return text.length
}

/** The texts of the elements of a JSON array, which are parsed one by one. Undefined if it is no array. */
function elementsOf(text: string): string[] | undefined {
  if (text.includes(NOT_UTF8)) return undefined
  const trimmed = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']')) return undefined
  const inner = trimmed.slice(1, -1)
  if (/^[ \t\r\n]*$/.test(inner)) return []
  const elements: string[] = []
  let [depth, start] = [0, 0]
  for (let at = 0; at < inner.length; at += 1) {
    const code = inner.charCodeAt(at)
    if (code === QUOTE) at = endOfString(inner, at) - 1
    else if (code === 123 || code === 91) depth += 1
    else if (code === 125 || code === 93) depth -= 1
    else if (code === 44 && depth === 0) {
      elements.push(inner.slice(start, at))
      start = at + 1
    }
    if (depth < 0) return undefined
  }
  elements.push(inner.slice(start))
  return elements
}

/** The colons outside strings: one for each member, also if two have the same name. */
const colonsIn = (text: string): number => text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '').split(':').length - 1

function membersIn(value: Json): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each: Json) => sum + membersIn(each), 0)
  if (!isObject(value)) return 0
  return Object.values(value).reduce((sum: number, each) => sum + 1 + membersIn(each), 0)
}

/** The stock that a list shows for a pet. Undefined if it shows none. */
export function stockIn(list: List | undefined, pet: string): bigint | undefined {
  const entry = list?.byId.get(canonical(pet))
  const quantity = entry && member(entry.object, 'quantity')
  return quantity instanceof JsonNumber ? toInteger(quantity.source) : undefined
}

/** A number of an order in its canonical form, such as the pet that it is for. */
export function numberIn(entry: Element | undefined, name: string): string | undefined {
  const value = entry && member(entry.object, name)
  return value instanceof JsonNumber ? canonical(value.source) : undefined
}
