import { canonical, INT64_MAX, INT64_MIN, isInt64, toInteger } from '../http/decimal.ts'
import { type Exchange, isRefusal, isSuccess, type RecordedResponse } from '../http/exchange.ts'
import type { Part } from '../http/part.ts'
import { type JsonList, listIn, numberOf } from '../http/read-json.ts'
import { isOrderId, isPetId } from '../interface/identifiers.ts'
import type { Resource } from '../interface/operations.ts'
import { NotArranged } from '../judge/outcome.ts'
import { decoded, possibleIds } from './possible-ids.ts'

export type Consent = ReturnType<typeof consent>

/** The units of an order of the run that was cancelled, or may have been. What a list did not show is absent. */
export interface Units {
  /** Its id in canonical form. */
  readonly order: string
  /** Milliseconds since the epoch. */
  readonly cancelledAt: number
  /** Whether a list showed the order. */
  readonly isListed?: true
  readonly petId?: string
  readonly quantity?: string
}

/** Something that did not exist before the run, and the request after which it does. */
export interface Created {
  readonly resource: Resource
  readonly id: string
  readonly exchange: Exchange
}

/**
 * What a run may change (granted), and what exists and belongs to somebody else (listed). A request that could change the store is
 * sent only if its path can be read as no listed id that was not granted, so that even a faulty store changes nothing else.
 */
