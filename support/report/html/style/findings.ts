import { css } from './css.ts'

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
.failure > :not(h3) { margin-left: 2rem; }
.place { display: flex; flex-wrap: wrap; gap: 0.125rem 0.75rem; align-items: baseline; margin-top: 0.25rem; color: var(--soft); }
.badge { font-weight: 600; color: var(--ink); }
.badge.required { color: var(--failed); }
.id { text-decoration: none; }
.comparison { display: grid; grid-template-columns: 1fr 1fr; margin-top: 1rem; border: 1px solid var(--line); border-radius: 4px; overflow: hidden; }
.comparison > div { min-width: 0; padding: 0.625rem 1rem 0.75rem; }
.comparison > div + div { border-left: 1px solid var(--line); background: var(--failed-tint); }
.comparison dt { font-size: 0.8125rem; color: var(--soft); }
.comparison dd { font: 1.125rem/1.45 var(--mono); }
.comparison .lines { white-space: pre-wrap; font-size: 0.875rem; }
.comparison .lines code { font-size: inherit; }
.comparison mark { background: none; color: inherit; font-weight: 700; text-decoration: underline 2px var(--failed); text-underline-offset: 0.2em; }
.expected mark { text-decoration-color: var(--passed); }
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
  .failure > :not(h3) { margin-left: 0; }
  .comparison { grid-template-columns: 1fr; }
  .comparison > div + div { border-left: 0; border-top: 1px solid var(--line); }
  .reasons > div { grid-template-columns: 1fr; gap: 0; }
  .reasons { gap: 0.75rem; }
  .groups > li { display: block; }
  .groups details { margin-top: 0.375rem; }
}
`
