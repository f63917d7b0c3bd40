/** How an interface under test is described. The engine knows these types; the other files of this folder fill them in. */

/** Of a request or a response. */
export type Header = readonly [name: string, value: string]

/** How much the document says for a rule. */
export type Level = 'required' | 'implied' | 'advisory'

/** From the strongest to the weakest. */
export const levels: readonly Level[] = ['required', 'implied', 'advisory']

/** One normative statement of the document, in our own words. */
export interface Clause {
  readonly says: string
  /** Why no rule checks it. Absent where rules or observations do. */
  readonly unchecked?: string
}

/** A field of a resource, as a JSON Schema fragment. */
export interface FieldSchema {
  readonly type: 'integer' | 'number' | 'string' | 'boolean'
  readonly format?: 'int64' | 'date-time'
  readonly description: string
}

export interface OperationDescription {
  readonly id: string
  /** The operation as it stands in rule ids: `list-orders`. */
  readonly slug: string
  readonly method: string
  /** Path below the base URL. A name in braces stands for one segment. */
  readonly path: string
  /** The section of the document that describes it: `4.1`. */
  readonly section: string
  readonly summary: string
  /** The document marks it as experimental. */
  readonly experimental?: boolean
}

/** A published set of rules. Its file never changes, so every later version of the suite gates on the same rules. */
export interface Profile {
  readonly name: string
  readonly title: string
  /** Version of the interface document. */
  readonly interfaceVersion: string
  /** Number of the rule set. Each publication increases it by one, whatever the interface and suite versions are. */
  readonly revision: number
  /** Operations that are left out: a run under this profile does not send them. */
  readonly without: readonly string[]
  /** The rules by id and operation (`auth-no-header cancelOrder`), with the level that each had when the profile was published. */
  readonly rules: Readonly<Record<string, Level>>
}

/** A correction of a published rule: the suite was wrong. It applies to every profile and every store. */
export type Erratum = {
  readonly rule: string
  /** Day of the correction (UTC): `2026-12-31`. */
  readonly date: string
  readonly reason: string
} & (
  | { readonly change: 'withdrawn' }
  /** The expectation was corrected; the rule keeps its id and level. */
  | { readonly change: 'corrected' }
  | { readonly change: 'demoted'; readonly level: Exclude<Level, 'required'> }
)

export interface InterfaceDescription {
  readonly name: string
  readonly version: string
  readonly operations: Readonly<Record<string, OperationDescription>>
  readonly clauses: Readonly<Record<string, Clause>>
  /** Titles of the document's sections by number. Sections of operations have the operation's summary. */
  readonly sections: Readonly<Record<string, string>>
  readonly profiles: Readonly<Record<string, Profile>>
  readonly errata: readonly Erratum[]
}

/** `4.2/409` belongs to `§4.2`. */
export const sectionOf = (clause: string): string => `§${clause.split('/')[0]}`
