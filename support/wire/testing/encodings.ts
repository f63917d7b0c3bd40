import fc from 'fast-check'

/** How a server may write a text that it knows. */
type Encoding = (text: string) => string

const replacing =
  (only: RegExp, written: (code: number) => string): Encoding =>
  text =>
    text.replace(only, each => written(each.charCodeAt(0)))

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
const json: Encoding = text => JSON.stringify(text).slice(1, -1)
const html = replacing(
  /[&<>"']/g,
  code => `&${{ 38: 'amp', 60: 'lt', 62: 'gt', 34: 'quot' }[code] ?? '#39'};`,
)

/** The encodings in which no output contains a secret. Made without the code that replaces secrets. */
export const encodings = {
  plain: text => text,
  inUpperCase: text => text.toUpperCase(),
  inLowerCase: text => text.toLowerCase(),
  url: encodeURIComponent,
  urlInLowerCase: replacing(/[^A-Za-z0-9_.!~*'()-]/g, code => `%${hex(code, 2)}`),
  urlOfAll: replacing(/./gs, code => `%${hex(code, 2).toUpperCase()}`),
  path: text => text.split('/').map(encodeURIComponent).join('/'),
  form: text => new URLSearchParams({ k: text }).toString().slice(2),
  json,
  jsonWithSlashes: text => json(text).replaceAll('/', '\\/'),
  jsonOfGson: text => replacing(/[<>&='+]/g, code => `\\u${hex(code, 4)}`)(json(text)),
  html,
  htmlOfGo: replacing(/[&<>"'+]/g, code => `&${{ 38: 'amp', 60: 'lt', 62: 'gt' }[code] ?? `#${code}`};`),
  htmlOfMustache: replacing(/[&<>"'/`=]/g, code => `&#x${hex(code, 2).toUpperCase()};`),
  base64: text => Buffer.from(text).toString('base64'),
  base64url: text => Buffer.from(text).toString('base64url'),
  jsonInJson: text => json(json(text)),
  jsonInHtml: text => html(json(text)),
  jsonInUrl: text => encodeURIComponent(json(text)),
  urlTwice: text => encodeURIComponent(encodeURIComponent(text)),
  base64InUrl: text => encodeURIComponent(Buffer.from(text).toString('base64')),
} satisfies Readonly<Record<string, Encoding>>

/** Base64 of the text inside a longer one, without the characters that depend on what is beside it. */
export function insideBase64(text: string): string[] {
  return [0, 1, 2].map(offset => {
    const [one = '', other = ''] = ['-', '_'].map(each =>
      Buffer.from(each.repeat(offset) + text + each.repeat(6)).toString('base64'),
    )
    const same = [...one].map((each, at) => (each === other[at] ? each : ' ')).join('')
    return same.split(' ').reduce((longest, run) => (run.length > longest.length ? run : longest), '')
  })
}

/** Keys as stores issue them, and any other that a header can carry, each with a letter and a digit. */
export const anyKey = fc
  .constantFrom(6, 10, 22, 62)
  .chain(length =>
    fc.oneof(
      ...[/[A-Za-z0-9]/, /[A-Za-z0-9+/=]/, /[\x21-\x7e]/].map(character =>
        fc.stringMatching(new RegExp(`^${character.source}{${length}}$`)).map(text => `k${text}7`),
      ),
    ),
  )
