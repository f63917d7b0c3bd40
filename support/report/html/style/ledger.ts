import { css } from './css.ts'

export const ledger = css`
.chapter { padding-top: 1.75rem; }
.chapter:first-of-type { padding-top: 0; }
.chapter > h3 { padding-bottom: 0.5rem; border-bottom: 1px solid var(--ink); }
.chapter .number { display: inline-block; min-width: 2.75rem; color: var(--soft); font-weight: 400; font-variant-numeric: lining-nums; }
.chapter h3 .operation { margin-left: 0.5rem; }
.clause { display: grid; grid-template-columns: 5fr 7fr; gap: 0 2.5rem; padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
.clause > div { min-width: 0; }
.says p:first-child { font: 1.0625rem/1.45 var(--serif); max-width: 30rem; }
.clause-id { font-size: 0.8125rem; }
.clause-id a { color: var(--soft); text-decoration: none; }
.clause-id a:hover { text-decoration: underline; }
.clause:target { background: linear-gradient(90deg, var(--sheet), transparent 60%); }
.notes > * + * { margin-top: 0.5rem; }
.notes summary { line-height: 1.6; }
.part-of-tally { margin-right: 0.75rem; white-space: nowrap; }
.part-of-tally .mark, .notes summary .mark { width: 1rem; height: 1rem; vertical-align: -0.2em; }
.notes details[open] > summary { margin-bottom: 0.25rem; }
.rule > div { min-width: 0; }
.meta { font-size: 0.8125rem; color: var(--soft); }
.meta > * + *::before { content: "\b7"; margin: 0 0.4em 0 0.1em; }
.meta code { font-size: 0.75rem; }
.why { font-size: 0.875rem; }
.unchecked, .seen { color: var(--soft); }
.unchecked { font-style: italic; }
.seen span { font-family: var(--mono); font-size: 0.8125rem; color: var(--ink); }
@media screen and (width < 48rem) {
  .clause { grid-template-columns: 1fr; gap: 0.375rem; }
  .chapter h3 .operation { display: block; margin-left: 0; }
}
`
