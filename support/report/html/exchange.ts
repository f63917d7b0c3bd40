import { STATUS_CODES } from 'node:http'
import type { Exchange, Header, RecordedRequest, RecordedResponse } from '../../http/exchange.ts'
import { capital, count, plural } from '../words.ts'
import { prettyJson } from './pretty-json.ts'
import { type Fragment, html } from './template.ts'
import { block, command, visible } from './text.ts'

const BODY_LIMIT = 8_000
/** Characters of the longest line that fits in half of the page. */
const SIDE_BY_SIDE = 64

/** Headers without meaning for the interface. Only their names are shown. */
const QUIET = new Set([
  'accept-encoding',
  'cache-control',
  'connection',
  'date',
  'etag',
  'keep-alive',
  'server',
  'user-agent',
  'vary',
  'x-powered-by',
])

const connections = {
  pool: '',
  fresh: ', on a new connection',
  kept: ', on the connection of the exchange before',
} as const

/** One request, its response, and how to send it again. */
export function exchangeView(exchange: Exchange, open: boolean): Fragment {
  const { request, response, problem, index } = exchange
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '')
  return html`<details class="exchange"${open && html` open`}>
<summary><span class="line"><b>${request.method}</b> ${visible(path, { limit: 160 })}</span> <span class="status">${response ? response.status : 'no response'}</span>
${exchange.step && html`<span class="step">${capital(exchange.step)}</span>`}</summary>
<div class="wire ${isWide(response?.body ?? '') && 'wide'}">
<section aria-label="Request ${index}">${requestView(request, index)}</section>
<section aria-label="Response ${index}">${response ? responseView(response, exchange) : html`<p class="part">Response</p><p>None: ${visible(problem?.message ?? 'no cause is recorded')}</p>`}</section>
</div>
<p class="part">Send it again</p>
${command(request.curl, 'curl')}
<p class="note">Entry ${index} of exchanges.har, ${count(Math.round(exchange.durationMs))} ms${connections[exchange.connection]}. Scenario: ${visible(exchange.scenario)}.</p>
</details>`
}

/** A body with long lines takes the whole width. */
const isWide = (body: string): boolean =>
  (prettyJson(body) ?? body).split('\n').some(line => line.length > SIDE_BY_SIDE)

const requestView = (request: RecordedRequest, index: number): Fragment => html`<p class="part">Request</p>
<p class="start">${request.method} ${visible(request.url)}</p>
${headersView(request.headers)}
${bodyView(request.body ?? '', `Body of request ${index}`)}`

const responseView = (
  response: RecordedResponse,
  { index, echoesSecret }: Exchange,
): Fragment => html`<p class="part">Response</p>
<p class="start">${response.status} ${STATUS_CODES[response.status] ?? ''}</p>
${headersView(response.headers)}
${bodyView(response.body, `Body of response ${index}`, response.wholeLength)}
${response.bodyBase64 !== undefined && html`<p class="note">The body is not UTF-8. Bytes that cannot be read are shown as U+FFFD.</p>`}
${echoesSecret && html`<p class="note">The response contains a secret that the suite was given. The name of its variable replaces it.</p>`}`

function headersView(headers: readonly Header[]): Fragment {
  const telling = headers.filter(([name]) => !QUIET.has(name.toLowerCase()))
  const quiet = headers.filter(([name]) => QUIET.has(name.toLowerCase())).map(([name]) => name)
  const rows = telling.map(
    ([name, value]) => html`<div><dt>${visible(name)}</dt><dd>${visible(value)}</dd></div>`,
  )
  return html`${rows.length > 0 && html`<dl class="headers">${rows}</dl>`}
${quiet.length > 0 && html`<p class="note">Also: ${visible(quiet.map(name => name.toLowerCase()).join(', '))}</p>`}`
}

/** @param wholeLength given if the body is only the beginning of the whole one */
function bodyView(body: string, label: string, wholeLength?: number): Fragment {
  if (body === '') return html`<p class="note">No body</p>`
  const pretty = prettyJson(body)
  return html`${block(pretty ?? body, label, BODY_LIMIT)}
${pretty === undefined && body.length > BODY_LIMIT && html`<p class="note">${plural(wholeLength ?? body.length, 'character')} in all; exchanges.har has ${wholeLength === undefined ? 'all of them' : `the first ${count(body.length - 1)}`}.</p>`}`
}
