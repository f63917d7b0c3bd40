import { printable } from '../printable.ts'

/** HTML. Templates insert it without escaping. */
export class Fragment {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

type Content = string | number | Fragment | false | null | undefined | readonly Content[]

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes every value except fragments, and shows hidden characters. `false`, `null` and `undefined` become nothing. */
export const html = (strings: TemplateStringsArray, ...values: Content[]): Fragment =>
  new Fragment(strings.map((text, at) => text + sourceOf(values[at])).join(''))

function sourceOf(value: Content): string {
  if (value instanceof Fragment) return value.source
  if (Array.isArray(value)) return value.map(sourceOf).join('')
  if (value === false || value === null || value === undefined) return ''
  return printable(String(value), true).replace(/[&<>"']/g, each => ESCAPES[each] as string)
}
