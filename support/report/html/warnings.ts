import type { Facts } from './facts.ts'
import { type Fragment, html } from './template.ts'
import { visible } from './text.ts'

/** What went wrong beside the judging. */
export const warnings = ({ report }: Facts): Fragment | false =>
  report.warnings.length > 0 &&
  html`<section id="warnings" aria-labelledby="warnings-title">
<div class="title"><h2 id="warnings-title">Warnings</h2><p>What went wrong beside the judging.</p></div>
<ul class="warnings">${report.warnings.map(warning => html`<li>${visible(warning, { limit: 4_000 })}</li>`)}</ul>
</section>`
