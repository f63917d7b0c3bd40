import { canonical } from './decimal.ts'
import { isJsonObject, type Json, JsonNumber, type JsonObject, printJson } from './json.ts'
import { NumberCollector, type NumberPiece, type NumberSet, numberPiece } from './number-set.ts'

/** Judges one element while the list arrives, because the elements of a large list are not kept. */
export interface ElementCheck {
  /** What is expected of the elements, in the plural: `integers as quantity`. It identifies the check. */
  readonly name: string
  /** What is wrong with the element, as the end of a sentence. */
  problem(entry: JsonObject): string | undefined
}

/** Labels of one element, which are counted over the list. */
export interface ElementLabels {
  readonly name: string
  labels(entry: JsonObject): readonly string[]
}

/** What a rule or observation asks of each element of a list. */
export type ElementQuestion = ElementCheck | ElementLabels

/** What is wanted from the elements of a list. */
export interface ListReading {
  /** The member that identifies an element. */
  readonly idName: string
  readonly checks: readonly ElementCheck[]
  readonly labels: readonly ElementLabels[]
  /** Whether the element with this id is kept. */
  isWatched(id: string): boolean
}

/** An element of a list, with its index. */
export interface ListEntry {
  readonly at: number
  readonly entry: JsonObject
}

export interface Offenders {
  readonly count: number
  /** The first few, in order. */
  readonly first: readonly { readonly at: number; readonly problem: string }[]
}

/** How many offending elements are kept of each check. */
const MAX_KEPT = 5

/** Ordinary lists have few different labels. Beyond this number, new labels are not counted. */
const MAX_LABELS = 200

/** What is known about consecutive elements of a list. Indexes are relative to the first of them. */
export interface PartDigest {
  readonly length: number
  readonly notObjects: Offenders
  /** Elements without an id: the member is absent, or an object or array. */
  readonly withoutId: number
  readonly ids: NumberPiece
  /** Index of the element of each number, in the order in which the numbers were read. Undefined if every element has one. */
  readonly idsAt: Uint32Array | undefined
  /** Ids that are not numbers: texts, and literals such as null. */
  readonly otherIds: readonly string[]
  readonly offenders: readonly Offenders[]
  readonly labels: readonly ReadonlyMap<string, number>[]
  readonly watched: readonly ListEntry[]
  /** The first name that occurs twice in one object, as a path from the element: `.id`. */
  readonly repeatedName: { readonly at: number; readonly path: string } | undefined
}

export function digestPart(
  elements: readonly Json[],
  reading: ListReading,
  repeatedName: PartDigest['repeatedName'],
): PartDigest {
  const { idName, checks, labels, isWatched } = reading
  const notObjects = collector()
  const numbers: string[] = []
  const numbersAt: number[] = []
  const otherIds: string[] = []
  const watched: ListEntry[] = []
  let withoutId = 0
  elements.forEach((entry, at) => {
    if (!isJsonObject(entry)) {
      notObjects.add(at, `is ${brief(entry)}`)
      withoutId += 1
      return
    }
    const id = Object.hasOwn(entry, idName) ? entry[idName] : undefined
    if (id instanceof JsonNumber) {
      numbers.push(id.source)
      numbersAt.push(at)
      if (isWatched(canonical(id.source))) watched.push({ at, entry })
    } else if (typeof id === 'string' || typeof id === 'boolean' || id === null) {
      otherIds.push(String(id))
      if (isWatched(canonical(String(id)))) watched.push({ at, entry })
    } else withoutId += 1
  })
  return {
    length: elements.length,
    notObjects: notObjects.found(),
    withoutId,
    ids: numberPiece(numbers),
    idsAt: numbers.length === elements.length ? undefined : Uint32Array.from(numbersAt),
    otherIds,
    offenders: checks.map(check => offendersIn(elements, check)),
    labels: labels.map(each => labelsIn(elements, each)),
    watched,
    repeatedName,
  }
}

/** The elements that do not pass the check. */
export function offendersIn(elements: readonly Json[], check: ElementCheck): Offenders {
  const offenders = collector()
  elements.forEach((entry, at) => {
    const problem = isJsonObject(entry) ? check.problem(entry) : undefined
    if (problem !== undefined) offenders.add(at, problem)
  })
  return offenders.found()
}

/** How many elements have each label. */
export function labelsIn(elements: readonly Json[], { labels }: ElementLabels): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const entry of elements) {
    if (!isJsonObject(entry)) continue
    for (const label of labels(entry)) {
      const known = counts.get(label)
      if (known !== undefined || counts.size < MAX_LABELS) counts.set(label, (known ?? 0) + 1)
    }
  }
  return counts
}

