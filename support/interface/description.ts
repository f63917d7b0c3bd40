/** Of a request or a response. */
export type Header = readonly [name: string, value: string]

/** Marks bytes in a body that are not UTF-8: a lone surrogate, which no UTF-8 contains. */
export const NOT_UTF8 = '\udcff'

/** How much the document says for a rule. */
export type Level = 'required' | 'implied' | 'advisory'

/** From the strongest to the weakest. */
export const levels: readonly Level[] = ['required', 'implied', 'advisory']

/** Of a rule: the outcomes of EARL, the W3C's Evaluation and Report Language. */
export type Outcome = 'passed' | 'failed' | 'cantTell' | 'inapplicable' | 'untested'

/** `4.2/409` belongs to `§4.2`. */
export const sectionOf = (clause: string): string => `§${clause.split('/')[0]}`

/** What names a rule for one operation: in reports, profiles, selections and expected failures. */
export interface CellName {
  readonly id: string
  readonly operation: string
}

export const cellKey = ({ id, operation }: CellName): string => `${id} ${operation}`

/** Whether the id of a rule matches: `*` stands for any characters, `?` for one. */
export function matchesGlob(glob: string, id: string): boolean {
  const pattern = glob.replace(/\W/g, each => ({ '*': '.*', '?': '.' })[each] ?? `\\${each}`)
  return new RegExp(`^${pattern}$`).test(id)
}

/** A question that the document leaves open. The answer is recorded and never judged. */
export interface Question extends CellName {
  readonly clause: string
  readonly title: string
}

/** One cell: a rule, for one operation. Its title is a sentence that is true of a conformant store. */
export interface RuleFacts extends Question {
  readonly level: Level
  /** Why the rule has its level. Every rule that is not required has one. */
  readonly because?: string
  /** Which requests it judges, and what has to be true of their answers and effects, in words. */
  readonly judges?: readonly string[]
  /** The usual cause of a failure. */
  readonly usually?: string
}

/** The rules and observations of one folder of `suites/`. */
export interface Suite {
  readonly name: string
  readonly rules: readonly RuleFacts[]
  readonly observations: readonly Question[]
}
