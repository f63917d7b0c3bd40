import { expect, it } from 'vitest'
import { harJson } from './har.ts'
import type { Report } from './report.ts'
import { exchangeWith, reportOf } from './testing/fixtures.ts'

const entriesOf = (report: Report) => JSON.parse(harJson(report)).log.entries
const entryWith = (more: object) => entriesOf(reportOf({ exchanges: [{ ...exchangeWith('x'), ...more }] }))[0]

it('has the members of HAR 1.2', () => {
  const text = '"ä"\u0000\u202e'
  const { log } = JSON.parse(harJson(reportOf({ exchanges: [exchangeWith(text)] })))
  const [entry] = log.entries
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headers: expect.any(Array), headersSize: -1 }
  const size = Buffer.byteLength(text)
  const content = { size, mimeType: text, text }
  const postData = { mimeType: 'application/json', text }
  expect(log.creator).toEqual({ name: 'store-conformance', version: expect.any(String) })
  expect(entry).toMatchObject({
    startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    cache: {},
    request: {
      ...common,
      method: 'PATCH',
      queryString: [{ name: 'a', value: '1' }],
      bodySize: size,
      postData,
    },
    response: { ...common, status: 500, statusText: '', redirectURL: text, bodySize: -1, content },
  })
  const { wait, receive, send } = entry.timings
  expect(send + wait + receive).toBe(entry.time)
  expect(Math.min(send, wait, receive)).toBeGreaterThanOrEqual(0)
})

// Firefox calls log.pages.forEach, and looks up the page of each entry. Safari reads log.pages[0].startedDateTime.
it('has a page, without which Firefox and Safari open no file', () => {
  const { log } = JSON.parse(harJson(reportOf({ exchanges: [exchangeWith('x'), exchangeWith('y')] })))
  expect(log.pages).toEqual([
    { id: 'run', startedDateTime: '2026-11-21T10:00:00.000Z', title: expect.any(String), pageTimings: {} },
  ])
  for (const { pageref } of log.entries) expect(pageref).toBe('run')
})

it('has equal long bodies once, and where they are', () => {
  const list = JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id })))
  const exchanges = [list, list, list.replace('399', '400'), 'short', 'short'].map((body, index) => ({
    ...exchangeWith('x'),
    index,
    response: { status: 200, headers: [], body },
  }))
  const entries: { response: { content: object } }[] = entriesOf(reportOf({ exchanges }))
  expect(entries.map(({ response }) => response.content)).toMatchObject([
    { text: list },
    {
      size: list.length,
      text: `${list.slice(0, 200)}…`,
      comment: `${list.length - 200} more characters: equal to the body of entry 0`,
    },
    { text: list.replace('399', '400') },
    { text: 'short' },
    { text: 'short' },
  ])
})

it('does not call lists equal of which only the beginnings are', () => {
  const beginning = 'x'.repeat(9_000)
  const exchanges = ['a', 'b'].map((end, index) => ({
    ...exchangeWith('x'),
    index,
    response: { status: 200, headers: [], body: beginning + end },
  }))
  expect(entriesOf(reportOf({ exchanges }))[1].response.content).toMatchObject({
    text: `${'x'.repeat(200)}…`,
    comment: 'the beginning of 9001 characters, of which entry 0 has the first 8000',
  })
})

it('has status 0 and the cause if there is no response', () => {
  const problem = { kind: 'timeout', message: 'no answer within 1 ms' }
  expect(entryWith({ response: undefined, problem }).response).toMatchObject({
    status: 0,
    headers: [],
    content: { size: 0 },
    redirectURL: '',
    _error: 'no answer within 1 ms',
  })
})

it('has bytes that are not text as base64, and the key in a query as the name of its variable', () => {
  const response = { status: 200, headers: [], body: '\ufffd', bodyBase64: '/w==' }
  const url = 'http://127.0.0.1/v1?key=$STORE_API_KEY'
  const entry = entryWith({ response, request: { ...exchangeWith('x').request, url } })
  expect(entry.response.content).toMatchObject({ text: '/w==', encoding: 'base64' })
  expect(entry.request).toMatchObject({ url, queryString: [{ name: 'key', value: '$STORE_API_KEY' }] })
})
