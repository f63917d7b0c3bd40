import { canonical, toInteger } from '../../support/interface/numbers.ts'
import { isObject, type Json, JsonNumber, type JsonObject, member, parseJson } from './json.ts'
import type { Exchange } from './log.ts'

/** An element of a list. Equal texts are one item, so that most of a list is compared by identity. */
export interface Item {
  readonly value: Json
  /** Whether an object in it repeats a member name. */
  readonly isRepeating: boolean
}

/** A list response, read. */
export interface List {
  readonly items: readonly Item[]
  /** The objects by the canonical text of their ids. */
  readonly byId: ReadonlyMap<string, JsonObject>
  /** Whether an entry shows no id: then an order that is not found may be this one. */
  readonly hidesIds: boolean
}

const ID = { listOrders: 'id', listInventory: 'petId' } as const
type Listing = keyof typeof ID
export const isListing = (operation: string): operation is Listing => Object.hasOwn(ID, operation)

/** Reads the lists of a log. Equal elements and equal bodies are parsed once. */
export class ListReader {
  readonly #items = new Map<string, Item | undefined>()
  readonly #lists: Readonly<Record<Listing, Map<string, List | undefined>>> = {
    listOrders: new Map(),
    listInventory: new Map(),
  }

  /** Undefined if the exchange is not a list of objects that was answered 200 as JSON. */
  read({ ask, response }: Exchange): List | undefined {
    const { operation } = ask
    if (!isListing(operation) || ask.undescribed || response?.status !== 200) return undefined
    const known = this.#lists[operation]
    if (!known.has(response.body)) known.set(response.body, this.#listOf(response.body, ID[operation]))
    return known.get(response.body)
  }

  #listOf(text: string, idName: string): List | undefined {
    const items = elementsOf(text)?.map(each => this.#itemOf(each))
    if (!items?.every(item => item !== undefined)) return undefined
    const byId = new Map<string, JsonObject>()
    let hidesIds = false
    for (const { value } of items) {
      if (!isObject(value)) continue
      const id = member(value, idName)
      if (id instanceof JsonNumber) byId.set(canonical(id.source), value)
      else hidesIds = true
    }
    return { items, byId, hidesIds }
  }

  #itemOf(text: string): Item | undefined {
    if (!this.#items.has(text)) {
      const parsed = parseJson(text)
      const item =
        'error' in parsed
          ? undefined
          : { value: parsed.value, isRepeating: colonsIn(text) > membersIn(parsed.value) }
      this.#items.set(text, item)
    }
    return this.#items.get(text)
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
  if (text.includes('\ufffd')) return undefined
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

function colonsIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at) - 1
    else if (code === 58) count += 1
  }
  return count
}

function membersIn(value: Json): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each: Json) => sum + membersIn(each), 0)
  if (!isObject(value)) return 0
  return Object.values(value).reduce((sum: number, each) => sum + 1 + membersIn(each), 0)
}

/** The stock that a list shows for a pet. Undefined if it shows none. */
export function stockIn(list: List | undefined, pet: string): bigint | undefined {
  const entry = list?.byId.get(canonical(pet))
  const quantity = entry && member(entry, 'quantity')
  return quantity instanceof JsonNumber ? toInteger(quantity.source) : undefined
}

/** A number of an order in its canonical form, such as the pet that it is for. */
export function numberIn(entry: JsonObject | undefined, name: string): string | undefined {
  const value = entry && member(entry, name)
  return value instanceof JsonNumber ? canonical(value.source) : undefined
}