function collector() {
  const first: { at: number; problem: string }[] = []
  let count = 0
  return {
    add(at: number, problem: string): void {
      count += 1
      if (first.length < MAX_KEPT) first.push({ at, problem })
    },
    found: (): Offenders => ({ count, first }),
  }
}

const brief = (value: Json): string => {
  const text = printJson(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** What is known about a whole list, without its elements. */
export class ListDigest {
  readonly #reading: ListReading
  readonly #parts: readonly PartDigest[]
  #ids: NumberCollector | undefined

  constructor(parts: readonly PartDigest[], reading: ListReading) {
    this.#parts = parts
    this.#reading = reading
  }

  get length(): number {
    return this.#sum(({ length }) => length)
  }

  get withoutId(): number {
    return this.#sum(({ withoutId }) => withoutId)
  }

  /** Ids that are numbers. */
  get ids(): NumberSet {
    if (!this.#ids) {
      this.#ids = new NumberCollector()
      for (const piece of this.idPieces) this.#ids.add(piece)
    }
    return this.#ids
  }

  /** The ids that are numbers, part by part. Equal parts of two lists may be the same object. */
  get idPieces(): readonly NumberPiece[] {
    return this.#parts.map(({ ids }) => ids)
  }

  /** The elements that are watched, in order. */
  get watched(): readonly ListEntry[] {
    let offset = 0
    return this.#parts.flatMap(({ watched, length }) => {
      const start = offset
      offset += length
      return watched.map(({ at, entry }) => ({ at: start + at, entry }))
    })
  }

  get otherIds(): readonly string[] {
    return this.#parts.flatMap(({ otherIds }) => otherIds)
  }

  get notObjects(): Offenders {
    return this.#merged(({ notObjects }) => notObjects)
  }

  /** @returns undefined if the list was read without this check */
  offendersOf(name: string): Offenders | undefined {
    const at = this.#reading.checks.findIndex(check => check.name === name)
    return at < 0 ? undefined : this.#merged(({ offenders }) => offenders[at] as Offenders)
  }

  /** How many elements have each label. @returns undefined if the list was read without these labels */
  labelsOf(name: string): ReadonlyMap<string, number> | undefined {
    const at = this.#reading.labels.findIndex(each => each.name === name)
    if (at < 0) return undefined
    const counts = new Map<string, number>()
    for (const { labels } of this.#parts)
      for (const [label, count] of labels[at] ?? []) counts.set(label, (counts.get(label) ?? 0) + count)
    return counts
  }

  /** The first element with this id, if it is watched. */
  find(id: string): ListEntry | undefined {
    const wanted = canonical(id)
    let offset = 0
    for (const { watched, length } of this.#parts) {
      const found = watched.find(({ entry }) => idOf(entry, this.#reading.idName) === wanted)
      if (found) return { at: offset + found.at, entry: found.entry }
      offset += length
    }
    return undefined
  }

  /** The path of the first name that occurs twice in one object: `$[2].id`. */
  get repeatedName(): string | undefined {
    let offset = 0
    for (const { repeatedName, length } of this.#parts) {
      if (repeatedName) return `$[${offset + repeatedName.at}]${repeatedName.path}`
      offset += length
    }
    return undefined
  }

  /** Elements whose id is also the id of an earlier element. */
  get repeatedIds(): Offenders {
    const all = this.#sum(({ ids }) => ids.integers.length + ids.others.length)
    if (all === this.ids.size) return { count: 0, first: [] }
    const seen = new Set<string>()
    const found = collector()
    let offset = 0
    for (const { ids, idsAt, length } of this.#parts) {
      const read = [...Array.from(ids.integers, String), ...ids.others]
      read.forEach((id, nth) => {
        const place = ids.places?.[nth] ?? nth
        if (seen.has(id)) found.add(offset + (idsAt?.[place] ?? place), id)
        seen.add(id)
      })
      offset += length
    }
    return found.found()
  }

  #sum(count: (part: PartDigest) => number): number {
    return this.#parts.reduce((sum, part) => sum + count(part), 0)
  }

  #merged(of: (part: PartDigest) => Offenders): Offenders {
    const first: { at: number; problem: string }[] = []
    let count = 0
    let offset = 0
    for (const part of this.#parts) {
      const own = of(part)
      count += own.count
      for (const { at, problem } of own.first)
        if (first.length < MAX_KEPT) first.push({ at: offset + at, problem })
      offset += part.length
    }
    return { count, first }
  }
}

/** The canonical text of an id, whether it is a number or a text. */
export function idOf(entry: JsonObject, name: string): string | undefined {
  const id = Object.hasOwn(entry, name) ? entry[name] : undefined
  if (id instanceof JsonNumber) return canonical(id.source)
  return typeof id === 'string' ? canonical(id) : undefined
}
