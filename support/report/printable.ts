/**
 * Characters that are invisible or change the text around them: controls, line breaks, terminal escapes, marks of text direction,
 * joiners, lone surrogates, and spaces other than U+0020.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Text of a store as every report shows it: it cannot control a terminal, hide a word or start a new line.
 * @param lines whether line breaks and tabs stay, as in a block of code
 */
export const printable = (text: string, lines = false): string =>
  text.replace(HIDDEN, character => {
    if (lines && /[\n\t]/.test(character)) return character
    const code = character.codePointAt(0) ?? 0
    const hex = code.toString(16)
    return SHORT[character] ?? (code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`)
  })
