import { canonical } from '../support/interface/numbers.ts'
import { operations } from '../support/interface/operations.ts'
import { type Check, contexts, type Exchange, isViolation, type Violation } from './oracle/log.ts'
import { isSuccess } from './oracle/timeline.ts'
import { type Cell, type FindCells, isRefused, keyOf } from './rule.ts'

/** The violations of each cell that no other one explains, and how many are explained by which cell. */
export class Ledger {
  readonly own = new Map<Cell, Violation[]>()
  readonly explained = new Map<Cell, Map<Cell, number>>()
  /** The cell whose failure each violation is. */
  readonly causes = new Map<Violation, Cell>()

  /** @param exchange the request that has the effect, where it is not the one that shows it */
  blame(cell: Cell, violation: Violation, exchange = violation.exchange): void {
    this.causes.set(violation, cell)
    this.own.set(cell, [...(this.own.get(cell) ?? []), { ...violation, exchange }])
  }

  explain(cell: Cell, by: Cell, violation?: Violation): void {
    if (violation) this.causes.set(violation, by)
    if (cell === by) return
    const all = this.explained.get(cell) ?? new Map<Cell, number>()
    this.explained.set(cell, all.set(by, (all.get(by) ?? 0) + 1))
  }
}

/** A cell, and the kind of its request and of the effect. */
interface Kind {
  readonly key: string
  readonly cell: Cell
}

/** A request that may have had an effect. */
interface Candidate extends Kind {
  readonly exchange: Exchange
  /** Its kind, and the more general ones: without its row, and in each context before its own. */
  readonly kinds: readonly Kind[]
  /** How likely such a request has the effect, if nothing else is known. */
  readonly weight: number
}

interface Open {
  readonly violation: Violation
  /** Most likely first. */
  readonly candidates: readonly Candidate[]
}

/**
 * Attributes what lists and later answers show of orders and pets to the requests before. Where there was one request, it is the cause.
 * Among several, the one is chosen whose kind is there when something is wrong, and seldom when nothing is (spectrum-based fault
 * localization). What a request does in plain circumstances explains the same in others.
 */
export function attributeEffects(checks: readonly Check[], cellsFor: FindCells, ledger: Ledger): void {
  const effects = checks.filter(isViolation).filter(({ aspect }) => aspect === 'effect')
  const suspected = new Set(effects.flatMap(({ problem }) => problem.suspects ?? []))
  const harmless = countsOf(checks, suspected, cellsFor)
  // A plain cell whose answers are wrong explains what its requests do as well.
  const found = new Map([...ledger.own.keys()].filter(isPlain).map(cell => [keyOf(cell), cell]))
  /** The cause of the last effect of each kind. */
  const causes = new Map<string, Cell>()
  /** The plain cause of each stock that lists show wrongly, also where nothing that names the pet explains it. */
  const values = new Map<string, Cell>()
  const knownOf = ({ kinds }: Candidate): Cell | undefined =>
    kinds.toReversed().flatMap(({ key, cell }) => found.get(key) ?? found.get(keyOf(cell)) ?? [])[0]
  const settle = ({ violation, candidates }: Open, best: Candidate) => {
    const value = `${violation.about} ${violation.problem.got}`
    const cause =
      knownOf(best) ??
      (isPlain(best.cell) && best.weight === OWN ? undefined : values.get(value)) ??
      best.cell
    if (isPlain(cause) && violation.about === 'stock') values.set(value, cause)
    if (cause === best.cell) ledger.blame(cause, violation, best.exchange)
    else ledger.explain(best.cell, cause, violation)
    found.set(best.key, cause)
    if (isPlain(cause)) found.set(keyOf(cause), cause)
    causes.set(violation.about, cause)
    // Another request that names the object may be a second cause, and one of a kind that was never harmless as well.
    for (const { cell, key, weight } of candidates)
      if (weight === OWN || !harmless.has(key)) ledger.explain(cell, cause)
  }
  /** @returns those among whose candidates nothing speaks for one */
  const settleAll = (all: readonly Open[], isLast: boolean): readonly Open[] => {
    for (const each of all) if (isCertain(each)) settle(each, each.candidates[0] as Candidate)
    let left = all.filter(each => !isCertain(each))
    while (left.length > 0) {
      const isKnown = left.some(({ candidates }) => candidates.some(knownOf))
      const best = isKnown ? undefined : mostSuspicious(left, open, harmless)
      if (best?.isVague && !isLast) return left
      const isCause = (each: Candidate) =>
        best ? each.kinds.some(({ key }) => key === best.key) : knownOf(each) !== undefined
      const next = left.flatMap(each => {
        const cause = each.candidates.find(isCause)
        return cause ? [{ each, cause }] : []
      })
      if (next.length === 0) return []
      for (const { each, cause } of next) settle(each, cause)
      left = left.filter(each => !next.some(one => one.each === each))
    }
    return []
  }
  let open = effects.map(violation => ({ violation, candidates: candidatesOf(violation, cellsFor) }))
  const vague: Open[] = []
  for (const context of contexts) {
    const isHere = ({ candidates }: Open) => candidates.some(({ exchange }) => exchange.context === context)
    vague.push(...settleAll(open.filter(isHere), false))
    open = open.filter(each => !isHere(each))
  }
  // Other circumstances, with fewer requests between two lists, may have shown the cause better.
  for (const each of vague) {
    const cause = causes.get(each.violation.about)
    const [first] = each.candidates
    open = [each]
    if (cause && first) ledger.explain(first.cell, cause, each.violation)
    else settleAll(open, true)
  }
}

