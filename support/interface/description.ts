/** Of a request or a response. */
export type Header = readonly [name: string, value: string]

/** How much the document says for a rule. */
export type Level = 'required' | 'implied' | 'advisory'

/** From the strongest to the weakest. */
export const levels: readonly Level[] = ['required', 'implied', 'advisory']

/** Of a rule: the outcomes of EARL, the W3C's Evaluation and Report Language. */
export type Outcome = 'passed' | 'failed' | 'cantTell' | 'inapplicable' | 'untested'

/** One normative statement of the document, in our own words. */
export interface Clause {
  readonly says: string
  /** Why no rule checks it. Absent where rules or observations do. */
  readonly unchecked?: string
}

/** `4.2/409` belongs to `§4.2`. */
export const sectionOf = (clause: string): string => `§${clause.split('/')[0]}`
