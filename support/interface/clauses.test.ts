import { describe, expect, it } from 'vitest'
import { suites } from '../../suites/index.ts'
import { type ClauseId, clauses } from './clauses.ts'
import { type Clause, sectionOf } from './description.ts'

const ledger = Object.entries(clauses) as [ClauseId, Clause][]
const judged = [
  ...suites.flatMap(({ rules }) => rules),
  ...suites.flatMap(({ observations }) => observations),
]
const checkedBy = (id: ClauseId) => judged.filter(({ clause }) => clause === id).map(each => each.id)

describe('the ledger', () => {
  it.each(ledger)('%s has rules or observations, or a reason why it has none', (id, { unchecked }) => {
    if (unchecked === undefined) expect(checkedBy(id)).not.toEqual([])
    else expect([unchecked.length > 10, checkedBy(id)]).toEqual([true, []])
  })

  it('contains the clause of every rule and observation', () => {
    expect(judged.filter(({ clause }) => !(clause in clauses)).map(({ id }) => id)).toEqual([])
  })

  it('has a whole sentence for each clause, and no sentence twice', () => {
    const sentences = ledger.map(([, { says }]) => says)
    expect(sentences.filter(says => !/^\S.*\.$/.test(says))).toEqual([])
    expect(new Set(sentences).size).toBe(sentences.length)
  })

  it('covers every section that states something', () => {
    expect(new Set(ledger.map(([id]) => sectionOf(id).split('.')[0]))).toEqual(
      new Set(['§1', '§2', '§3', '§4', '§5', '§6', '§7', '§8', '§9']),
    )
  })
})

describe('the rules', () => {
  it('have unique ids, and name existing rules in `after`', () => {
    const rules = suites.flatMap(suite => suite.rules)
    const ids = new Set(rules.map(({ id }) => id))
    expect(ids.size).toBe(rules.length)
    const dangling = rules.flatMap(({ after = [] }) => [after].flat()).filter(id => !ids.has(id))
    expect(dangling).toEqual([])
  })

  it('have a reason for each level below required', () => {
    const silent = suites
      .flatMap(({ rules }) => rules)
      .filter(rule => rule.level !== 'required' && rule.because.trim().length < 10)
    expect(silent.map(({ id }) => id)).toEqual([])
  })
})
