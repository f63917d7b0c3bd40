/** Replaces secrets by value. Every text that leaves the suite passes through one of these. */
export type Redact = (text: string) => string

export interface Secret {
  readonly value: string
  /** The variable that holds it, shown in its place. */
  readonly variable: string
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/**
 * Every spelling under which a secret may come back: itself in any case, cut by its first or last character (the altered keys of
 * the authentication rules contain those), URL-encoded, JSON-escaped, and in the base64 of `key`, `key:` and `:key`.
 */
function spellings(value: string): string[] {
  const parts = [value, ...(value.length > 5 ? [value.slice(0, -1), value.slice(1)] : [])]
  const encoded = parts.flatMap(part => [part, encodeURIComponent(part), JSON.stringify(part).slice(1, -1)])
  const base64 = [value, `${value}:`, `:${value}`].flatMap(text => {
    const plain = Buffer.from(text).toString('base64')
    return [
      plain,
      plain.replace(/=+$/, ''),
      encodeURIComponent(plain),
      Buffer.from(text).toString('base64url'),
    ]
  })
  return [...new Set([...encoded, ...base64])].filter(each => each.length > 0)
}

export function redactor(secrets: readonly Secret[]): Redact {
  const patterns = secrets
    .filter(({ value }) => value !== '')
    .flatMap(({ value, variable }) => spellings(value).map(spelling => ({ spelling, variable })))
    // Longest first, so that a part never breaks up the whole.
    .sort((a, b) => b.spelling.length - a.spelling.length)
    .map(({ spelling, variable }) => ({
      pattern: new RegExp(escaped(spelling), 'gi'),
      shown: `$${variable}`,
    }))
  return text => patterns.reduce((shown, { pattern, shown: by }) => shown.replace(pattern, () => by), text)
}

/** The same value with every string in it redacted, member names too. */
export function redactDeep<Value>(value: Value, redact: Redact): Value {
  if (typeof value === 'string') return redact(value) as Value
  if (Array.isArray(value)) return value.map(each => redactDeep(each, redact)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [redact(name), redactDeep(each, redact)]),
  ) as Value
}
