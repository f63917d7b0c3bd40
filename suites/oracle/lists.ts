import { NOT_UTF8 } from '../../support/interface/description.ts'
import { canonical, toInteger } from '../../support/interface/numbers.ts'
import {
  isObject,
  type Json,
  JsonNumber,
  type JsonObject,
  type Listing,
  member,
  parseJson,
  show,
  type Wrongs,
  wrongsOf,
} from './json.ts'
import type { Exchange } from './log.ts'

const ID = { listOrders: 'id', listInventory: 'petId' } as const
export const isListing = (operation: string): operation is Listing => Object.hasOwn(ID, operation)

/** A list response, read. Equal elements of the lists of a run are one object, so that they are compared by identity. */
export interface List {
  readonly items: readonly Json[]
  /** The objects by their ids. */
  readonly byId: ReadonlyMap<string, JsonObject>
  /** Whether an entry shows no id: then an order that is not found may be this one. */
  readonly hidesIds: boolean
  /** What is wrong with it, by what it is about: the first occurrence. */
  readonly wrongs: Wrongs
}

/** An element of a list, with its id in canonical form. */
interface Element {
  readonly value: Json
  readonly id: string | undefined
  readonly wrongs: Wrongs
}

/** Reads the lists of a log. Equal elements and equal bodies are parsed once. */
export class ListReader {
  readonly #known = {
    listOrders: { elements: new Map<string, Element>(), lists: new Map<string, List | undefined>() },
    listInventory: { elements: new Map<string, Element>(), lists: new Map<string, List | undefined>() },
  }

  /** Undefined if the exchange is not a list that was answered 200 as JSON. */
  read({ ask, response }: Exchange): List | undefined {
    const { operation } = ask
    if (!isListing(operation) || ask.undescribed || response?.status !== 200) return undefined
    const { lists } = this.#known[operation]
    if (!lists.has(response.body)) lists.set(response.body, this.#listOf(response.body, operation))
    return lists.get(response.body)
  }

  #listOf(text: string, listing: Listing): List | undefined {
    const elements = elementsOf(text)?.map(each => this.#elementOf(each, listing))
    if (!elements?.every(each => each !== undefined)) return undefined
    const byId = new Map<string, JsonObject>()
    const first: Record<string, string> = {}
    const note = (about: string, problem: string | undefined, id: string | undefined, at: number) => {
      first[about] ??= `${problem} (${id === undefined ? '' : `${ID[listing]} ${id}, `}element ${at} from 0)`
    }
    for (const [at, { value, id, wrongs }] of elements.entries()) {
      for (const about in wrongs) note(about, wrongs[about], id, at)
      if (id === undefined || !isObject(value)) continue
      if (byId.has(id)) note('unique', `${ID[listing]} ${show(member(value, ID[listing]))} twice`, id, at)
      byId.set(id, value)
    }
    return {
      items: elements.map(({ value }) => value),
      byId,
      hidesIds: elements.some(({ value, id }) => isObject(value) && id === undefined),
      wrongs: first,
    }
  }

  #elementOf(text: string, listing: Listing): Element | undefined {
    const { elements } = this.#known[listing]
    const known = elements.get(text)
    if (known) return known
    const parsed = parseJson(text)
    if ('error' in parsed) return undefined
    const { value } = parsed
    const id = numberIn(value, ID[listing])
    const wrongs = wrongsOf(value, listing)
    const isRepeated = colonsIn(text) > membersIn(value)
    const element = { value, id, wrongs: isRepeated ? { ...wrongs, repeated: 'one of them twice' } : wrongs }
    elements.set(text, element)
    return element
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
  const inner = /^[ \t\r\n]*\[(.*)\][ \t\r\n]*$/s.exec(text)?.[1]
  if (inner === undefined || text.includes(NOT_UTF8)) return undefined
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

/** A number in an entry, in its canonical form. */
export function numberIn(entry: Json | undefined, name: string): string | undefined {
  const value = isObject(entry) ? member(entry, name) : undefined
  return value instanceof JsonNumber ? canonical(value.value) : undefined
}

/** The stock that a list shows for a pet. Undefined if it shows none. */
export const stockIn = (list: List | undefined, pet: string): bigint | undefined =>
  toInteger(numberIn(list?.byId.get(canonical(pet)), 'quantity') ?? '')
