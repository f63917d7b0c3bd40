import { expect, it } from 'vitest'
import { suites } from '../../suites/index.ts'
import { type ClauseId, clauses } from './clauses.ts'
import { type Clause, sectionOf } from './description.ts'

const ledger = Object.entries(clauses) as [ClauseId, Clause][]
const judged = suites.flatMap(({ rules, observations }) => [...rules, ...observations])

it.each(ledger)('the clause %s has rules or observations, or a reason why it has none', (id, clause) => {
  const checking = judged.filter(each => each.clause === id)
  expect(checking.length > 0).toBe(clause.unchecked === undefined)
})

it('the ledger has a whole sentence for each clause, no sentence twice, and every section that states something', () => {
  const sentences = ledger.map(([, { says }]) => says)
  expect(sentences.filter(says => !/^\S.*\.$/.test(says))).toEqual([])
  expect(new Set(sentences).size).toBe(sentences.length)
  expect(new Set(ledger.map(([id]) => sectionOf(id).slice(1, 2)))).toEqual(new Set('123456789'))
})
