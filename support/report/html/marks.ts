import type { Standing } from '../reading.ts'
import { standingWords } from '../words.ts'
import { type Content, type Fragment, html } from './template.ts'

/**
 * One shape for each standing, so that nothing depends on colour alone. A violation is the only mark that fills its square; failures
 * without effect on the verdict are a hollow mark in a quiet colour.
 */
const shapes: Readonly<Record<Standing, Fragment>> = {
  failed: html`<path d="M1 1h18v18H1z"/><path class="cross" d="m6 6 8 8m0-8-8 8"/>`,
  cantTell: html`<path d="M10 3.500 17.500 16.500h-15z"/>`,
  untested: html`<circle class="line" cx="10" cy="10" r="6.500"/>`,
  advice: html`<path class="line" d="M10 4v7.500"/><path d="M8.500 14h3v3h-3z"/>`,
  expected: html`<path class="line" d="M3 3h14v14H3z"/>`,
  newer: html`<path class="line" d="M3 3h14v14H3zm3.500 7h7M10 6.500v7"/>`,
  inapplicable: html`<path class="line" d="M5 10h10"/>`,
  passed: html`<circle cx="10" cy="10" r="5"/>`,
}

/** The shapes, once in a page; each mark refers to them. */
export const shapeSheet = (): Fragment => html`<svg class="sheet" aria-hidden="true" width="0" height="0">
${Object.entries(shapes).map(
  ([name, shape]) => html`<symbol id="shape-${name}" viewBox="0 0 20 20">${shape}</symbol>`,
)}
</svg>`

/** A mark without its meaning, which the text next to it must contain. */
export const mark = (standing: Standing): Fragment =>
  html`<svg class="mark ${standing}" aria-hidden="true"><use href="#shape-${standing}"/></svg>`

/** A mark with its meaning for screen readers. */
export const spokenMark = (standing: Standing): Fragment =>
  html`${mark(standing)}${unseen(`${standingWords[standing]}: `)}`

export const unseen = (content: Content): Fragment => html`<span class="unseen">${content}</span>`
