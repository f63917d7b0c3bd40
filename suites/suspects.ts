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

/** A cell that an effect may belong to. */
interface Candidate {
  readonly cell: Cell
  /** The cell, and the kind of its request and of the effect. */
  readonly key: string
  readonly exchange: Exchange
  /** Whether the exchange belongs to the cell itself, or to a more special one: a row of a table, or a context. */
  readonly isDirect: boolean
  /** The more general ones, the most general one first. */
  readonly generals: readonly Pick<Candidate, 'key' | 'cell'>[]
  /** How likely such a request has the effect, if nothing else is known. */
  readonly weight: number
}

interface Open {
  readonly violation: Violation
  readonly candidates: readonly Candidate[]
}

/**
 * Attributes what lists and later answers show of orders and pets to the requests before. Where there was one request, it is the cause.
 * Among several, the one is chosen whose kind is there when something is wrong, and seldom when nothing is (spectrum-based fault
 * localization). What a request does in plain circumstances explains the same in others.
 */
export function attributeEffects(checks: readonly Check[], cellsFor: FindCells, ledger: Ledger): void {
  const violations = checks.filter(isViolation)
  const acted = actedWrongly(violations, cellsFor)
  const suspected = new Set<Exchange>()
  let open: Open[] = []
  for (const violation of violations.filter(({ aspect }) => aspect === 'effect')) {
    const { suspects = [] } = violation.problem
    for (const each of suspects) suspected.add(each)
    const candidates = candidatesOf(violation, cellsFor)
    const [first] = candidates
    if (!first) continue
    const cause = suspects.map(each => acted(each, violation)).find(each => each !== undefined)
    if (cause) ledger.explain(first.cell, cause, violation)
    else open.push({ violation, candidates })
  }
  const harmless = countsOf(checks, suspected, cellsFor)
  // A plain cell whose answers are wrong explains what its requests do as well.
  const found = new Map([...ledger.own.keys()].filter(isPlain).map(cell => [keyOf(cell), cell]))
  /** The cause of the last effect of each kind. */
  const causes = new Map<string, Cell>()
  const knownOf = (candidate: Candidate): Cell | undefined =>
    [...candidate.generals, candidate].flatMap(
      ({ key, cell }) => found.get(key) ?? found.get(keyOf(cell)) ?? [],
    )[0]
  /** The plain cause of each value that lists show wrongly, also where nothing that names the pet explains it. */
  const values = new Map<string, Cell>()
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
    for (const { cell, key, weight, isDirect } of candidates)
      if (isDirect && (weight === OWN || !harmless.has(key))) ledger.explain(cell, cause)
  }
  const settleAll = (all: readonly Open[], isLast = false) => {
    for (const each of all.filter(isCertain)) settle(each, each.candidates[0] as Candidate)
    let left = all.filter(each => !isCertain(each))
    while (left.length > 0) {
      const known = left.flatMap(each => {
        const best = each.candidates.find(one => one.isDirect && knownOf(one))
        return best ? [{ each, best }] : []
      })
      const best = known.length > 0 ? undefined : mostSuspicious(left, open, harmless)
      if (best && best.measure < OWN && best.equals > 1 && !isLast) return left
      const next = best
        ? left.flatMap(each => {
            const own = each.candidates.find(
              one =>
                one.isDirect && (one.key === best.key || one.generals.some(({ key }) => key === best.key)),
            )
            return own ? [{ each, best: own }] : []
          })
        : known
      if (next.length === 0) break
      for (const one of next) settle(one.each, one.best)
      left = left.filter(each => !next.some(one => one.each === each))
    }
    return []
  }
  const vague: Open[] = []
  for (const context of contexts) {
    const isHere = ({ candidates }: Open) =>
      candidates.some(each => each.isDirect && each.exchange.context === context)
    vague.push(...settleAll(open.filter(isHere)))
    open = open.filter(each => !isHere(each))
  }
  // Other circumstances, with fewer requests between two lists, may show the cause better.
  for (const each of vague.toSorted((one, other) => suspectsOf(one) - suspectsOf(other))) {
    const cause = causes.get(each.violation.about)
    const [first] = each.candidates
    open = [each]
    if (cause && first) ledger.explain(first.cell, cause, each.violation)
    else settleAll(open, true)
  }
}

const suspectsOf = ({ violation: { problem } }: Open): number => problem.suspects?.length ?? 0
const isCertain = (each: Open): boolean => suspectsOf(each) < 2

/** The cell of a request whose own answer violates a rule: what it did is not known, and that violation explains what follows. */
function actedWrongly(violations: readonly Violation[], cellsFor: FindCells) {
  const wrong = new Map(
    violations
      .filter(({ aspect, about }) => aspect === 'status' || (aspect === 'fields' && about === 'quantity'))
      .map(each => [each.exchange, each] as const),
  )
  return (suspect: Exchange, { object }: Violation): Cell | undefined => {
    const answer = wrong.get(suspect)
    const { ask, response } = suspect
    const mayAct = isOwnOf(suspect, object) || !['pending order', 'pet'].includes(ask.named)
    const isSuccess = (response?.status ?? 0) < 300 || (response?.status ?? 0) >= 500
    return answer && mayAct && isSuccess ? cellsFor(answer)[0] : undefined
  }
}

const isOwnOf = ({ ask }: Exchange, object: string | undefined): boolean =>
  object !== undefined &&
  [ask.id, ask.of].some(each => each !== undefined && canonical(each) === canonical(object))

/** Whether a refused update would have set another quantity than the one that is shown. */
const isOtherQuantity = ({ ask, response }: Exchange, got: string): boolean =>
  ask.body?.quantity !== undefined && (response?.status ?? 0) >= 400 && ask.body.quantity !== got

