import { type Content, type Fragment, html } from './template.ts'
import { type Outcome, outcomeWords } from './words.ts'

type Shape = Outcome | 'failed-quiet'

/**
 * One shape for each outcome, so that colour is never alone. A violation is the one mark that fills its square; where it does not gate
 * it is hollow.
 */
const shapes: Readonly<Record<Shape, Fragment>> = {
  failed: html`<path d="M1 1h18v18H1z"/><path class="cross" d="m6 6 8 8m0-8-8 8"/>`,
  'failed-quiet': html`<path class="line" d="M2 2h16v16H2z"/><path class="line" d="m6.500 6.500 7 7m0-7-7 7"/>`,
  cantTell: html`<path d="M10 3.500 17.500 16.500h-15z"/>`,
  untested: html`<circle class="line" cx="10" cy="10" r="6.500"/>`,
  inapplicable: html`<path class="line" d="M5 10h10"/>`,
  passed: html`<circle cx="10" cy="10" r="5"/>`,
}

/** The shapes, once in a page; each mark refers to them. */
export const shapeSheet = (): Fragment => html`<svg class="sheet" aria-hidden="true" width="0" height="0">
${Object.entries(shapes).map(
  ([name, shape]) => html`<symbol id="shape-${name}" viewBox="0 0 20 20">${shape}</symbol>`,
)}
</svg>`

const shapeOf = (outcome: Outcome, gating: boolean): Shape =>
  outcome === 'failed' && !gating ? 'failed-quiet' : outcome

/** A mark alone; what it means has to stand beside it. */
export const mark = (outcome: Outcome, gating = true): Fragment =>
  html`<svg class="mark ${outcome}" aria-hidden="true"><use href="#shape-${shapeOf(outcome, gating)}"/></svg>`

/** A mark, and its outcome for who does not see it. */
export const spokenMark = (outcome: Outcome, gating = true): Fragment =>
  html`${mark(outcome, gating)}${unseen(`${outcomeWords[outcome]}: `)}`

export const unseen = (content: Content): Fragment => html`<span class="unseen">${content}</span>`