export function consent(readOnly: boolean) {
  const created: Created[] = []
  const cancelled: string[] = []
  const cancelledAt = new Map<string, number>()
  /** A cancelled order may no longer be listed. */
  const units = new Map<string, Omit<Units, 'order' | 'cancelledAt'>>()
  const noteUnits = (order: string, list: JsonList): void => {
    const entry = list.find(ID_NAMES.order, order)
    if (!entry) return
    const [petId, quantity] = ['petId', 'quantity'].map(name => numberOf(entry, name))
    units.set(order, {
      isListed: true,
      ...(petId === undefined ? {} : { petId }),
      ...(quantity === undefined ? {} : { quantity }),
    })
  }
  let orderChanges = 0
  const noteCancellation = (order: string, isOwn: boolean, exchange: Exchange): void => {
    const { startedAt, durationMs } = exchange
    if (isSuccess(exchange)) orderChanges += 1
    if (!isOwn) return
    if (isSuccess(exchange)) cancelled.push(order)
    // A request without a response may have cancelled it.
    if (!isRefusal(exchange)) cancelledAt.set(canonical(order), startedAt + durationMs)
  }
  const firstCreated = (resource?: Resource): Created | undefined =>
    created.find(each => isValid(each) && [undefined, each.resource].includes(resource))

  const idsOf = (resource: Resource) => {
    const granted = new Set<string>()
    const named = new Set<string>()
    const listed = listedIds(ID_NAMES[resource])
    /** The last request for each id that nothing had. */
    const tried = new Map<string, Exchange>()
    /** What requests that change something have named, in any spelling. */
    const requested = new Set<string>()
    /** The last list before the run arranged anything. */
    let before: JsonList | undefined

    const isOwn = (id: string): boolean => granted.has(canonical(id)) || named.has(canonical(id))
    const grant = (id: string): void => {
      granted.add(id).add(canonical(id))
      if (resource === 'order') orderChanges += 1
    }
    const create = (id: string, exchange: Exchange): void => {
      created.push({ resource, id, exchange })
      grant(id)
    }
    /** What belongs to somebody else, and could be hit. */
    const hit = (segment: string): string | undefined => {
      // As it was granted. A store may read another spelling as another id, such as 012 as 10: the document leaves it open.
      if (granted.has(segment)) return undefined
      if (NAMES_ALL.test(decoded(segment))) return 'any'
      // A store may cancel a named order even by mistake. The stock of a named pet may change only once it can be restored.
      const isOurs = resource === 'order' ? isOwn : (id: string) => granted.has(id)
      return possibleIds(segment).find(id => !isOurs(id) && listed.isTaken(id))
    }
    /** After the store has created something, only ids that were tried before are tried again. */
    const isRefused = (segment: string): boolean =>
      firstCreated() !== undefined && !isOwn(segment) && !tried.has(canonical(segment))
    const allows = (segment: string): boolean => hit(segment) === undefined && !isRefused(segment)

    return {
      grant,
      /** @throws {NotArranged} unless the request can only hit what was granted, or nothing */
      expectAllowed(method: string, segment: string): void {
        const first = firstCreated()
        if (first && isRefused(segment))
          throw new NotArranged(
            `the store changed or created ${first.resource} ${first.id}, which did not exist, so no further id that does not exist is tried`,
            `let ${first.exchange.operation} answer 404 for an id that does not exist`,
          )
        const found = hit(segment)
        if (found === undefined) return
        throw new NotArranged(
          listed.last
            ? `${method} ${segment} could change ${resource} ${found}, which was not named or arranged`
            : `the list of ${resource}s could not be read, so no ${resource} id is known to be unused`,
          !listed.last
            ? `fix GET ${resource === 'order' ? '/store/orders' : '/inventory'} first`
            : resource === 'order'
              ? 'name it with --pending-orders'
              : 'name it with --pets',
        )
      },
      /** Ids that were named for this run. They are granted when a scenario takes them. */
      name: (all: readonly string[]): void => all.forEach(id => void named.add(canonical(id))),
      /** Whether the id is named or granted. */
      isOwn,
      /** Remembers what a list showed. Ids stay known even if later lists do not have them. */
      note(response: RecordedResponse | undefined): void {
        const list = listIn(response)
        if (!list) return
        listed.note(list)
        if (resource === 'order') for (const order of granted) if (!units.has(order)) noteUnits(order, list)
        for (const [id, exchange] of tried) if (listed.has(id) && !granted.has(id)) create(id, exchange)
      },
      /** Remembers a request for something that does not exist. If the store accepts it, or lists the id later, it belongs to the run. */
      noteTried(segment: string, exchange: Exchange): void {
        for (const id of [canonical(segment), ...possibleIds(segment)]) requested.add(id)
        if (resource === 'order') noteCancellation(segment, isOwn(segment), exchange)
        if (isOwn(segment)) return
        tried.set(canonical(segment), exchange)
        // A change of what was granted, by another spelling or by mistake, is the subject of rules of its own.
        if (isSuccess(exchange) && !possibleIds(segment).some(id => granted.has(id)))
          create(segment, exchange)
      },
      /** To be called before the provider arranges this id: a list may show it before the provider answers. */
      request: (id: string): void => void tried.delete(canonical(id)),
      /** Whether the segment can be read as nothing that belongs to somebody else. */
      allows,
      /** Whether it can be read as something that was granted. With the key, the request may then change it. */
      mayChange: (segment: string): boolean =>
        NAMES_ALL.test(decoded(segment)) ||
        [canonical(segment), ...possibleIds(segment)].some(id => granted.has(id)),
      /** Whether nothing has this id, and `allows` it. */
      isUnused: (id: string): boolean =>
        allows(id) && !granted.has(canonical(id)) && !listed.isTaken(canonical(id)),
      /** Whether the id is close neither to a listed id nor to ids that the store may soon assign. */
      isFar: listed.isFar,
      /** Whether the id is far and can be read as nothing that exists. False until a list has been read. */
      isFree(wanted: string | bigint): boolean {
        const id = String(wanted)
        const integer = toInteger(canonical(id))
        if (!listed.last || (integer !== undefined && !listed.isFar(integer))) return false
        // Orders that show no id may have any usual one. A pet may not have an unusual one, because the range of its ids is not shown.
        if (resource === 'order' && listed.hidesIds && (integer === undefined || !isUnusual(integer)))
          return false
        return !possibleIds(id).some(each => listed.isTaken(each) || granted.has(each))
      },
      /** Whether no request that changes something has named the id. */
      isUntouched: (id: string): boolean => !requested.has(canonical(id)),
      /** Whether a list shows the id. */
      isListed: (id: string): boolean => listed.has(canonical(id)),
      /** Whether this existed before the run, and was not named. A provider that hands it out did not arrange it. */
      isForeign: (id: string): boolean => before?.find(ID_NAMES[resource], id) !== undefined && !isOwn(id),
      /** What the list shows now existed before the run. */
      closeBefore(): void {
        before = listed.last
      },
    }
  }
  const known = { order: idsOf('order'), pet: idsOf('pet') }

  return {
    readOnly,
    ...known,
    /** @throws {NotArranged} unless the request can only hit what was granted, or nothing */
    allow(method: string, resource: Resource | 'none', segment: string): void {
      if (method === 'GET') return
      if (readOnly)
        throw new NotArranged('the run is read-only: it sends only GET requests', 'run without --read-only')
      if (resource !== 'none') known[resource].expectAllowed(method, segment)
    },
    /** What the run changed or created although it did not exist. After the first with a valid id, no unknown id is allowed. */
    created: created as readonly Created[],
    /** The first one with a valid id. */
    firstCreated,
    /** How many orders were granted or cancelled so far. Each may have changed the stock (§3 leaves it open). */
    get orderChanges() {
      return orderChanges
    },
    /** The orders of the run that the store has cancelled. */
    cancelled: cancelled as readonly string[],
    /** What these cancellations may return to the stock, at once or later (§3 leaves it open). */
    get returns(): readonly Units[] {
      return [...cancelledAt].map(([order, at]) => ({ order, cancelledAt: at, ...units.get(order) }))
    },
  }
}