const isCertain = ({ violation: { problem } }: Open): boolean => (problem.suspects?.length ?? 0) < 2

const isOwnOf = ({ ask }: Exchange, object: string | undefined): boolean =>
  object !== undefined &&
  [ask.id, ask.of].some(each => each !== undefined && canonical(each) === canonical(object))

/** Of the requests that must be refused, one that was accepted is the likelier cause. */
const acceptedWithoutKeyFirst = (one: Exchange, other: Exchange): number => {
  const [first, second] = [one, other].map(each => Number(isRefused(each.ask) && isSuccess(each)))
  return (second ?? 0) - (first ?? 0)
}

/** An update that was refused and sent another quantity than the one that is shown is no likelier cause than any other. */
const isOtherQuantity = ({ ask: { body }, response }: Exchange, got: string): boolean =>
  body?.quantity !== undefined && (response?.status ?? 0) >= 400 && body.quantity !== got

const OWN = 1
const SAME_RESOURCE = 0.25
const OTHER_RESOURCE = 0.125
/** The list may be wrong, if others were. */
const LIST = 0

/** The requests that may have had an effect, one of each kind, and the one that shows it. */
function candidatesOf(violation: Violation, cellsFor: FindCells): readonly Candidate[] {
  const { exchange, about, object, problem } = violation
  const suspects = (problem.suspects ?? []).toSorted(acceptedWithoutKeyFirst)
  const resource = isOfStock(about) ? 'pet' : 'order'
  const weightOf = (each: Exchange): number =>
    isOwnOf(each, object) && !isOtherQuantity(each, problem.got)
      ? OWN
      : operations[each.ask.operation].resource === resource
        ? SAME_RESOURCE
        : OTHER_RESOURCE
  const found = new Map<string, Candidate>()
  const add = (each: Exchange, kinds: readonly Kind[], weight: number) => {
    const [own] = kinds
    if (own && !found.has(own.key)) found.set(own.key, { ...own, exchange: each, kinds, weight })
  }
  for (const each of suspects) add(each, kindsOf(each, effectOf(each, violation), cellsFor), weightOf(each))
  // Who cancels an order twice also does so in a race.
  const kinds = [about, ...(about === 'once' ? ['itself'] : [])].flatMap(each =>
    kindsOf(exchange, each, cellsFor),
  )
  add(exchange, kinds, found.size === 0 ? OWN : LIST)
  return [...found.values()].sort((one, other) => other.weight - one.weight)
}

