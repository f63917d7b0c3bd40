import { css } from './css.ts'

export const filter = css`
.filter { margin-top: 2rem; }
.controls {
  display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem 1rem;
  padding: 0.625rem 0; border-block: 1px solid var(--line); background: var(--paper);
}
.controls label span { display: block; font-size: 0.75rem; color: var(--soft); }
.controls input, .controls select, button {
  height: 2rem; padding: 0 0.6rem; border: 1px solid var(--edge); border-radius: 4px; background: var(--paper); color: var(--ink);
}
.controls .search { flex: 1 1 9rem; }
.controls input { width: 100%; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
button { cursor: pointer; }
button:hover:enabled { background: var(--sheet); }
button:disabled { cursor: default; color: var(--soft); border-color: var(--line); }
.found { flex-basis: 100%; font-size: 0.8125rem; color: var(--soft); }
.found:empty { display: none; }
@media (width >= 64rem) {
  .filter { position: sticky; top: 0; z-index: 2; }
  html:has(.controls:not([hidden])) { scroll-padding-top: 6rem; }
}
@media screen and (width < 48rem) {
  .controls label { flex: 1 1 7rem; min-width: 0; }
  .controls .search { flex-basis: 100%; }
  .controls select { width: 100%; }
}
`