/** What a store does with a path that is no id is the subject of rules of its own. */
const isValid = ({ resource, id }: Created): boolean => (resource === 'order' ? isOrderId(id) : isPetId(id))

const ID_NAMES: Readonly<Record<Resource, string>> = { order: 'id', pet: 'petId' }

/** New ids are likely to appear this close to the known ones. */
const NEAR = 1_000n

/** And this far above the largest one, in a store that takes hundreds of orders a second. */
const AHEAD = 1_000_000n

/** The ids that the lists of one resource showed so far. */
function listedIds(idName: string) {
  const integers = integerSet()
  /** Those that are no integers of 64 bits. A store might read them as ids, even literals such as null. */
  const others = new Set<string>()
  const noted = new WeakSet<Part>()
  const listed = {
    last: undefined as JsonList | undefined,
    /** Whether an entry showed no id. */
    hidesIds: false,
    note(list: JsonList): void {
      listed.last = list
      for (const { part } of list.parts) {
        // Most parts of a list are equal to those of an earlier list.
        if (noted.has(part)) continue
        noted.add(part)
        const ids = part.ids(idName)
        if (ids.without > 0) listed.hidesIds = true
        const found: bigint[] = []
        for (const id of [...ids.numbers.keys(), ...ids.texts.keys()]) {
          const integer = toInteger(id)
          if (integer === undefined || !isInt64(integer)) others.add(id)
          // One beyond 64 bits is close to the ends.
          if (integer !== undefined) found.push(inInt64(integer))
          if (LITERALS.has(id)) listed.hidesIds = true
        }
        integers.add(BigInt64Array.from(found))
      }
    },
    has(id: string): boolean {
      const integer = toInteger(id)
      return others.has(id) || (integer !== undefined && integers.hasWithin(integer, integer))
    },
    /** Whether the id belongs to somebody, or might. */
    isTaken: (id: string): boolean => !listed.last || listed.has(id) || (listed.hidesIds && isHandedOut(id)),
    /** Stores count ids upwards, so zero and negative ids stay unused while all listed ids are positive. */
    isFar: (id: bigint): boolean => {
      if (!integers.hasWithin(id, INT64_MAX) && integers.hasWithin(id - AHEAD, id)) return false
      const high = id <= 0n && id + NEAR > 0n ? 0n : id + NEAR
      return !integers.hasWithin(id - NEAR, high)
    },
  }
  return listed
}

/** Integers of 64 bits, eight bytes each: a store may list millions. They are sorted for the first question after new ones. */
function integerSet() {
  let sorted = new BigInt64Array(0)
  const added: BigInt64Array[] = []

  const sort = (): void => {
    const all = new BigInt64Array(added.reduce((sum, { length }) => sum + length, sorted.length))
    let at = 0
    for (const each of [sorted, ...added.splice(0)]) {
      all.set(each, at)
      at += each.length
    }
    sorted = all.sort()
  }

  return {
    add: (integers: BigInt64Array): void => void added.push(integers),
    hasWithin(low: bigint, high: bigint): boolean {
      if (added.length > 0) sort()
      let from = 0
      let to = sorted.length
      while (from < to) {
        const middle = (from + to) >>> 1
        if ((sorted[middle] as bigint) < low) from = middle + 1
        else to = middle
      }
      const found = sorted[from]
      return found !== undefined && found <= high
    },
  }
}

const inInt64 = (id: bigint): bigint => (id < INT64_MIN ? INT64_MIN : id > INT64_MAX ? INT64_MAX : id)

/** An element with one of these as its id shows no id, but a store might read the word as an id. */
const LITERALS: ReadonlySet<string> = new Set(['null', 'true', 'false'])

/** A segment that could stand for the collection, for its parent, or for every entry. */
const NAMES_ALL = /^[\s./\\*%]*$/

/** The ids that stores usually use. If a list has entries without an id, each of these may be theirs. */
const isHandedOut = (id: string): boolean =>
  /^[0-9]{1,10}$/.test(id) && BigInt(id) > 0n && BigInt(id) <= 1_000_000_000n

/** Far from 0, from the ends of int64, and from every limit near which ids usually are. */
function isUnusual(id: bigint): boolean {
  const magnitude = id < 0n ? -id : id
  return magnitude > 2n ** 53n + NEAR && magnitude < 2n ** 63n - NEAR
}
