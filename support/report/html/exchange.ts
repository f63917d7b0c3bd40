import { STATUS_CODES } from 'node:http'
import type { Exchange, RecordedResponse } from '../../http/exchange.ts'
import { capital, count, plural } from '../words.ts'
import { commandView, type Fragment, html, visible } from './markup.ts'

const BODY_LIMIT = 4_000

/** Headers without meaning for the interface. */
const QUIET = /^(?:cache-control|connection|date|keep-alive|server|vary|x-powered-by)$/i

const connections = {
  pool: '',
  fresh: ', on a new connection',
  kept: ', on the connection of the exchange before',
} as const

/** One exchange: the request as the command that sends it again, and the response. */
export function exchangeView(exchange: Exchange, open: boolean): Fragment {
  const { request, response, problem, index } = exchange
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '')
  return html`<details class="exchange"${open && html` open`}>
<summary><code><b>${request.method}</b> ${visible(path, { limit: 160 })} <b>${response ? response.status : 'no response'}</b></code>${exchange.step && html` <span class="step">${capital(exchange.step)}</span>`}</summary>
${commandView(request.curl)}
${response ? responseView(response, exchange) : html`<p>No response: ${visible(problem?.message ?? 'no cause is recorded')}</p>`}
<p class="note">Entry ${index} of exchanges.har, with all headers; ${count(Math.round(exchange.durationMs))} ms${connections[exchange.connection]}. Scenario: ${visible(exchange.scenario)}.</p>
</details>`
}

const responseView = (
  { status, headers, body, bodyBase64, wholeLength }: RecordedResponse,
  { echoesSecret }: Exchange,
): Fragment => html`<pre class="head"><code><b>${status} ${STATUS_CODES[status] ?? ''}</b>
${headers.filter(([name]) => !QUIET.test(name)).map(([name, value]) => html`${visible(name)}: ${visible(value)}\n`)}</code></pre>
${
  body === ''
    ? html`<p class="note">No body</p>`
    : // Each entry of a list is on a line of its own.
      html`<pre class="body"><code>${visible(body.replace(/(?<=[}\]]),(?=[{[])/g, ',\n'), { limit: BODY_LIMIT, lines: true })}</code></pre>`
}
${wholeLength !== undefined && html`<p class="note">${plural(wholeLength, 'character')} in all; exchanges.har has the first ${count(body.length - 1)}.</p>`}
${bodyBase64 !== undefined && html`<p class="note">The body is not UTF-8. Bytes that cannot be read are shown as U+FFFD.</p>`}
${echoesSecret && html`<p class="note">The response contains a secret that the suite was given. The name of its variable replaces it.</p>`}`
