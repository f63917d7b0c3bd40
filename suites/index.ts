import type { Suite } from '../support/interface/description.ts'
import { judgedBy } from './explain.ts'
import { observations } from './observations.ts'
import { clauseOf, type Rule } from './rule.ts'
import { folders } from './rules.ts'

/** Each rule for each operation that it holds for, as reports and selections name it. */
const cellsOf = (rules: readonly Rule[]): Suite['rules'] =>
  rules.flatMap(
    ({ operations, judges: _judges, needsProvider: _needs, clause: _clause, title, ...facts }, at) =>
      operations.map(operation => ({
        ...facts,
        operation,
        clause: clauseOf(rules[at] as Rule, operation),
        title: title.replaceAll('{}', operation),
        judges: judgedBy(rules[at] as Rule, operation),
      })),
  )

/** The folders of rules. Observations belong to the folder of their operation. */
export const suites: readonly Suite[] = Object.entries(folders).map(([name, rules]) => ({
  name,
  rules: cellsOf(rules),
  observations: observations.filter(
    ({ operation }) => operation.replace(/[A-Z]/, each => `-${each.toLowerCase()}`) === name,
  ),
}))