const OWN = 1
const SAME_RESOURCE = 0.25
const OTHER_RESOURCE = 0.125
/** The list may be wrong, if others were. */
const LIST = 0

/** Whether it was accepted without a valid key: 1 or 0, to sort by. */
const isAcceptedWithoutKey = (exchange: Exchange): number =>
  Number(isRefused(exchange.ask) && isSuccess(exchange))

/** The cells that an effect may belong to, most likely first. */
function candidatesOf(violation: Violation, cellsFor: FindCells): readonly Candidate[] {
  const { exchange, about, object, problem } = violation
  const resource = isOfStock(about) ? 'pet' : 'order'
  const found = new Map<string, Candidate>()
  const add = (suspect: Exchange, effect: string, weight: number) => {
    for (const each of chainOf(suspect, effect, cellsFor)) {
      const known = found.get(each.key)
      if (!known || (each.isDirect && !known.isDirect))
        found.set(each.key, { ...each, exchange: suspect, weight: Math.max(weight, known?.weight ?? 0) })
    }
  }
  // Of those that must be refused, one that was accepted comes first.
  const suspects = [...(problem.suspects ?? [])].sort(
    (one, other) => isAcceptedWithoutKey(other) - isAcceptedWithoutKey(one),
  )
  for (const each of suspects) {
    const isSame = operations[each.ask.operation].resource === resource
    const isLikely = isOwnOf(each, object) && !isOtherQuantity(each, problem.got)
    const weight = isLikely ? OWN : isSame ? SAME_RESOURCE : OTHER_RESOURCE
    add(each, effectOf(each, violation), weight)
  }
  add(exchange, about, found.size === 0 ? OWN : LIST)
  // Who cancels an order twice also does so in a race.
  const twice = about === 'once' ? chainOf(exchange, 'itself', cellsFor) : []
  return [...found.values()]
    .map(each => ({ ...each, generals: [...twice, ...each.generals] }))
    .sort((one, other) => other.weight - one.weight)
}

/** The cell of a request, then the more general ones: without its row, and in each context before its own. */
function chainOf(
  exchange: Exchange,
  about: string,
  cellsFor: FindCells,
): readonly Omit<Candidate, 'exchange' | 'weight'>[] {
  const ask = { ...exchange.ask, row: undefined }
  const earlier = contexts.slice(0, contexts.indexOf(exchange.context) + 1).reverse()
  const general = earlier.map(context => ({ ...exchange, context, ask }))
  const { named, refused, body } = ask
  const chain = [exchange, ...general].flatMap((each, at) => {
    const [cell] = cellsFor({ exchange: each, aspect: 'effect', about })
    const key = cell && [keyOf(cell), about, named, refused, body?.kind].join()
    return cell && key ? [{ cell, key, isDirect: at === 0 }] : []
  })
  return chain.map((each, at) => ({
    ...each,
    generals: chain.slice(at + 1).reverse(),
  }))
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

/** How many requests of each cell, or of more special ones, no violation follows. */
function countsOf(
  checks: readonly Check[],
  suspected: ReadonlySet<Exchange>,
  cellsFor: FindCells,
): ReadonlyMap<string, number> {
  const requests = new Map<string, Set<Exchange>>()
  for (const { exchange, aspect, about, problem } of checks) {
    if (aspect !== 'effect' || problem || suspected.has(exchange)) continue
    for (const { key } of chainOf(exchange, about, cellsFor))
      requests.set(key, (requests.get(key) ?? new Set()).add(exchange))
  }
  return new Map([...requests].map(([key, { size }]) => [key, size]))
}

/** A more special cell is chosen only if it is more often wrong than a more general one by this factor. */
const SPECIAL = 3
/** Candidates that are nearly as suspicious as the first are equal to it. */
const NEARLY = 0.5

/** Of equally suspicious ones, the one that comes first, in the order of the contexts and of the log, and how many those are. */
function mostSuspicious(
  left: readonly Open[],
  open: readonly Open[],
  harmless: ReadonlyMap<string, number>,
): (Candidate & { readonly equals: number; readonly measure: number }) | undefined {
  const guilty = new Map<string, number>()
  for (const { key, weight } of open.flatMap(({ candidates }) => candidates))
    guilty.set(key, (guilty.get(key) ?? 0) + weight)
  const first = new Map<string, Candidate>()
  for (const each of left.flatMap(({ candidates }) => candidates))
    if (each.isDirect && each.weight > LIST && !first.has(each.key)) first.set(each.key, each)
  const rated = [...first].map(([key, candidate]) => {
    const count = guilty.get(key) ?? 0
    const precision = count / (count + (harmless.get(key) ?? 0))
    return { candidate, precision, measure: count * precision }
  })
  const most = Math.max(...rated.map(({ measure }) => measure))
  const equals = rated.filter(({ measure }) => measure > most * NEARLY)
  const [best] = equals.toSorted(
    (one, other) =>
      isAcceptedWithoutKey(other.candidate.exchange) - isAcceptedWithoutKey(one.candidate.exchange) ||
      rankOf(one.candidate) - rankOf(other.candidate) ||
      one.candidate.exchange.at - other.candidate.exchange.at,
  )
  const general = best?.candidate.generals
    .flatMap(({ key }) => rated.find(each => each.candidate.key === key) ?? [])
    .find(({ precision }) => precision * SPECIAL > best.precision)
  const chosen = (general ?? best)?.candidate
  return chosen && { ...chosen, equals: equals.length, measure: most }
}

const rankOf = ({ exchange }: Candidate): number =>
  2 * contexts.indexOf(exchange.context) + Number(exchange.ask.row !== undefined)
