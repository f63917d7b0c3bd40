import { createHash } from 'node:crypto'
import type { Report } from '../report.ts'
import { count, OBSERVED, targetText, verdictWords } from '../words.ts'
import { failures, withoutEffect } from './failures.ts'
import { ledger } from './ledger.ts'
import { filter, map } from './map.ts'
import { shapeSheet } from './marks.ts'
import { masthead } from './masthead.ts'
import { observations, responseTimes, serverErrors, warnings, warningsOf, withoutResult } from './open.ts'
import { type Facts, factsOf } from './references.ts'
import { script } from './script.ts'
import { style } from './style/page.ts'
import { type Fragment, html, verbatim } from './template.ts'
import { plain } from './text.ts'

/** The report as a page: one file that loads nothing else. */
export const reportHtml = (report: Report): string => page(factsOf(report)).toString()

/** The browser executes only the script and style of this page, and loads nothing, even if text of a store contains markup. */
const policy = [
  `default-src 'none'`,
  `style-src '${digest(style)}'`,
  `script-src '${digest(script)}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ')

const page = (facts: Facts): Fragment => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${verdictWords[facts.report.verdict]}: ${plain(targetText(facts.report))}</title>
<style>${verbatim(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the findings</a>
${shapeSheet()}
${masthead(facts)}
${navigation(facts)}
<main id="main" tabindex="-1">
${map(facts)}
${filter(facts)}
${failures(facts)}
${withoutEffect(facts)}
${serverErrors(facts)}
${withoutResult(facts)}
${ledger(facts)}
${observations(facts)}
${responseTimes(facts)}
${warnings(facts)}
</main>
<footer><p>${facts.report.suite.name} ${facts.report.suite.version}. For programs: conformance.json. All exchanges: exchanges.har.</p></footer>
<p class="announced unseen" role="status"></p>
<script>${verbatim(script)}</script>
</body>
</html>
`

function navigation(facts: Facts): Fragment {
  const { report, violations, expected, newer, advice, open, inapplicable } = facts
  const quiet = expected.length + newer.flat().length + advice.flat().length
  const without = [...open, ...inapplicable].reduce((sum, { rules }) => sum + rules.length, 0)
  const warned = warningsOf(report).length
  const entries = [
    ['map', 'All rules', undefined],
    ['failed', 'Failed', violations.flat().length],
    ...(quiet > 0 ? [['advice', 'Without effect', quiet] as const] : []),
    ...(report.serverErrors.length > 0
      ? [
          [
            'crashed',
            'Server errors',
            report.serverErrors.reduce((sum, each) => sum + each.count, 0),
          ] as const,
        ]
      : []),
    ['open', 'Not tested or determined', without],
    ['ledger', 'Clause by clause', undefined],
    ['observed', OBSERVED, report.observations.length],
    ...(warned > 0 ? [['warnings', 'Warnings', warned] as const] : []),
  ] as const
  return html`<nav aria-label="Sections"><ul>${entries.map(
    ([id, words, number]) =>
      html`<li><a href="#${id}">${words}${number !== undefined && html` <span class="count">${count(number)}</span>`}</a></li>`,
  )}</ul></nav>`
}

function digest(source: string): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`
}
