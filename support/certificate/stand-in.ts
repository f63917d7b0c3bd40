/** Characters of one kind, in a fixed order. Rules treat the last letters of the alphabet apart from the others. */
const KINDS = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuv', 'wxyz', '0123456789'] as const

/**
 * A key of the same shape: as long, with letters, digits and other characters in the same places. Which requests can be made of a key,
 * and how they are encoded, depends only on its shape.
 * @param start distinguishes the stand-ins of several keys
 */
export function standIn(key: string, start: number): string {
  const made = [...key].map((character, at) => {
    const kind = KINDS.find(each => each.includes(character))
    return kind === undefined ? character : kind[(at * 7 + start) % kind.length]
  })
  return made.join('')
}
