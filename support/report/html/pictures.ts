import type { Block } from '../document.ts'
import type { Report } from '../report.ts'
import { count, plural } from '../words.ts'
import { html } from './markup.ts'

/** What people would rather look at than read. The text beside a picture says the same. */
export const pictures = (report: Report): Block[] =>
  report.exchanges.length === 0 || report.latency.length === 0 ? [] : [requests(report), times(report)]

/** Bars of the first picture. */
const BARS = 60

/** When the run sent how many requests of which operation. The legend says it in numbers. */
function requests({ exchanges, latency }: Report): Block {
  const starts = exchanges.map(({ startedAt }) => startedAt)
  const first = starts.reduce((one, other) => Math.min(one, other))
  const span = starts.reduce((one, other) => Math.max(one, other)) - first
  const bars = Array.from({ length: BARS }, () => latency.map(() => 0))
  for (const { startedAt, operation } of exchanges) {
    const bar = bars[Math.min(BARS - 1, Math.floor(((startedAt - first) / (span || 1)) * BARS))] ?? []
    const at = latency.findIndex(each => each.operation === operation)
    if (at >= 0) bar[at] = (bar[at] ?? 0) + 1
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)
  const highest = Math.max(...bars.map(sum))
  const rects = bars.flatMap((bar, x) =>
    bar.map((height, at) => {
      const y = highest - sum(bar.slice(0, at + 1))
      return height > 0 && html`<rect class="series${at}" x="${x}" y="${y}" width="0.9" height="${height}"/>`
    }),
  )
  const seconds = span / 1000
  const source = html`<figure><figcaption>Requests over time</figcaption>
<svg viewBox="0 0 ${BARS} ${highest}" preserveAspectRatio="none" role="img" aria-label="Requests over time, by operation; the list below says how many">${rects}</svg>
<p class="axis note"><span>0 s</span><span>at most ${plural(highest, 'request')} in ${(seconds / BARS).toFixed(2)} s</span><span>${seconds.toFixed(1)} s</span></p>
<ul class="legend">${latency.map((each, at) => html`<li><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="series${at}" width="1" height="1"/></svg> ${each.operation}: ${plural(each.requests, 'request')}</li>`)}</ul></figure>`
  return { as: 'html', source }
}

/** How long each operation took. */
function times({ latency }: Report): Block {
  const longest = Math.max(1, ...latency.map(({ p99Ms }) => p99Ms))
  const bar = (ms: number, name: string) => html`<rect class="${name}" width="${ms}" height="1"/>`
  const source = html`<figure><figcaption>Response times</figcaption>
<p class="note">Half of the responses came before the end of the first part of a bar, 9 of 10 before the end of the second, 99 of 100 before the end of the third.</p>
<dl class="times">${latency.map(
    ({ operation, p50Ms, p90Ms, p99Ms, maxMs }) =>
      html`<div><dt>${operation}</dt><dd><svg viewBox="0 0 ${longest} 1" preserveAspectRatio="none" aria-hidden="true">${bar(p99Ms, 'p99')}${bar(p90Ms, 'p90')}${bar(p50Ms, 'p50')}</svg>
<span class="note">${count(p50Ms)}, ${count(p90Ms)} and ${count(p99Ms)} ms; at most ${count(maxMs)} ms</span></dd></div>`,
  )}</dl></figure>`
  return { as: 'html', source }
}
