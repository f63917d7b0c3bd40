import { expect, it } from 'vitest'
import { harJson } from './har.ts'
import { exchangeOf, exchangeWith, reportOf } from './testing/fixtures.ts'

const logOf = (...exchanges: ReturnType<typeof exchangeOf>[]) =>
  JSON.parse(harJson(reportOf({ exchanges }))).log

it('has the members of HAR 1.2, and a page', () => {
  const text = '"ä"\u0000\u202e'
  const { creator, pages, entries } = logOf(exchangeWith(text))
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headers: expect.any(Array), headersSize: -1 }
  const size = Buffer.byteLength(text)
  const asked = { method: 'PATCH', queryString: [{ name: 'a', value: '1' }], bodySize: size }
  const got = { status: 500, statusText: '', redirectURL: text, bodySize: -1 }
  expect(creator).toEqual({ name: 'store-conformance', version: expect.any(String) })
  // Firefox calls log.pages.forEach, and looks up the page of each entry. Safari reads log.pages[0].startedDateTime.
  expect(pages).toEqual([
    { id: 'run', startedDateTime: '2026-11-21T10:00:00.000Z', title: expect.any(String), pageTimings: {} },
  ])
  expect(entries).toMatchObject([
    {
      pageref: 'run',
      startedDateTime: '1970-01-01T00:00:00.000Z',
      ...{ time: 1, timings: { send: 0, wait: 1, receive: 0 }, cache: {} },
      request: { ...common, ...asked, postData: { mimeType: 'application/json', text } },
      response: { ...common, ...got, content: { size, mimeType: text, text } },
    },
  ])
})

it('has equal long bodies once, and where they are', () => {
  const list = JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id })))
  const long = 'x'.repeat(9_000)
  const bodies = [list, list, list.replace('399', '400'), 'short', 'short', `${long}a`, `${long}b`]
  const { entries } = logOf(...bodies.map((body, index) => exchangeOf({ body }, { index })))
  const equal = (length: number, entry: number) =>
    `the beginning of ${length} characters; what is recorded is equal to the body of entry ${entry}`
  expect(entries.map((each: { response: { content: object } }) => each.response.content)).toMatchObject([
    { text: list },
    { size: list.length, text: `${list.slice(0, 200)}…`, comment: equal(list.length, 0) },
    { text: list.replace('399', '400') },
    { text: 'short' },
    { text: 'short' },
    { text: `${long.slice(0, 8_000)}…` },
    // Only the beginnings are equal.
    { text: `${long.slice(0, 200)}…`, comment: equal(9_001, 5) },
  ])
})

it('has status 0 and the cause if there is no response', () => {
  const response = { status: 0, headers: [], content: { size: 0 }, _error: 'the connection ended' }
  expect(logOf(exchangeOf(undefined)).entries).toMatchObject([{ response }])
})
