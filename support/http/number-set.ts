import { canonical, isInt64 } from './decimal.ts'

/** An immutable set of decimal numbers in canonical form. Integers of 64 bits take eight bytes each. */
export interface NumberSet {
  readonly size: number
  /** @param number in any spelling: `5.0` is in a set that has `5` */
  has(number: string): boolean
  /** Whether the set has an integer from `low` to `high`. Only integers of 64 bits are found. */
  hasWithin(low: bigint, high: bigint): boolean
  values(): IterableIterator<string>
}

/** Numbers of one part of a list, as they were read. */
export interface NumberPiece {
  readonly integers: BigInt64Array
  /** Numbers that are not integers of 64 bits, in canonical form. */
  readonly others: readonly string[]
  /** Where each of the integers, and then each of the others, was among the numbers. Undefined if in this order. */
  readonly places: Uint32Array | undefined
}

export function numberPiece(numbers: readonly string[]): NumberPiece {
  const integers: bigint[] = []
  const others: string[] = []
  const places: number[] = []
  const othersAt: number[] = []
  numbers.forEach((number, at) => {
    const integer = asInt64(number)
    if (integer === undefined) {
      others.push(canonical(number))
      othersAt.push(at)
    } else {
      integers.push(integer)
      places.push(at)
    }
  })
  const isInOrder = others.length === 0
  return {
    integers: BigInt64Array.from(integers),
    others,
    places: isInOrder ? undefined : Uint32Array.from([...places, ...othersAt]),
  }
}

const PLAIN = /^-?[0-9]{1,19}$/

function asInt64(number: string): bigint | undefined {
  const text = PLAIN.test(number) ? number : canonical(number)
  if (!PLAIN.test(text)) return undefined
  const integer = BigInt(text)
  return isInt64(integer) ? integer : undefined
}

/** Collects numbers from any number of pieces. Sorts them only for the first query. */
export class NumberCollector implements NumberSet {
  #sorted = new BigInt64Array(0)
  #pending: BigInt64Array[] = []
  readonly #others = new Set<string>()

  add({ integers, others }: NumberPiece): void {
    if (integers.length > 0) this.#pending.push(integers)
    for (const other of others) this.#others.add(other)
  }

  get size(): number {
    return this.#integers().length + this.#others.size
  }

  has(number: string): boolean {
    const integer = asInt64(number)
    if (integer === undefined) return this.#others.has(canonical(number))
    return this.#integers()[this.#firstFrom(integer)] === integer
  }

  hasWithin(low: bigint, high: bigint): boolean {
    const found = this.#integers()[this.#firstFrom(low)]
    return found !== undefined && found <= high
  }

  *values(): IterableIterator<string> {
    for (const integer of this.#integers()) yield String(integer)
    yield* this.#others
  }

  /** Sorted, each once. */
  #integers(): BigInt64Array {
    if (this.#pending.length === 0) return this.#sorted
    const pieces = [this.#sorted, ...this.#pending]
    const merged = new BigInt64Array(pieces.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const piece of pieces) {
      merged.set(piece, at)
      at += piece.length
    }
    merged.sort()
    let kept = 0
    for (let read = 0; read < merged.length; read += 1) {
      const value = merged[read] as bigint
      if (kept === 0 || merged[kept - 1] !== value) {
        merged[kept] = value
        kept += 1
      }
    }
    this.#sorted = merged.slice(0, kept)
    this.#pending = []
    return this.#sorted
  }

  /** Index of the first integer that is not below `low`. */
  #firstFrom(low: bigint): number {
    const integers = this.#integers()
    let from = 0
    let to = integers.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((integers[middle] as bigint) < low) from = middle + 1
      else to = middle
    }
    return from
  }
}
