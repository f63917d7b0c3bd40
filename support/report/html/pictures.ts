import type { Report } from '../report.ts'
import { count, plural } from '../words.ts'
import { type Fragment, html } from './markup.ts'

/** Bars of the first picture. */
const BARS = 60

/** When the run sent how many requests of which operation. The legend says it in numbers. */
export function requestsPicture({ exchanges, latency }: Report): Fragment {
  const operations = latency.map(({ operation }) => operation)
  const first = Math.min(...exchanges.map(({ startedAt }) => startedAt))
  const last = Math.max(...exchanges.map(({ startedAt }) => startedAt))
  const bars = Array.from({ length: BARS }, () => operations.map(() => 0))
  for (const { startedAt, operation = '' } of exchanges) {
    const bar = bars[Math.min(BARS - 1, Math.floor(((startedAt - first) / (last - first || 1)) * BARS))]
    const at = operations.indexOf(operation)
    if (bar && at >= 0) bar[at] = (bar[at] ?? 0) + 1
  }
  const highest = Math.max(...bars.map(bar => bar.reduce((sum, each) => sum + each, 0)))
  const rects = bars.flatMap((bar, x) =>
    bar.map((requests, at) => {
      const below = bar.slice(0, at).reduce((sum, each) => sum + each, 0)
      return (
        requests > 0 &&
        html`<rect class="series${at}" x="${x}" y="${highest - below - requests}" width="0.9" height="${requests}"/>`
      )
    }),
  )
  const seconds = (last - first) / 1000
  return html`<figure><figcaption>Requests over time</figcaption>
<svg viewBox="0 0 ${BARS} ${highest}" preserveAspectRatio="none" role="img" aria-label="Requests over time, by operation; the list below says how many">${rects}</svg>
<p class="axis note"><span>0 s</span><span>at most ${plural(highest, 'request')} in ${(seconds / BARS).toFixed(2)} s</span><span>${seconds.toFixed(1)} s</span></p>
<ul class="legend">${latency.map(({ operation, requests }, at) => html`<li><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="series${at}" width="1" height="1"/></svg> ${operation}: ${plural(requests, 'request')}</li>`)}</ul></figure>`
}

/** How long each operation took. */
export function timesPicture({ latency }: Report): Fragment {
  const longest = Math.max(1, ...latency.map(({ p99Ms }) => p99Ms))
  const bar = (ms: number, name: string) => html`<rect class="${name}" width="${ms}" height="1"/>`
  return html`<figure><figcaption>Response times</figcaption>
<p class="note">Half of the responses came before the end of the first part of a bar, 9 of 10 before the end of the second, 99 of 100 before the end of the third.</p>
<dl class="times">${latency.map(
    ({ operation, p50Ms, p90Ms, p99Ms, maxMs }) =>
      html`<div><dt>${operation}</dt><dd><svg viewBox="0 0 ${longest} 1" preserveAspectRatio="none" aria-hidden="true">${bar(p99Ms, 'p99')}${bar(p90Ms, 'p90')}${bar(p50Ms, 'p50')}</svg>
<span class="note">${count(p50Ms)}, ${count(p90Ms)} and ${count(p99Ms)} ms; at most ${count(maxMs)} ms</span></dd></div>`,
  )}</dl></figure>`
}
