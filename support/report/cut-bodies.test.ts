import { describe, expect, it } from 'vitest'
import { exchangeOf } from '../judge/testing/parts.ts'
import { bodyLimits, OF_ONE } from './cut-bodies.ts'
import { harJson } from './har.ts'
import { reportHtml } from './html/page.ts'
import { reportJson } from './report.ts'
import { judgement, reportOf, SECRET } from './testing/fixtures.ts'

const MEGABYTE = 1024 * 1024
const HUGE = 'x'.repeat(2 * MEGABYTE)
const entriesOf = (text: string) => JSON.parse(text).log.entries

describe('a body beyond the limit', () => {
  const failed = judgement('a', 'failed', { expected: 'less', actual: 'more', exchanges: [0] })

  it('is cut, and its whole length is shown', () => {
    const report = reportOf({ judgements: [failed], exchanges: [exchangeOf({ body: HUGE })] })
    const [entry] = entriesOf(harJson(report))
    expect(entry.response.content.text).toBe(`${HUGE.slice(0, OF_ONE)}…`)
    expect(entry.response.content.comment).toBe(`the beginning of ${HUGE.length} characters`)
    expect(reportHtml(report)).toMatch(
      /2[^0-9]?097[^0-9]?152 characters in all; exchanges\.har has the first/,
    )
  })

  it('shows no part of a secret at the cut', () => {
    const before = 'x'.repeat(OF_ONE - 10)
    const bytes = Buffer.concat([Buffer.from('x'.repeat(OF_ONE * 0.75 - 10)), Buffer.from(SECRET + HUGE)])
    const exchanges = [
      exchangeOf({ body: `${before}${SECRET}${HUGE}` }),
      exchangeOf({ body: HUGE, bodyBase64: bytes.toString('base64') }, 1),
    ]
    const [text, base64] = entriesOf(harJson(reportOf({ exchanges })))
    expect(text.response.content.text.slice(-20)).not.toContain(SECRET.slice(0, 6))
    expect(Buffer.from(base64.response.content.text, 'base64').toString()).not.toContain(SECRET.slice(0, 6))
  })

  it('is cut in messages, too', () => {
    const report = reportOf({
      judgements: [judgement('a', 'failed', { message: HUGE, expected: HUGE, actual: HUGE })],
      observations: [{ id: 'o', operation: 'listOrders', clause: '4.1/200', title: 'o', saw: HUGE }],
      warnings: [HUGE],
    })
    expect(reportJson(report).length).toBeLessThan(40_000)
  })
})

describe('many large bodies', () => {
  const exchanges = Array.from({ length: 100 }, (_, index) => exchangeOf({ body: HUGE }, index))

  it('share some megabytes, and each keeps at least a page', () => {
    const limits = [...bodyLimits(exchanges, new Set()).values()]
    expect(limits[0]).toBe(OF_ONE)
    expect(limits.at(-1)).toBe(8_000)
    expect(limits.reduce((sum, each) => sum + each)).toBeLessThan(14 * MEGABYTE)
  })

  it('of exchanges that show a failure come first', () => {
    expect(bodyLimits(exchanges, new Set([99])).get(99)).toBe(OF_ONE)
  })

  it('leave small bodies whole', () => {
    const small = exchangeOf({ body: '[]' }, 100)
    expect(bodyLimits([...exchanges, small], new Set()).get(100)).toBe(8_000)
  })
})
