import { alike } from '../alike.ts'
import { type Facts, isGating } from './facts.ts'
import { failureView } from './failure.ts'
import { mark } from './marks.ts'
import { failureAnchor, filterable } from './references.ts'
import { type Fragment, html } from './template.ts'
import { plural, visible } from './text.ts'

/** Beyond this many a list of contents comes first, and the evidence is folded away. */
const FEW = 5
/** Beyond this many that list is folded away too. */
const MANY = 30

/** What failed, worst first. What shows the same rule of another operation failing in the same way is folded. */
export function failures(facts: Facts): Fragment {
  const { failed, report } = facts
  const shownBefore = new Set(alike(failed).flatMap(([, ...others]) => others))
  return html`<section id="failed" aria-labelledby="failed-title">
<div class="title"><h2 id="failed-title">What failed</h2><p>${summary(facts)}</p></div>
${failed.length > FEW && contents(facts)}
${failed.map((rule, at) =>
  failureView(rule, facts, {
    gating: isGating(rule, report),
    unfolded: at === 0 || (failed.length <= FEW && !shownBefore.has(rule)),
  }),
)}
</section>`
}

function summary({ failed, report }: Facts): string {
  if (failed.length === 0)
    return report.verdict === 'unreachable' ? 'Nothing could be judged.' : 'Nothing: no rule was violated.'
  const gating = failed.filter(rule => isGating(rule, report)).length
  if (gating === failed.length)
    return failed.length === 1 ? '1 rule.' : `${plural(failed.length, 'rule')}, the worst first.`
  if (gating === 0) return `${plural(failed.length, 'rule')}, none of which gates.`
  return `${plural(failed.length, 'rule')}, the worst first; ${gating} of them ${gating === 1 ? 'gates' : 'gate'}.`
}

const contents = ({ failed, report }: Facts): Fragment =>
  html`<details class="contents"${failed.length <= MANY && html` open`}><summary>In short</summary><ol>${failed.map(
    rule =>
      html`<li ${filterable(rule)}>${mark('failed', isGating(rule, report))}<a href="#${failureAnchor(rule.id)}">${visible(rule.title)}</a></li>`,
  )}</ol></details>`
