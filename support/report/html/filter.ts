import { levels } from '../../interface/description.ts'
import type { Facts } from './facts.ts'
import { type Fragment, html } from './template.ts'
import { capital } from './text.ts'
import { outcomesInOrder, outcomeWords } from './words.ts'

/** Works by script alone, which shows it. */
export const filter = ({ report }: Facts): Fragment =>
  html`<div id="filter" class="filter" role="search" aria-label="Rules" tabindex="-1">
<div class="controls" hidden>
<label class="search"><span>Text</span><input type="search" data-filter="text" placeholder="id, title, §" autocomplete="off" spellcheck="false"></label>
${select(
  'outcome',
  'Outcome',
  outcomesInOrder.map(outcome => [outcome, capital(outcomeWords[outcome])]),
)}
${select(
  'level',
  'Level',
  levels.map(level => [level, capital(level)]),
)}
${select(
  'operation',
  'Operation',
  Object.values(report.description.operations).map(({ id, summary }) => [id, summary]),
)}
<div class="buttons"><button type="button" data-action="reset" disabled>Show all</button><button type="button" data-action="expand">Expand all</button><button type="button" data-action="collapse">Collapse all</button></div>
<p class="found" role="status"></p>
</div>
</div>`

const select = (name: string, label: string, options: readonly (readonly [string, string])[]): Fragment =>
  html`<label><span>${label}</span><select data-filter="${name}"><option value="">All</option>${options.map(
    ([value, words]) => html`<option value="${value}">${words}</option>`,
  )}</select></label>`
