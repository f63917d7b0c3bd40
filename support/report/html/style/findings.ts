import { css } from './base.ts'

/** Failures with their evidence, rules without a result, and observations. */
export const findings = css`
.contents { margin-bottom: 1.5rem; }
.contents > summary { color: var(--soft); padding-bottom: 0.375rem; }
.contents ol { columns: 2; column-gap: 2.5rem; }
.contents li { break-inside: avoid; padding: 0.2rem 0 0.2rem 1.75rem; line-height: 1.4; }
.contents .mark { width: 0.9rem; height: 0.9rem; margin-left: -1.5rem; margin-right: 0.6rem; vertical-align: -0.12em; }
.failure { padding: 1.5rem 0 2rem; border-top: 1px solid var(--ink); }
.failure + .failure { margin-top: 0.5rem; }
.failure h3 { position: relative; padding-left: 2rem; }
.failure h3 .mark { position: absolute; left: 0; top: 0.1em; }
.failure > div > :not(h3), .also { margin-left: 2rem; }
.also { margin-top: 0.5rem; }
.also > summary { color: var(--soft); }
.also > :not(summary) { margin-left: 1.25rem; }
.place { display: flex; flex-wrap: wrap; gap: 0.125rem 0.75rem; align-items: baseline; margin-top: 0.25rem; color: var(--soft); }
.badge { font-weight: 600; color: var(--ink); }
.badge.required { color: var(--failed); }
.id { text-decoration: none; }
.comparison { display: grid; grid-template-columns: 1fr 1fr; margin-top: 1rem; border: 1px solid var(--line); border-radius: 4px; overflow: hidden; }
.comparison > div { min-width: 0; padding: 0.625rem 1rem 0.75rem; }
.comparison > div + div { border-left: 1px solid var(--line); background: var(--failed-tint); }
.failure:not(.failed) .comparison > div + div { background: var(--sheet); }
.failure:not(.failed) .badge { color: var(--ink); }
.comparison dt { font-size: 0.8125rem; color: var(--soft); }
.comparison dd { font: 1.125rem/1.45 var(--mono); }
.comparison .lines { white-space: pre-wrap; font-size: 0.875rem; }
.comparison .lines code { font-size: inherit; }
.comparison mark { background: none; color: inherit; font-weight: 700; text-decoration: underline 2px var(--failed); text-underline-offset: 0.2em; }
.comparison .expected mark { text-decoration-color: var(--passed); }
.comparison .long { font-size: 0.875rem; }
.particulars { margin-top: 0.75rem; }
.particulars > summary { color: var(--soft); }
.message { margin-top: 1rem; font: 1rem/1.5 var(--mono); }
.reasons { margin-top: 1rem; display: grid; gap: 0.375rem; }
.reasons > div { display: grid; grid-template-columns: 11rem 1fr; gap: 1rem; }
.reasons dt { color: var(--soft); }
.reasons dd { max-width: 46rem; min-width: 0; }
.reasons .note, .reasons .value { display: block; }
q { quotes: "\201c" "\201d"; }
.part { margin-top: 1.25rem; font-size: 0.8125rem; font-weight: 600; }
.need { font-weight: 600; }
.part-of-open h3 { padding: 0.5rem 0; }
.part-of-open + .part-of-open { margin-top: 1.5rem; }
.groups > li { padding: 0.75rem 0; border-top: 1px solid var(--line); display: grid; grid-template-columns: 5fr 6fr; column-gap: 2.5rem; }
.rules a, .contents a, .seen a { color: inherit; text-decoration-color: var(--edge); }
.rules li { display: flex; gap: 0.5rem; padding: 0.15rem 0; line-height: 1.45; }
.rules .mark { width: 1rem; height: 1rem; margin-top: 0.16em; }
.warnings li { padding: 0.5rem 0 0.5rem 1rem; border-left: 3px solid var(--cant-tell); }
.warnings li + li { margin-top: 0.75rem; }
@media screen and (width < 48rem) {
  .contents ol { columns: 1; }
  .failure > div > :not(h3), .also, .also > :not(summary) { margin-left: 0; }
  .comparison { grid-template-columns: 1fr; }
  .comparison > div + div { border-left: 0; border-top: 1px solid var(--line); }
  .reasons > div { grid-template-columns: 1fr; gap: 0; }
  .reasons { gap: 0.75rem; }
  .groups > li { display: block; }
  .groups details { margin-top: 0.375rem; }
}
.exchange { margin-top: 0.5rem; border: 1px solid var(--line); border-radius: 4px; }
.exchange > :not(summary) { margin-left: 1rem; margin-right: 1rem; }
.exchange > summary { padding: 0.5rem 1rem; }
.exchange[open] > summary { border-bottom: 1px solid var(--line); }
.exchange > summary .line, .exchange > summary .status { font: 0.8125rem var(--mono); }
.exchange > summary .status { margin-left: 0.75rem; font-weight: 700; }
.exchange > summary .step { margin-left: 0.75rem; color: var(--soft); }
.exchange > .note { margin-top: 0.75rem; padding-bottom: 0.875rem; }
.exchange .part { margin-top: 0.875rem; }
.wire { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2rem; }
.wire.wide { grid-template-columns: 1fr; }
.wire > section { min-width: 0; }
.wire .note { margin-top: 0.25rem; }
.start { font: 0.8125rem/1.6 var(--mono); font-weight: 700; }
.headers { font: 0.8125rem/1.6 var(--mono); }
.headers dt { display: inline; color: var(--soft); }
.headers dt::after { content: ": "; }
.headers dd { display: inline; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; line-height: 1.5; }
pre code, .saw, .value, .start, .headers dd { unicode-bidi: isolate; }
pre.body { margin-top: 0.5rem; padding: 0.625rem 0.75rem; border-radius: 4px; background: var(--sheet); overflow: clip; }
pre.tall { max-height: 26rem; overflow: hidden auto; }
pre.command { position: relative; margin-top: 0.375rem; padding: 0.625rem 0.75rem; border-radius: 4px; background: var(--sheet); overflow: clip; }
pre.command:has(.copy) { padding-right: 5.5rem; }
.copy { position: absolute; right: 0.375rem; top: 0.3rem; height: 1.875rem; font: 0.8125rem var(--sans); }
table.observed { border-top: 1px solid var(--ink); table-layout: fixed; }
.observed th, .observed td { padding: 0.5rem 1.5rem 0.5rem 0; border-bottom: 1px solid var(--line); }
.observed thead th:last-child { width: 17rem; }
.observed tbody th { font-weight: 400; }
.saw { font: 0.8125rem/1.6 var(--mono); }
.where { color: var(--soft); }
.times { max-width: 46rem; font-variant-numeric: tabular-nums; }
.times th, .times td { padding: 0.25rem 1.5rem 0.25rem 0; border-bottom: 1px solid var(--line); }
.times tbody th { font-weight: 400; }
.observed tr:target, .rule:target { background: var(--sheet); box-shadow: 0 0 0 0.375rem var(--sheet); }
@media screen and (width < 48rem) {
  pre.command:has(.copy) { padding-right: 0.75rem; }
  .copy { position: static; display: block; margin-top: 0.5rem; background: var(--paper); }
  .wire { grid-template-columns: 1fr; }
  .exchange > summary .step { display: block; margin-left: 0; }
  table.observed, .observed tbody, .observed tr, .observed tbody th, .observed td { display: block; }
  .observed thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .observed tr { padding: 0.625rem 0; border-bottom: 1px solid var(--line); }
  .observed th, .observed td { padding: 0; border: 0; }
}
`
