import type { Report } from '../report.ts'
import type { Facts } from './facts.ts'
import { type Fragment, html } from './template.ts'
import { visible } from './text.ts'

export const warningsOf = ({ warnings, expectedFailures }: Report): readonly string[] => [
  ...(expectedFailures?.stale ?? []).map(({ message }) => `Expected failure out of date: ${message}`),
  ...warnings,
]

/** What went wrong beside the judging. */
export const warnings = ({ report }: Facts): Fragment | false =>
  warningsOf(report).length > 0 &&
  html`<section id="warnings" aria-labelledby="warnings-title">
<div class="title"><h2 id="warnings-title">Warnings</h2><p>What went wrong beside the judging.</p></div>
<ul class="warnings">${warningsOf(report).map(warning => html`<li>${visible(warning, { limit: 4_000 })}</li>`)}</ul>
</section>`
