/** One mechanical change in a source of any language. */
export interface LineMutant {
  /** Counted from 1. */
  readonly line: number
  readonly original: string
  readonly replacement: string
}

/** Each match is replaced by itself in one mutant. */
const REPLACEMENTS: readonly (readonly [pattern: RegExp, replace: (found: string) => string])[] = [
  [/ == /g, () => ' != '],
  [/ != /g, () => ' == '],
  [/ < /g, () => ' <= '],
  [/ <= /g, () => ' < '],
  [/ > /g, () => ' >= '],
  [/ >= /g, () => ' > '],
  [/ (?:and|&&) /g, found => (found === ' and ' ? ' or ' : ' || ')],
  [/ (?:or|\|\|) /g, found => (found === ' or ' ? ' and ' : ' && ')],
  [/ is None/g, () => ' is not None'],
  [/ not in /g, () => ' in '],
  [/\bnot (?!in )/g, () => ''],
  [/!(?=[a-z(])/g, () => ''],
  [/\b(?:True|true)\b/g, found => (found === 'True' ? 'False' : 'false')],
  [/\b(?:False|false)\b/g, found => (found === 'False' ? 'True' : 'true')],
  [/(?<![\w."])\d+(?![\w."])/g, found => String(Number(found) + 1)],
  [/"[^"\\]+"/g, found => `${found.slice(0, -1)}!"`],
]

/** Statements on one line. Removing a declaration or an opening line would only break the program. */
const STATEMENT =
  /^\s+(?!(?:def|class|if|elif|else|for|while|with|try|except|return|import|final|static|pass|do|case|default|int|long|char|String|[A-Z]\w*(?:<.*>)? \w+ =)\b)[a-z][^{}]*[;)\]\w]$/

const isBalanced = (text: string): boolean =>
  ['()', '[]', '{}'].every(([open = '', close = '']) => text.split(open).length === text.split(close).length)

/** @param blank what stands for an empty statement */
export function lineMutants(source: string, blank: string): LineMutant[] {
  const mutants: LineMutant[] = []
  let isOn = true
  for (const [at, text] of source.split('\n').entries()) {
    if (text.includes('mutation: off')) isOn = false
    if (text.includes('mutation: on')) isOn = true
    if (!isOn || /^\s*(?:#|\/\/|\/?\*|"""|import |package )/.test(text)) continue
    const add = (replacement: string) => mutants.push({ line: at + 1, original: text, replacement })
    for (const [pattern, replace] of REPLACEMENTS)
      for (const found of text.matchAll(pattern)) {
        const [matched] = found
        add(text.slice(0, found.index) + replace(matched) + text.slice(found.index + matched.length))
      }
    if (STATEMENT.test(text) && isBalanced(text)) add(text.replace(/\S.*/, blank))
  }
  return mutants
}

export const mutated = (source: string, { line, replacement }: LineMutant): string =>
  source
    .split('\n')
    .map((text, at) => (at === line - 1 ? replacement : text))
    .join('\n')
