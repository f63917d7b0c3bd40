import { type Facts, operationOf } from './facts.ts'
import { clauseLink, observationAnchor } from './references.ts'
import { type Fragment, html } from './template.ts'
import { plural, visible } from './text.ts'

/** What this store does where the document is silent: recorded, never judged. */
export const observations = ({
  report,
}: Facts): Fragment => html`<section id="observed" aria-labelledby="observed-title">
<div class="title"><h2 id="observed-title">Where the document is silent</h2><p>${
  report.observations.length > 0
    ? `${plural(report.observations.length, 'open choice')}, and what this store does. None of it is judged.`
    : 'Nothing was recorded.'
}</p></div>
${report.observations.length > 0 && table(report)}
</section>`

const table = (report: Facts['report']): Fragment => html`<table class="observed" role="table">
<caption class="unseen">What the store does where the document leaves it open</caption>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Question</th><th scope="col" role="columnheader">This store</th><th scope="col" role="columnheader">Where</th></tr></thead>
<tbody role="rowgroup">${report.observations.map(
  ({ id, title, saw, clause, operation }) =>
    html`<tr role="row" id="${observationAnchor(id)}"><th scope="row" role="rowheader">${visible(title)}</th><td role="cell"><span class="saw">${visible(saw)}</span></td><td role="cell" class="where">${clauseLink(clause)} ${operationOf(report, { operation }).summary}</td></tr>`,
)}</tbody></table>`
