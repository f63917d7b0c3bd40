import type { ReportedRule } from './report.ts'

export type Group = readonly [ReportedRule, ...ReportedRule[]]

/** The same rule for several operations, with the same message, is one finding. */
export function alike(rules: readonly ReportedRule[]): Group[] {
  const groups = new Map<string, [ReportedRule, ...ReportedRule[]]>()
  for (const rule of rules) {
    const suffix = `-${rule.operation.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
    const stem = rule.id.endsWith(suffix) ? rule.id.slice(0, -suffix.length) : rule.id
    const key = `${stem} ${rule.message}`
    const group = groups.get(key)
    if (group) group.push(rule)
    else groups.set(key, [rule])
  }
  return [...groups.values()]
}
