import { describe, expect, it } from 'vitest'
import { faults } from '../../suites/faults/index.ts'
import { cellKey } from '../interface/description.ts'
import { prove } from './prove.ts'

/** Every eighth fault, with named orders and pets if they are enough. A step of CI judges all faults so. */
const chosen = faults
  .filter((_, at) => at % 8 === 0)
  .map(fault => [fault.outOfReachWhenNamed ? 'states' : 'named', fault.id, fault] as const)

describe('faults are detected', { timeout: 300_000 }, () => {
  it.each(chosen)('%s: %s', async (mode, _id, fault) => {
    const { good, missing, foreign, report } = await prove([fault], { mode, seed: 1 })
    const said = report.rules
      .filter(rule => [...missing, ...foreign].includes(cellKey(rule)))
      .map(({ id, outcome, message }) => `${id} ${outcome}: ${message ?? ''}`)
    expect({ good, said }).toEqual({ good: true, said: [] })
  })
})
