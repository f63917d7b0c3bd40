import { canonical, INT64_MIN, isInt64, toInteger } from './decimal.ts'
import { isJsonObject, type Json, JsonNumber } from './json.ts'

/** Stands for an element without an integer of 64 bits as its id. An element with this id is among the others. */
const NONE = INT64_MIN

/** The ids of consecutive elements of a list. Integers of 64 bits take eight bytes each. */
export class PartIds {
  /** How many different numbers there are. */
  readonly size: number
  /** Elements whose number an earlier one has as well. */
  readonly repeated: readonly { readonly at: number; readonly id: string }[]
  /** How many elements have no id: the member is absent, or an object or array. */
  readonly without: number
  /** Ids that are strings, and literals such as null, each with the index of its first element. */
  readonly texts: ReadonlyMap<string, number>
  /** By element. */
  readonly #integers: BigInt64Array
  /** Numbers that are not integers of 64 bits, each with the index of its first element. */
  readonly others: ReadonlyMap<string, number>

  constructor(elements: readonly Json[], name: string) {
    const seen = new Set<bigint>()
    const repeated: { at: number; id: string }[] = []
    const texts = new Map<string, number>()
    const others = new Map<string, number>()
    let without = 0
    this.#integers = new BigInt64Array(elements.length).fill(NONE)
    elements.forEach((entry, at) => {
      const id = isJsonObject(entry) && Object.hasOwn(entry, name) ? entry[name] : undefined
      if (id === undefined || (typeof id === 'object' && id !== null && !(id instanceof JsonNumber))) {
        without += 1
        return
      }
      const key = canonical(String(id))
      if (!(id instanceof JsonNumber)) {
        if (!texts.has(key)) texts.set(key, at)
        return
      }
      const integer = int64(key)
      if (integer === undefined ? others.has(key) : seen.has(integer)) repeated.push({ at, id: key })
      else if (integer === undefined) others.set(key, at)
      else {
        seen.add(integer)
        this.#integers[at] = integer
      }
    })
    this.size = seen.size + others.size
    this.repeated = repeated
    this.without = without
    this.others = others
    this.texts = texts
  }

  /** The different numbers, in canonical form, each with the index of its first element. */
  *numbers(): Generator<readonly [id: string, at: number]> {
    for (const [at, integer] of this.#integers.entries()) if (integer !== NONE) yield [String(integer), at]
    yield* this.others
  }

  /** The index of the first element with this number. @param number in canonical form */
  indexOf(number: string): number | undefined {
    const integer = int64(number)
    if (integer === undefined) return this.others.get(number)
    const at = this.#integers.indexOf(integer)
    return at < 0 ? undefined : at
  }

  /** The integers of 64 bits. */
  get integers(): BigInt64Array {
    return this.#integers.filter(each => each !== NONE)
  }
}

function int64(number: string): bigint | undefined {
  const integer = toInteger(number)
  return integer !== undefined && isInt64(integer) && integer !== NONE ? integer : undefined
}
