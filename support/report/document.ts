import { type Exchange, header, type RecordedResponse } from '../wire/exchange.ts'
import type { Fragment } from './html/markup.ts'
import type { Standing } from './reading.ts'

/**
 * What a report, comparison or certificate says, described once for terminals, Markdown and HTML. A string may be
 * text of a store, so every renderer escapes it.
 */
export type Text = string | Span | readonly Text[]

export type Span =
  | { readonly as: 'code' | 'strong' | 'note' | 'command'; readonly text: string }
  | { readonly as: 'mark'; readonly standing: Standing }
  /** To a place on the same page. Terminals and Markdown show only the text. */
  | { readonly as: 'link'; readonly text: Text; readonly to: string }

export type Fact = readonly [label: Text, text: Text]
export type MaybeFact = readonly [label: Text, text: Text | undefined | false]

export interface Item {
  readonly text: Text
  /** What belongs to it: names of rules, or why it is so. */
  readonly more?: readonly Text[]
  /** Where links to it lead. */
  readonly id?: string | undefined
  /** A page filters items that have these. */
  readonly filter?: { readonly level: string; readonly cells: readonly (readonly [string, Standing])[] }
}

export interface Section {
  readonly as: 'section'
  readonly title: Text
  readonly blocks: readonly Block[]
  readonly id?: string | undefined
  /** How many items it has, or another remark beside the title. */
  readonly note?: string | undefined
  /** The section is about one rule with this standing. Where it is closed, a terminal shows only its title. */
  readonly finding?: Standing | undefined
  /** Whether a page shows only the title until the reader opens it. */
  readonly closed?: boolean | undefined
  /** By what a page filters the items: names with their values, and the words for them. */
  readonly filters?: readonly Filter[] | undefined
}

export type Filter = readonly [name: string, options: readonly (readonly [value: string, words: string])[]]

export type Block =
  | { readonly as: 'title'; readonly text: Text; readonly standing?: Standing | undefined }
  | { readonly as: 'paragraph'; readonly text: Text; readonly isWarning?: boolean }
  | { readonly as: 'facts'; readonly facts: readonly Fact[] }
  | { readonly as: 'list'; readonly items: readonly Item[] }
  /** Only terminals show it. */
  | { readonly as: 'table'; readonly head: readonly Text[]; readonly rows: readonly (readonly Text[])[] }
  /** Only pages show it. A text beside it says the same. */
  | { readonly as: 'picture'; readonly picture: Fragment }
  | ShownExchange
  | Section

export interface ShownExchange {
  readonly as: 'exchange'
  readonly exchange: Exchange
  /** Whether it is the one that decides, of several. */
  readonly decides: boolean
  /** The id of the order or pet that it is about. Of a long body, the part around it is shown. */
  readonly about?: string | undefined
}

export const code = (text: string): Span => ({ as: 'code', text })
export const strong = (text: string): Span => ({ as: 'strong', text })
export const note = (text: string): Span => ({ as: 'note', text })
/** A command that the reader can copy. */
export const command = (text: string): Span => ({ as: 'command', text })
export const mark = (standing: Standing): Span => ({ as: 'mark', standing })
export const link = (text: Text, to: string): Span => ({ as: 'link', text, to })

/** Texts with commas between them. */
export const commaSeparated = (texts: readonly Text[]): Text =>
  texts.flatMap((text, at) => (at === 0 ? [text] : [', ', text]))

export const title = (text: Text, standing?: Standing): Block => ({ as: 'title', text, standing })

// The following make nothing of nothing, so that a document needs no conditions.

export const paragraph = (text: Text): Block[] => (text === '' ? [] : [{ as: 'paragraph', text }])

export const warnings = (texts: readonly string[]): Block[] =>
  texts.map(text => ({ as: 'paragraph', text, isWarning: true }))

/** Facts without a text are left out. */
export function facts(all: readonly MaybeFact[]): Block[] {
  const known = all.filter((fact): fact is Fact => fact[1] !== undefined && fact[1] !== false)
  return known.length === 0 ? [] : [{ as: 'facts', facts: known }]
}

export const list = (items: readonly Item[]): Block[] => (items.length === 0 ? [] : [{ as: 'list', items }])

export const table = (head: readonly Text[], rows: readonly (readonly Text[])[]): Block[] =>
  rows.length === 0 ? [] : [{ as: 'table', head, rows }]

export const section = (
  heading: Text,
  blocks: readonly Block[],
  options: Pick<Section, 'id' | 'note' | 'finding' | 'closed' | 'filters'> = {},
): Block[] => (blocks.length === 0 ? [] : [{ as: 'section', title: heading, blocks, ...options }])

/** Of a long body the beginning, or the part around the id that it is about. */
export function excerpt(
  { body, wholeLength = body.length }: Pick<RecordedResponse, 'body' | 'wholeLength'>,
  limit: number,
  about?: string,
): string {
  if (body.length <= limit) return body
  const found = about === undefined ? -1 : body.search(new RegExp(`[:"\\s]${about}(?![\\d.])`))
  const from = found < limit ? 0 : found - Math.floor(limit / 2)
  const left = wholeLength - from - limit
  return `${from > 0 ? '… ' : ''}${body.slice(from, from + limit)}${left > 0 ? `… (${left} more characters)` : ''}`
}

/** Response headers that rules judge or that explain a response. */
const TELLING = [
  'content-type',
  'content-length',
  'content-encoding',
  'location',
  'retry-after',
  'www-authenticate',
  'allow',
]

export const tellingHeaders = (response: RecordedResponse): (readonly [name: string, value: string])[] =>
  TELLING.flatMap(name => {
    const value = header(response, name)
    return value === undefined ? [] : [[name, value] as const]
  })
