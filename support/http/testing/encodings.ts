import fc from 'fast-check'

/** How a server may write a text that it knows. */
export type Encoding = (text: string) => string

const each =
  (encode: (character: string, code: number) => string, only: RegExp = /./s): Encoding =>
  text =>
    [...text]
      .map(character => (only.test(character) ? encode(character, character.charCodeAt(0)) : character))
      .join('')

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
const bytes = (text: string, separator: string): string =>
  [...Buffer.from(text)].map(byte => hex(byte, 2)).join(separator)

/** Encodings that write each character by itself. */
export const characterEncodings = {
  json: text => JSON.stringify(text).slice(1, -1),
  jsonWithSlashes: text => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  gson: each((_, code) => `\\u${hex(code, 4)}`, /[<>&='"\\]/),
  dotnet: each((_, code) => `\\u${hex(code, 4).toUpperCase()}`, /[^A-Za-z0-9 _.-]/),
  unicode: each((_, code) => `\\u${hex(code, 4)}`),
  braces: each((_, code) => `\\u{${code.toString(16)}}`),
  hexEscapes: each((_, code) => `\\x${hex(code, 2)}`),
  octal: each((_, code) => `\\${code.toString(8).padStart(3, '0')}`),
  decimalReferences: each((_, code) => `&#${code};`),
  hexReferences: each((_, code) => `&#x${code.toString(16).toUpperCase()};`),
  mustache: each((_, code) => `&#x${code.toString(16).toUpperCase()};`, /[&"'/`=<>]/),
  html: each(
    character =>
      ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character] ?? character,
  ),
  names: each(
    character =>
      ({ '&': '&amp;', '+': '&plus;', '/': '&sol;', '=': '&equals;', '.': '&period;', '-': '-' })[
        character
      ] ?? character,
  ),
  percent: encodeURIComponent,
  percentInLowerCase: each((_, code) => `%${hex(code, 2)}`, /[^A-Za-z0-9]/),
  percentAll: each((_, code) => `%${hex(code, 2)}`),
  percentTwice: text => encodeURIComponent(encodeURIComponent(text)),
  javascriptEscape: each((_, code) => `%u${hex(code, 4)}`),
  shell: text => text.replaceAll("'", "'\\''"),
  python: text => text.replaceAll("'", `'"'"'`),
  csv: text => text.replaceAll('"', '""'),
  /** As `printf %q` of a shell writes it. */
  backslashes: each(character => `\\${character}`, /[^A-Za-z0-9]/),
} satisfies Readonly<Record<string, Encoding>>

/** Encodings that write groups of bits, so that the characters before a text influence its encoding. */
export const packedEncodings = {
  base64: text => Buffer.from(text).toString('base64'),
  base64url: text => Buffer.from(text).toString('base64url'),
  base64InLines: text => Buffer.from(text).toString('base64').replace(/.{16}/g, '$&\r\n'),
  hex: text => bytes(text, ''),
  hexInCapitals: text => bytes(text, '').toUpperCase(),
  hexWithSpaces: text => bytes(text, ' '),
  hexWithColons: text => bytes(text, ':'),
  hexWithPrefixes: text => `0x${bytes(text, ', 0x')}`,
} satisfies Readonly<Record<string, Encoding>>

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
  minLength: 24,
  maxLength: 60,
})
const base64Key = fc
  .uint8Array({ minLength: 18, maxLength: 40 })
  .map(key => Buffer.from(key).toString('base64'))

/** Keys as stores issue them, and any other that a header can carry. */
export const anyKey = fc.oneof(visible, base64Key)

const characterwise = fc.array(fc.constantFrom<Encoding[]>(...Object.values(characterEncodings)), {
  maxLength: 2,
})

/** Up to five encodings within one another, the innermost first. */
export const anyComposition = fc.record({
  inner: characterwise,
  packed: fc.option(
    fc.record({
      encode: fc.constantFrom<Encoding[]>(...Object.values(packedEncodings)),
      before: fc.constantFrom('', 'u', 'u:', 'Bearer ', '{"key":"'),
    }),
    { nil: undefined },
  ),
  outer: characterwise,
})

const composed = (encodings: readonly Encoding[], text: string): string =>
  encodings.reduce((written, encode) => encode(written), text)

/** The key as a composition writes it, and how many characters of it may stay because they belong to other bytes. */
export function encodedBy(
  { inner, packed, outer }: typeof anyComposition extends fc.Arbitrary<infer Value> ? Value : never,
  key: string,
): { readonly text: string; readonly beside: number } {
  const written = composed(inner, key)
  if (!packed) return { text: composed(outer, written), beside: 0 }
  const { encode, before } = packed
  return {
    text: composed(outer, encode(before + written)),
    beside: composed(outer, encode(`${before}  `)).length,
  }
}
