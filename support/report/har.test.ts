import { expect, it } from 'vitest'
import { harJson } from './har.ts'
import type { Report } from './report.ts'
import { exchangeOf, exchangeWith, reportOf } from './testing/fixtures.ts'

const entriesOf = (report: Report) => JSON.parse(harJson(report)).log.entries

it('has the members of HAR 1.2, and a page', () => {
  const text = '"ä"\u0000\u202e'
  const { log } = JSON.parse(harJson(reportOf({ exchanges: [exchangeWith(text)] })))
  const [entry] = log.entries
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headers: expect.any(Array), headersSize: -1 }
  const size = Buffer.byteLength(text)
  const content = { size, mimeType: text, text }
  const postData = { mimeType: 'application/json', text }
  expect(log.creator).toEqual({ name: 'store-conformance', version: expect.any(String) })
  // Firefox calls log.pages.forEach, and looks up the page of each entry. Safari reads log.pages[0].startedDateTime.
  expect(log.pages).toEqual([
    { id: 'run', startedDateTime: '2026-11-21T10:00:00.000Z', title: expect.any(String), pageTimings: {} },
  ])
  expect(entry).toMatchObject({
    pageref: 'run',
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

it('has equal long bodies once, and where they are', () => {
  const list = JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id })))
  const long = 'x'.repeat(9_000)
  const bodies = [list, list, list.replace('399', '400'), 'short', 'short', `${long}a`, `${long}b`]
  const exchanges = bodies.map((body, index) => exchangeOf({ body }, { index }))
  const entries: { response: { content: object } }[] = entriesOf(reportOf({ exchanges }))
  expect(entries.map(({ response }) => response.content)).toMatchObject([
    { text: list },
    {
      size: list.length,
      text: `${list.slice(0, 200)}…`,
      comment: `the beginning of ${list.length} characters; what is recorded is equal to the body of entry 0`,
    },
    { text: list.replace('399', '400') },
    { text: 'short' },
    { text: 'short' },
    { text: `${long.slice(0, 8_000)}…` },
    // Only the beginnings are equal.
    {
      text: `${long.slice(0, 200)}…`,
      comment: 'the beginning of 9001 characters; what is recorded is equal to the body of entry 5',
    },
  ])
})

it('has status 0 and the cause if there is no response', () => {
  const response = { status: 0, headers: [], content: { size: 0 }, _error: 'the connection ended' }
  expect(entriesOf(reportOf({ exchanges: [exchangeOf(undefined)] }))[0]).toMatchObject({ response })
})
