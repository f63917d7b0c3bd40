import { isJsonObject, type Json, parseJson, printJson } from '../../http/json.ts'
import { unseen } from './marks.ts'
import { type Content, type Fragment, html } from './template.ts'
import { visible } from './text.ts'

const LIMIT = 600
/** Longer text has a smaller font. */
const SHORT = 60

/** The expected and the actual value, side by side. */
export function comparison(expected: string, actual: string): Fragment {
  const difference = jsonDifference(expected, actual)
  return html`<dl class="comparison">
<div class="expected"><dt>Expected</dt>${side(expected, difference?.expected)}</div>
<div class="actual"><dt>Got</dt>${side(actual, difference?.actual)}</div>
</dl>`
}

const side = (text: string, lines: readonly Line[] | undefined): Fragment =>
  html`<dd class="${text.length > SHORT && 'long'}">${lines ? linesView(lines) : visible(text, { limit: LIMIT })}</dd>`

const linesView = (lines: readonly Line[]): Fragment =>
  html`<pre class="lines"><code>${lines.map(lineView)}</code></pre>`

function lineView({ text, differs }: Line): Content {
  const shown = visible(text, { lines: true })
  return differs ? html`<mark>${unseen('differs: ')}${shown}</mark>\n` : html`${shown}\n`
}

interface Line {
  readonly text: string
  /** Whether the other side has no such line. */
  readonly differs: boolean
}

/** Two JSON texts line by line; `undefined` unless both are arrays or both are objects. */
export function jsonDifference(
  expected: string,
  actual: string,
): { readonly expected: readonly Line[]; readonly actual: readonly Line[] } | undefined {
  const [left, right] = [parsed(expected), parsed(actual)]
  if (left === undefined || right === undefined || !alike(left, right)) return undefined
  return { expected: linesOf(left, right), actual: linesOf(right, left) }
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text).value
  } catch {
    return undefined
  }
}

const alike = (one: Json | undefined, other: Json | undefined): boolean =>
  (Array.isArray(one) && Array.isArray(other)) || (isJsonObject(one) && isJsonObject(other))

const same = (one: Json, other: Json | undefined): boolean =>
  other !== undefined && sorted(one) === sorted(other)

/** The order of members has no meaning in JSON. Numbers keep their spelling. */
const sorted = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`
  if (!isJsonObject(value)) return printJson(value)
  const members = Object.keys(value).sort()
  return `{${members.map(name => `${JSON.stringify(name)}:${sorted(value[name] ?? null)}`).join(',')}}`
}

/** Equal values stay in one line. Different values are opened as far as both sides have the same shape. */
function linesOf(value: Json, other: Json | undefined, indent = '', before = '', after = ''): Line[] {
  const open = !same(value, other) && alike(value, other)
  if (!open) return [{ text: indent + before + printJson(value) + after, differs: !same(value, other) }]
  const inner = `${indent}  `
  const [opening, closing] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const items = Array.isArray(value)
    ? value.map((item, at) => [item, (other as Json[])[at], ''] as const)
    : Object.entries(value as object).map(
        ([name, item]) => [item as Json, memberOf(other, name), `${JSON.stringify(name)}: `] as const,
      )
  return [
    { text: indent + before + opening, differs: false },
    ...items.flatMap(([item, beside, label], at) =>
      linesOf(item, beside, inner, label, at < items.length - 1 ? ',' : ''),
    ),
    { text: indent + closing + after, differs: false },
  ]
}

const memberOf = (object: Json | undefined, name: string): Json | undefined =>
  isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined
