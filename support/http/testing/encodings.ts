import fc from 'fast-check'

/** How a server may write a text that it knows. */
export type Encoding = (text: string) => string

const replacing =
  (only: RegExp, written: (code: number) => string): Encoding =>
  text =>
    text.replace(only, each => written(each.charCodeAt(0)))

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** The encodings in which no output may contain a secret, or one of them inside another. Made without the code that hides secrets. */
export const encodings = {
  plain: text => text,
  url: encodeURIComponent,
  urlInLowerCase: replacing(/[^A-Za-z0-9_.!~*'()-]/g, code => `%${hex(code, 2)}`),
  form: text => new URLSearchParams({ k: text }).toString().slice(2),
  json: text => JSON.stringify(text).slice(1, -1),
  jsonWithSlashes: text => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  html: replacing(/[&<>"']/g, code => `&${{ 38: 'amp', 60: 'lt', 62: 'gt', 34: 'quot' }[code] ?? '#39'};`),
  urlOfAll: replacing(/./gs, code => `%${hex(code, 2)}`),
  jsonOfAll: replacing(/./gs, code => `\\u${hex(code, 4)}`),
  htmlOfGo: replacing(/[&<>"'+]/g, code => `&${{ 38: 'amp', 60: 'lt', 62: 'gt' }[code] ?? `#${code}`};`),
  htmlOfAll: replacing(/./gs, code => `&#x${hex(code, 2).toUpperCase()};`),
  base64: text => Buffer.from(text).toString('base64'),
  base64url: text => Buffer.from(text).toString('base64url'),
  hexadecimal: text => Buffer.from(text).toString('hex'),
  hexInCapitals: text => Buffer.from(text).toString('hex').toUpperCase(),
} satisfies Readonly<Record<string, Encoding>>

/** What an encoding writes for a text wherever it stands: without the characters that depend on what is beside it. */
export function formsOf(encode: Encoding, text: string): string[] {
  const forms = [0, 1, 2].map(offset => {
    // Base64 of a multiple of nine characters has no padding, and neither has base64 of it.
    const after = 18 - ((offset + text.length) % 9)
    const [one = '', other] = ['-', '_'].map(each => encode(each.repeat(offset) + text + each.repeat(after)))
    const same = [...one].map((each, at) => (each === other?.[at] ? each : ' ')).join('')
    return same.split(' ').reduce((longest, run) => (run.length > longest.length ? run : longest), '')
  })
  return [...new Set(forms)]
}

/** Each part of this length. */
export const partsOf = (text: string, length: number): string[] =>
  Array.from({ length: text.length - length + 1 }, (_, at) => text.slice(at, at + length))

export const thirdOf = ({ length }: string): number => Math.ceil(length / 3)

const anyEncoding = fc.constantFrom<Encoding[]>(...Object.values(encodings))

/** Each way in which a library could write a character by itself, first as it is. */
const escapes: readonly ((character: string) => string[])[] = [
  each => [each === '%' ? '%25' : each, ...inBothCases(each, 2).map(code => `%${code}`)],
  each => [
    /["\\]/.test(each) ? `\\${each}` : each,
    ...inBothCases(each, 4).map(code => `\\u${code}`),
    ...(each === '/' ? ['\\/'] : []),
  ],
  each => [
    each === '&' ? '&amp;' : each,
    ...[2, 4].flatMap(digits => inBothCases(each, digits)).flatMap(code => [`&#x${code};`, `&#X${code};`]),
    `&#${each.charCodeAt(0)};`,
    `&#0${each.charCodeAt(0)};`,
    ...('+' === each ? ['&plus;'] : []),
  ],
]

const inBothCases = (character: string, digits: number): string[] => {
  const code = hex(character.charCodeAt(0), digits)
  return [code, code.toUpperCase()]
}

/** Any selection of characters escaped, each in any way. */
export const anyEscape = fc.tuple(fc.constantFrom(...escapes), fc.array(fc.nat(), { minLength: 1 })).map(
  ([ways, choices]): Encoding =>
    text =>
      [...text]
        .map((each, at) => {
          const all = ways(each)
          return all[(choices[at % choices.length] ?? 0) % all.length]
        })
        .join(''),
)

/** One encoding inside another. */
export const anyComposition = fc.tuple(anyEncoding, anyEncoding).map(
  ([inner, outer]): Encoding =>
    text =>
      outer(inner(text)),
)

/** Keys as stores issue them, and any other that a header can carry. */
export const anyKey = fc
  .constantFrom(8, 12, 24, 64)
  .chain(length =>
    fc.oneof(
      ...[/[A-Za-z0-9]/, /[A-Za-z0-9+/=]/, /[\x21-\x7e]/].map(character =>
        fc.stringMatching(new RegExp(`^${character.source}{${length}}$`)),
      ),
    ),
  )
