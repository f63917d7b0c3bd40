import { raw, html as template } from 'hono/html'

/** HTML. Other templates insert it without escaping. */
export type Fragment = ReturnType<typeof raw>

export type Content = string | number | Fragment | false | null | undefined | readonly Content[]

/** Escapes every value except fragments. `false`, `null` and `undefined` become nothing. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Fragment {
  const made = template(strings, ...values)
  if (made instanceof Promise) throw new TypeError('a template has a promise as a value')
  return made
}

/** Inserts our own style or script without escaping. Never to be used for text of a store. */
export const verbatim = (source: string): Fragment => raw(source)
