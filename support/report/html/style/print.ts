import { css } from './css.ts'

export const print = css`
@media print {
  @page { margin: 16mm 14mm; }
  :root { --paper: #fff; --sheet: #f4f4f4; }
  body { max-width: none; padding: 0; font-size: 9.5pt; }
  nav, .filter, .skip, .copy { display: none !important; }
  main > section { padding-top: 1.5rem; }
  .masthead { padding-top: 0; }
  h1 { font-size: 1.75rem; }
  .gate { display: block; margin: 0; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  pre.tall { max-height: none; overflow: visible; }
  pre.command:has(.copy) { padding-right: 0.75rem; }
  pre.body, pre.command { border: 1px solid var(--line); }
  h2, h3, summary, .part, .comparison { break-after: avoid; }
  .comparison, .rule, .clause > .says, .groups .need, tr { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
}
`
