import type { Erratum, InterfaceDescription } from '../interface/description.ts'
import type { RuleFacts as Rule, Suite } from './rule.ts'

/** The interface under test: its description, and the suites that check it. The engine's only knowledge of it. */
export interface InterfaceUnderTest extends InterfaceDescription {
  readonly suites: readonly Suite[]
}

/** Every rule of the suites in order, corrected by the errata: withdrawn rules are gone, demoted rules have their new level. */
export const allRules = ({
  suites,
  errata,
}: Pick<InterfaceUnderTest, 'suites' | 'errata'>): readonly Rule[] =>
  suites.flatMap(({ rules }) => rules).flatMap(rule => corrected(rule, errata))

function corrected(rule: Rule, errata: readonly Erratum[]): Rule[] {
  const own = errata.filter(each => each.rule === rule.id)
  if (own.some(({ change }) => change === 'withdrawn')) return []
  const demotion = own.findLast(each => each.change === 'demoted')
  return [demotion ? { ...rule, level: demotion.level, because: demotion.reason } : rule]
}
