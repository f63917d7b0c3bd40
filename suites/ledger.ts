import type { Violation } from './oracle/log.ts'
import type { Cell } from './rule.ts'

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
