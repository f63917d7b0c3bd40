/**
 * Control characters, terminal escapes and marks that turn the direction of text, as visible escapes; line breaks too. What a
 * store sends can't move the cursor, colour a verdict green, or swap what stands left and right.
 */
export const printable = (text: string): string =>
  text.replace(UNSAFE, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g
