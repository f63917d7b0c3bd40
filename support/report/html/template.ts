import { raw, html as template } from 'hono/html'

/** Text that is HTML already: it stands in other templates as it is. */
export type Fragment = ReturnType<typeof raw>

export type Content = string | number | Fragment | false | null | undefined | readonly Content[]

/** Escapes every value but fragments. Of `false`, `null` and `undefined` nothing remains. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Fragment {
  const made = template(strings, ...values)
  if (made instanceof Promise) throw new TypeError('a template waits for nothing')
  return made
}

/** Our own style and script, whose text may not be escaped. Nothing that comes from a store passes here. */
export const verbatim = (source: string): Fragment => raw(source)
