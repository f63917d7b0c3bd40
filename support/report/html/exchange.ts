import { STATUS_CODES } from 'node:http'
import type { Exchange, RecordedResponse } from '../../http/exchange.ts'
import { capital, count, plural } from '../words.ts'
import { commandView, type Fragment, html, visible } from './markup.ts'

const BODY_LIMIT = 4_000
/** A longer body scrolls, so it must be reachable by keyboard. In print, only its beginning is shown. */
const TALL = { lines: 20, characters: 1_500 }

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
  { index, echoesSecret }: Exchange,
): Fragment => html`<pre class="head"><code><b>${status} ${STATUS_CODES[status] ?? ''}</b>
${headers.filter(([name]) => !QUIET.test(name)).map(([name, value]) => html`${visible(name)}: ${visible(value)}\n`)}</code></pre>
${body === '' ? html`<p class="note">No body</p>` : bodyView(body, `Body of response ${index}`, wholeLength)}
${bodyBase64 !== undefined && html`<p class="note">The body is not UTF-8. Bytes that cannot be read are shown as U+FFFD.</p>`}
${echoesSecret && html`<p class="note">The response contains a secret that the suite was given. The name of its variable replaces it.</p>`}`

/** @param wholeLength given if the body is only the beginning of the whole one */
function bodyView(body: string, label: string, wholeLength?: number): Fragment {
  // Each entry of a list is on a line of its own.
  const text = body.replace(/(?<=[}\]]),(?=[{[])/g, ',\n')
  const tall = text.length > TALL.characters || text.split('\n').length > TALL.lines
  return html`<pre class="body"${tall && html` tabindex="0" role="group" aria-label="${label}"`}><code>${visible(text, { limit: BODY_LIMIT, lines: true })}</code></pre>
${tall && html`<p class="note">${plural(wholeLength ?? body.length, 'character')} in all; exchanges.har has ${wholeLength === undefined ? 'all of them' : `the first ${count(body.length - 1)}`}.</p>`}`
}
