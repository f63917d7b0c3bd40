import { jsonDifference, type Line } from './difference.ts'
import { unseen } from './marks.ts'
import { type Content, type Fragment, html } from './template.ts'
import { visible } from './text.ts'

/** What was expected and what came, side by side. */
export function comparison(expected: string, actual: string): Fragment {
  const difference = jsonDifference(expected, actual)
  return html`<dl class="comparison">
<div class="expected"><dt>Expected</dt>${side(expected, difference?.expected)}</div>
<div class="actual"><dt>Got</dt>${side(actual, difference?.actual)}</div>
</dl>`
}

const LIMIT = 600
/** Beyond it, text is set smaller. */
const SHORT = 60

const side = (text: string, lines: readonly Line[] | undefined): Fragment =>
  html`<dd class="${text.length > SHORT && 'long'}">${lines ? linesView(lines) : visible(text, { limit: LIMIT })}</dd>`

const linesView = (lines: readonly Line[]): Fragment =>
  html`<pre class="lines"><code>${lines.map(lineView)}</code></pre>`

function lineView({ text, differs }: Line): Content {
  const shown = visible(text, { lines: true })
  return differs ? html`<mark>${unseen('differs: ')}${shown}</mark>\n` : html`${shown}\n`
}
