/** A text to be found, in any case of its letters. */
export interface Pattern {
  readonly text: string
  /** Found only where no letter or digit stands before or after it. */
  readonly word: boolean
}

/** A pattern in a text, or the beginning of one that an ellipsis cuts off. */
export interface Hit {
  readonly start: number
  readonly end: number
  /** Index of the pattern. */
  readonly pattern: number
  readonly cut: boolean
}

/** This many characters of a pattern before an ellipsis count as its beginning. */
const SHORTEST_CUT = 6
const ELLIPSIS = '…'.charCodeAt(0)

/** Letters whose upper or lower case in some language is a letter of ASCII. */
const RELATED: Readonly<Record<string, string>> = { i: 'İı', k: '\u212a', s: 'ſ' }

/**
 * Finds all patterns in one pass (Aho and Corasick, 1975): the time is linear in the text, also for a text that repeats the beginning
 * of a pattern without end.
 */
export function searcher(patterns: readonly Pattern[]): (text: string, hit: (hit: Hit) => void) => void {
  const { next, width, classOf, depth, owner, ending, shorter, longest } = automaton(patterns)
  return (text, hit) => {
    let state = 0
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (code === ELLIPSIS) {
        const length = depth[state] as number
        if (length >= SHORTEST_CUT)
          hit({ start: at - length, end: at + 1, pattern: owner[state] as number, cut: true })
      }
      state = next[state * width + (classOf[code] as number)] as number
      for (let found = longest[state] as number; found > 0; found = shorter[found] as number) {
        for (const pattern of ending[found] ?? []) {
          const { text: searched, word } = patterns[pattern] as Pattern
          const start = at + 1 - searched.length
          if (word && isWithinWord(text, start, at + 1)) continue
          hit({ start, end: at + 1, pattern, cut: false })
        }
      }
    }
  }
}

const isWithinWord = (text: string, start: number, end: number): boolean =>
  /[a-z0-9]/i.test(text.charAt(start - 1)) || /[a-z0-9]/i.test(text.charAt(end))

function automaton(patterns: readonly Pattern[]) {
  const { classOf, width } = classes(patterns)
  const size = patterns.reduce((sum, { text }) => sum + text.length, 1)
  const next = new Int32Array(size * width)
  const depth = new Int32Array(size)
  const owner = new Int32Array(size)
  const ending: (number[] | undefined)[] = []
  let nodes = 1
  patterns.forEach(({ text }, pattern) => {
    let node = 0
    for (let at = 0; at < text.length; at += 1) {
      const edge = node * width + (classOf[text.charCodeAt(at)] as number)
      if (next[edge] === 0) {
        next[edge] = nodes
        depth[nodes] = at + 1
        owner[nodes] = pattern
        nodes += 1
      }
      node = next[edge] as number
    }
    ending[node] = [...(ending[node] ?? []), pattern]
  })
  const shorter = linked(next, width, nodes, ending)
  const longest = shorter.map((found, node) => (ending[node] ? node : found))
  return { next, width, classOf, depth, owner, ending, shorter, longest }
}

/**
 * Completes the transitions, breadth first.
 * @returns for each state the longest shorter one in which a pattern ends
 */
function linked(next: Int32Array, width: number, nodes: number, ending: readonly unknown[]): Int32Array {
  const fallback = new Int32Array(nodes)
  const shorter = new Int32Array(nodes)
  const queue = new Int32Array(nodes)
  let queued = 1
  for (let done = 0; done < queued; done += 1) {
    const node = queue[done] as number
    const behind = fallback[node] as number
    shorter[node] = ending[behind] ? behind : (shorter[behind] as number)
    for (let character = 0; character < width; character += 1) {
      const edge = node * width + character
      const instead = node === 0 ? 0 : (next[behind * width + character] as number)
      const child = next[edge] as number
      if (child === 0) {
        next[edge] = instead
      } else {
        fallback[child] = instead
        queue[queued] = child
        queued += 1
      }
    }
  }
  return shorter
}

/** Each character of the patterns as a small number, the same for both cases; 0 for every other character. */
function classes(patterns: readonly Pattern[]): { readonly classOf: Uint16Array; readonly width: number } {
  const classOf = new Uint16Array(0x10000)
  let width = 1
  for (const character of patterns.flatMap(({ text }) => text.split(''))) {
    if (classOf[character.charCodeAt(0)] !== 0) continue
    const lower = character.toLowerCase()
    for (const form of [character, lower, character.toUpperCase(), ...(RELATED[lower] ?? '')])
      if (form.length === 1) classOf[form.charCodeAt(0)] = width
    width += 1
  }
  return { classOf, width }
}
