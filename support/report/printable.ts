/**
 * Characters that are invisible or change the text around them: controls, line breaks, terminal escapes, marks of text direction,
 * joiners, lone surrogates, and spaces other than U+0020.
 */
const HIDDEN = /([\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+|(?! )\p{Zs})/u
const HIDDEN_EXCEPT_LINES =
  /((?:(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+|(?! )\p{Zs})/u

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Parts of a text in order: visible text at even positions, hidden characters as their escapes at odd positions.
 * @param lines whether line breaks and tabs stay, as in a block of code
 */
export const visibleParts = (text: string, lines = false): string[] =>
  text
    .split(lines ? HIDDEN_EXCEPT_LINES : HIDDEN)
    .map((part, at) => (at % 2 === 1 ? Array.from(part, escaped).join('') : part))

/** Text of a store as every report shows it: it cannot control a terminal, hide a word or start a new line. */
export const printable = (text: string, lines = false): string => visibleParts(text, lines).join('')

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  return short[character] ?? (code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`)
}
