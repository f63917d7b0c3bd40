import { header, type ReportedExchange } from '../wire/exchange.ts'
import type { Fragment } from './html/markup.ts'
import type { Standing } from './reading.ts'

/**
 * What a report, comparison or certificate says, described once for terminals, Markdown and HTML. A string may be
 * text of a store, so every renderer escapes it.
 */
export type Text = string | Span | readonly Text[]

type Span =
  | { readonly as: 'code' | 'command'; readonly text: string }
  | { readonly as: 'mark'; readonly standing: Standing }
  /** To a place on the same page. Terminals and Markdown show only the text. */
  | { readonly as: 'link'; readonly text: Text; readonly to: string }

type Fact = readonly [label: string, text: Text]

export interface ListItem {
  readonly text: Text
  /** What belongs to it: names of rules, or why it is so. */
  readonly more?: readonly Text[]
  /** By what a page filters items. */
  readonly filter?: Readonly<Record<'outcome' | 'operation' | 'level', string>>
}

export interface Section {
  readonly as: 'section'
  readonly title: Text
  readonly blocks: readonly Block[]
  readonly id?: string
  /** How many items it has, or another remark beside the title. */
  readonly note?: string
  /** The section is about one rule with this standing. Where it is closed, a terminal shows only its title. */
  readonly finding?: Standing
  /** Whether a page shows only the title until the reader opens it. */
  readonly closed?: boolean
}

export type Block =
  | { readonly as: 'title'; readonly text: Text; readonly standing: Standing }
  | { readonly as: 'paragraph'; readonly text: Text; readonly isWarning?: boolean }
  | { readonly as: 'facts'; readonly facts: readonly Fact[] }
  | { readonly as: 'list'; readonly items: readonly ListItem[] }
  /** Only pages show it. */
  | { readonly as: 'html'; readonly source: Fragment }
  | ShownExchange
  | Section

export interface ShownExchange {
  readonly as: 'exchange'
  readonly exchange: ReportedExchange
  /** Whether it is the one that decides, of several. */
  readonly decides: boolean
  /** The id of the order or pet that it is about. Of a long body, the part around it is shown. */
  readonly about?: string | undefined
}

export const code = (text: string): Text => ({ as: 'code', text })
/** A command that the reader can copy. */
export const command = (text: string): Text => ({ as: 'command', text })
export const mark = (standing: Standing): Text => ({ as: 'mark', standing })
export const link = (text: Text, to: string): Text => ({ as: 'link', text, to })

export const title = (text: Text, standing: Standing): Block => ({ as: 'title', text, standing })

// The following make nothing of nothing, so that a document needs no conditions.

export const paragraph = (text: Text): Block[] => (text === '' ? [] : [{ as: 'paragraph', text }])

export const warnings = (texts: readonly string[]): Block[] =>
  texts.map(text => ({ as: 'paragraph', text, isWarning: true }))

/** Facts without a text are left out. */
export function facts(all: readonly (readonly [label: string, text: Text | undefined | false])[]): Block[] {
  const known = all.filter((fact): fact is Fact => fact[1] !== undefined && fact[1] !== false)
  return known.length === 0 ? [] : [{ as: 'facts', facts: known }]
}

export const list = (items: readonly ListItem[]): Block[] =>
  items.length === 0 ? [] : [{ as: 'list', items }]

export const section = (
  heading: Text,
  blocks: readonly Block[],
  options: Pick<Section, 'id' | 'note' | 'finding' | 'closed'> = {},
): Block[] => (blocks.length === 0 ? [] : [{ as: 'section', title: heading, blocks, ...options }])

/** Response headers that rules judge or that explain a response. */
const TELLING = [
  ...['content-type', 'content-length', 'content-encoding', 'location', 'retry-after'],
  ...['www-authenticate', 'allow'],
]

/**
 * A response, line by line: its status, the telling headers if it decides, and its body. Of a long body the beginning, or the part around
 * the id that it is about.
 */
export function responseLines({ exchange, decides, about }: ShownExchange, limit: number): string[] {
  const { response, problem } = exchange
  if (!response) return [`no response: ${problem?.message ?? 'no cause is recorded'}`]
  const { status, body, wholeLength = body.length } = response
  const headers = TELLING.flatMap(name => {
    const value = header(response, name)
    return value === undefined ? [] : [`${name}: ${value}`]
  })
  const found = about === undefined ? -1 : body.search(new RegExp(`[:"\\s]${about}(?![\\d.])`))
  const from = body.length <= limit || found < limit ? 0 : found - Math.floor(limit / 2)
  const left = wholeLength - from - limit
  const shown = `${from > 0 ? '… ' : ''}${body.slice(from, from + limit)}${left > 0 ? `… (${left} more characters)` : ''}`
  return [String(status), ...(decides ? headers : []), ...(body === '' ? [] : [shown])]
}