function kindsOf(exchange: Exchange, about: string, cellsFor: FindCells): readonly Kind[] {
  const ask = { ...exchange.ask, row: undefined }
  const earlier = contexts.slice(0, contexts.indexOf(exchange.context) + 1).reverse()
  const { named, refused, body } = ask
  return [exchange, ...earlier.map(context => ({ ...exchange, context, ask }))].flatMap(each => {
    const [cell] = cellsFor({ exchange: each, aspect: 'effect', about })
    return cell ? [{ cell, key: [keyOf(cell), about, named, refused, body?.kind].join() }] : []
  })
}

const isPlain = ({ rule }: Cell): boolean =>
  rule.judges.some(({ context }) => context === undefined || [context].flat().includes('plain'))

const isOfStock = (about: string): boolean => about === 'stock' || about === 'pet listed'

/** What a request did, if it is the cause. */
function effectOf(suspect: Exchange, { about, object }: Violation): string {
  const { ask } = suspect
  if (isOfStock(about) !== (ask.operation === 'updateInventory')) return isOfStock(about) ? 'stock' : 'others'
  if (!isOwnOf(suspect, object)) return 'others'
  return canonical(ask.id) !== canonical(object ?? '') ||
    ask.refused ||
    ask.undescribed ||
    ask.body?.kind === 'invalid' ||
    ask.body?.kind === 'empty'
    ? 'nothing'
    : 'itself'
}

/** How many requests of each kind no violation follows. */
function countsOf(
  checks: readonly Check[],
  suspected: ReadonlySet<Exchange>,
  cellsFor: FindCells,
): ReadonlyMap<string, number> {
  const requests = new Map<string, Set<Exchange>>()
  for (const { exchange, aspect, about, problem } of checks) {
    if (aspect !== 'effect' || problem || suspected.has(exchange)) continue
    for (const { key } of kindsOf(exchange, about, cellsFor))
      requests.set(key, (requests.get(key) ?? new Set()).add(exchange))
  }
  return new Map([...requests].map(([key, { size }]) => [key, size]))
}

/** Candidates that are nearly as suspicious as the first are equal to it. */
const NEARLY = 0.5

/** Of equally suspicious ones, the one that comes first. `isVague`: there are others, and none of them is certain. */
function mostSuspicious(
  left: readonly Open[],
  open: readonly Open[],
  harmless: ReadonlyMap<string, number>,
): (Candidate & { readonly isVague: boolean }) | undefined {
  const guilty = new Map<string, number>()
  for (const { candidates } of open) {
    const weights = new Map<string, number>()
    for (const { kinds, weight } of candidates)
      for (const { key } of kinds) weights.set(key, Math.max(weight, weights.get(key) ?? 0))
    for (const [key, weight] of weights) guilty.set(key, (guilty.get(key) ?? 0) + weight)
  }
  const rated = left
    .flatMap(({ candidates }) => candidates.filter(({ weight }) => weight > LIST))
    .map(candidate => {
      const count = guilty.get(candidate.key) ?? 0
      return { candidate, measure: count ** 2 / (count + (harmless.get(candidate.key) ?? 0)) }
    })
  const most = Math.max(...rated.map(({ measure }) => measure))
  const equals = rated.filter(({ measure }) => measure > most * NEARLY).map(({ candidate }) => candidate)
  const [best] = equals.sort(
    ({ exchange: one }, { exchange: other }) => acceptedWithoutKeyFirst(one, other) || one.at - other.at,
  )
  return best && { ...best, isVague: most < OWN && new Set(equals.map(({ key }) => key)).size > 1 }
}
