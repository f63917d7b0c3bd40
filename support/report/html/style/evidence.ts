import { css } from './css.ts'

export const evidence = css`
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
