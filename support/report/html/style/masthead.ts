import { css } from './css.ts'

export const masthead = css`
.masthead { padding: 1.625rem 0 1.125rem; }
.kind { color: var(--soft); font-size: 0.8125rem; letter-spacing: 0.01em; }
h1 { max-width: none; margin: 0.375rem 0 0; font-size: 2.25rem; letter-spacing: -0.018em; line-height: 1.18; }
h1 .mark { width: 0.75em; height: 0.75em; vertical-align: -0.04em; margin-right: 0.08em; }
h1 .sentence { font-weight: 400; }
.nonconformant .verdict { color: var(--failed); }
.conformant .verdict, .partial .verdict { color: var(--passed); }
.incomplete .verdict { color: var(--cant-tell); }
.unreachable .verdict { color: var(--untested); }
.reason { max-width: 48rem; margin-top: 0.75rem; font-size: 1.0625rem; }
.remarks { max-width: 48rem; margin-top: 0.5rem; color: var(--soft); }
.facts {
  display: grid; grid-template-columns: 2fr 1.6fr 1.6fr 2fr; gap: 0.5rem 2rem;
  margin-top: 1rem; padding-top: 0.75rem; border-top: 1px solid var(--line);
}
.facts dt { color: var(--soft); font-size: 0.8125rem; }
.facts dd { line-height: 1.35; font-variant-numeric: tabular-nums; }
@media screen and (width < 60rem) { .facts { grid-template-columns: 1fr 1fr; gap: 0.625rem 1.25rem; } }
@media screen and (width < 48rem) {
  .masthead { padding: 1.25rem 0; }
  h1 { font-size: 1.625rem; }
}
`
