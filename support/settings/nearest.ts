/** The text among these with the fewest edits from `text`, if it is close enough to be the intended one. */
export function nearest(text: string, among: readonly string[]): string | undefined {
  const ranked = among
    .map(each => ({ each, far: distance(text.toLowerCase(), each.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
  const [best] = ranked
  return best && best.far <= Math.max(2, text.length / 3) ? best.each : undefined
}

/** Levenshtein distance: how many characters must be inserted, deleted or replaced. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
