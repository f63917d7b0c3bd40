import { describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults/index.ts'
import { folders } from '../../suites/index.ts'
import { cellKey } from '../interface/description.ts'
import type { Fault } from '../reference/index.ts'
import { expectedOf, type Mode, prove } from './prove.ts'

/** What a fault shows: the folders and the aspects of the rules that it must turn red, and the contexts. */
function featuresOf(fault: Fault, mode: Mode): readonly string[] {
  const cells = expectedOf(fault, mode)
  return Object.entries(folders).flatMap(([folder, rules]) =>
    rules
      .filter(({ id }) => cells.some(cell => cell.startsWith(`${id} `)))
      .flatMap(({ judges }) => judges)
      .flatMap(({ aspect, context = [] }) =>
        folder === 'contexts' ? [context].flat() : [folder, ...[aspect].flat()],
      ),
  )
}

/** The fewest faults that show all of this, each in the other mode than the one before. The command `selfcheck` judges all faults. */
function choose(): readonly (readonly [Mode, id: string, Fault])[] {
  const shown = new Set<string>()
  const chosen: [Mode, string, Fault][] = []
  for (;;) {
    const mode = chosen.length % 2 === 0 ? 'states' : 'named'
    const further = (fault: Fault) => new Set(featuresOf(fault, mode).filter(each => !shown.has(each)))
    const [best] = faults.toSorted((one, other) => further(other).size - further(one).size)
    if (!best || further(best).size === 0) return chosen
    chosen.push([mode, best.id, best])
    for (const each of further(best)) shown.add(each)
  }
}

describe('faults of each folder, aspect and context are detected', { timeout: 300_000 }, () => {
  it.each(choose())('%s: %s', async (mode, _id, fault) => {
    const { good, missing, foreign, report } = await prove([fault], { mode, seed: 1 })
    const said = report.rules
      .filter(rule => [...missing, ...foreign].includes(cellKey(rule)))
      .map(({ id, outcome, message }) => `${id} ${outcome}: ${message ?? ''}`)
    expect({ good, said }).toEqual({ good: true, said: [] })
  })
})
