import { createHash } from 'node:crypto'
import type { Report } from '../report.ts'
import { type Facts, factsOf } from './facts.ts'
import { failures } from './failures.ts'
import { filter } from './filter.ts'
import { ledger } from './ledger.ts'
import { map } from './map.ts'
import { shapeSheet } from './marks.ts'
import { masthead } from './masthead.ts'
import { observations } from './observations.ts'
import { script } from './script.ts'
import { style } from './style/index.ts'
import { type Fragment, html, verbatim } from './template.ts'
import { count, plain } from './text.ts'
import { unanswered } from './unanswered.ts'
import { verdictSentence } from './verdict.ts'
import { warnings, warningsOf } from './warnings.ts'

/** The report as a page for people: one file that needs nothing but itself. */
export const reportHtml = (report: Report): string => page(factsOf(report)).toString()

/** Whatever a body smuggled in: the browser takes no other style and no other script than these, and nothing from anywhere. */
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
<title>${verdictSentence(facts)} (${plain(facts.report.target.baseUrl)})</title>
<style>${verbatim(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to what was found</a>
${shapeSheet()}
${masthead(facts)}
${navigation(facts)}
<main id="main" tabindex="-1">
${map(facts)}
${filter(facts)}
${failures(facts)}
${unanswered(facts)}
${ledger(facts)}
${observations(facts)}
${warnings(facts)}
</main>
<footer><p>${facts.report.suite.name} ${facts.report.suite.version}. The same in machine-readable form: conformance.json; every exchange: exchanges.har.</p></footer>
<p class="announced unseen" role="status"></p>
<script>${verbatim(script)}</script>
</body>
</html>
`

function navigation({ report, failed }: Facts): Fragment {
  const { untested, cantTell, inapplicable } = report.counts
  const warned = warningsOf(report).length
  const entries = [
    ['map', 'The map', undefined],
    ['failed', 'What failed', failed.length],
    ['open', 'Not tested or told', untested + cantTell + inapplicable],
    ['ledger', 'The document, annotated', undefined],
    ['observed', 'Where it is silent', report.observations.length],
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
