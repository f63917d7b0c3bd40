import { levels, sectionOf } from '../interface/description.ts'
import {
  type Block,
  code,
  commaSeparated,
  type Fact,
  type Filter,
  facts,
  type Item,
  link,
  list,
  mark,
  note,
  paragraph,
  section,
} from './document.ts'
import { allStandings, byOperation, groupBy, standingOf, standings, tally } from './reading.ts'
import type { Report, ReportedRule } from './report.ts'
import { capital, levelMeanings, operationsOf, whyImpliedGates } from './words.ts'

export const clauseAnchor = (id: string): string => `clause-${id}`
const ruleAnchor = (id: string): string => `rule-${id}`

/** By what a page filters the rules. */
export const filtersOf = (report: Report): readonly Filter[] => [
  [
    'outcome',
    tally(report.rules, report.gate).map(([each]) => [
      each,
      `${standings[each].mark} ${standings[each].words}`,
    ]),
  ],
  ['operation', byOperation(report).map(([each]) => [each, each])],
  ['level', levels.map(each => [each, each])],
]

/** For a reader who meets them for the first time. */
export const meanings = ({ profile, description }: Report): Block[] =>
  section(
    'What the levels mean',
    facts([
      ...levels.map((level): Fact => [capital(level), levelMeanings[level]]),
      ['Why implied rules gate', whyImpliedGates],
      [`Profile ${profile}`, description.profiles[profile]?.title],
    ]),
    { id: 'meanings', closed: true },
  )

/** The interface document clause by clause, with the rules that check each clause. */
export function allRules({ rules, description, gate }: Report): Block[] {
  const { clauses, sections, operations } = description
  const ids = [...new Set([...Object.keys(clauses), ...rules.map(({ clause }) => clause)])]
  const rows = [...groupBy(rules, ({ id }) => id).values()]
  const clauseSection = (id: string): Block[] => {
    const own = rows.filter(([{ clause }]) => clause === id)
    const elsewhere = rows.filter(each => each[0].clause !== id && each.some(({ clause }) => clause === id))
    const { says = id, unchecked } = clauses[id] ?? {}
    const linked = elsewhere.map(([{ id }]) => link(code(id), ruleAnchor(id)))
    return section(
      says,
      [
        ...list(own.map(each => ruleItem(each, gate))),
        ...(linked.length > 0 ? paragraph([note('Also checked by '), commaSeparated(linked)]) : []),
        ...paragraph(unchecked ? `No rule: ${unchecked}.` : ''),
      ],
      { id: clauseAnchor(id), note: id },
    )
  }
  return [...groupBy(ids, sectionOf)].flatMap(([number, own]) => {
    const operation = Object.values(operations).find(each => `§${each.section}` === number)
    const heading = operation
      ? `${number} ${operation.summary}, ${operation.method} ${operation.path}`
      : `${number} ${sections[number.slice(1)] ?? 'Other clauses'}`
    return section(heading, own.flatMap(clauseSection))
  })
}

/** One rule, with a mark for each operation if they differ. */
function ruleItem(rules: readonly [ReportedRule, ...ReportedRule[]], gate: Report['gate']): Item {
  const [{ id, title: says, operation, level, because }] = rules
  const cells = rules.map(each => [each.operation, standingOf(each, gate)] as const)
  const worst = allStandings.find(each => cells.some(([, standing]) => standing === each)) ?? 'passed'
  const isMissed = rules.some(({ outcome }) => outcome === 'failed')
  const isSame = cells.every(([, standing]) => standing === worst)
  const about = rules.length > 1 ? capital(says.replaceAll(operation, 'every operation')) : says
  const open = rules.filter(({ outcome }) => outcome !== 'passed')
  const why = [...groupBy(open, ({ message = '', need }) => (need ? `${message}; ${need}` : message))]
  return {
    id: ruleAnchor(id),
    text: [mark(worst), ' ', about],
    more: [
      [
        isMissed ? link(code(id), `${worst}-${id}`) : code(id),
        ` · ${level}${because ? `: ${because}` : ''} · `,
        commaSeparated(cells.map(([name, standing]) => (isSame ? name : [mark(standing), ' ', name]))),
      ],
      ...why.map(
        ([text, own]) =>
          `${capital(standings[standingOf(own[0], gate)].words)}${own.length < rules.length ? ` (${operationsOf(own)})` : ''}: ${text}`,
      ),
    ],
    filter: { level, cells },
  }
}
