import { describe, expect, it } from 'vitest'
import { junitXml } from './junit.ts'
import { exchangeWith, HOSTILE, hostileReport, judgement, reportOf } from './testing/fixtures.ts'

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  text: string
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** Not a character of XML 1.0 §2.2. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u

/** A tag, or the text between two tags. */
const TOKEN = /<(\/?)([A-Za-z]+)((?:\s+[a-z]+="[^"<]*")*)\s*(\/?)>|[^<]+/g

/** A strict parser for the part of XML 1.0 that JUnit files use. It fails if the text is not well-formed. */
function parseXml(xml: string): Element {
  expect(xml).not.toMatch(FORBIDDEN)
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/, '')
  const tokens = [...body.matchAll(TOKEN)]
  expect(tokens.map(([token]) => token).join('') === body, 'only tags and text').toBe(true)
  const readText = (text: string): string => {
    expect(text).not.toContain(']]>')
    return text.replace(/&([^;]*;?)/g, (whole, name: string) => {
      expect(Object.keys(ENTITIES).map(entity => `&${entity};`)).toContain(whole)
      return ENTITIES[name.slice(0, -1)] as string
    })
  }
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  for (const [token, closing, name, attributes = '', empty] of tokens) {
    const inside = open.at(-1) as Element
    if (name === undefined) inside.text += readText(token)
    else if (closing) expect(open.pop()?.name).toBe(name)
    else {
      const pairs = [...attributes.matchAll(/([a-z]+)="([^"]*)"/g)]
      expect(new Set(pairs.map(([, key]) => key)).size).toBe(pairs.length)
      const read = pairs.map(([, key = '', value = '']) => [key, readText(value)])
      const element = { name, attributes: Object.fromEntries(read), children: [], text: '' }
      inside.children.push(element)
      if (!empty) open.push(element)
    }
  }
  expect([open.length, root.children.length]).toEqual([1, 1])
  return root.children[0] as Element
}

const all = (element: Element, name: string): Element[] =>
  element.children.flatMap(child => [...(child.name === name ? [child] : []), ...all(child, name)])

describe('JUnit XML is well-formed, whatever a store sends', () => {
  it.each(HOSTILE.filter(({ length }) => length < 10_000))('%#', text => {
    const suites = parseXml(junitXml(hostileReport(text)))
    expect(all(suites, 'testcase')).toHaveLength(7)
    expect(all(suites, 'failure')).toHaveLength(2)
    expect(all(suites, 'error')).toHaveLength(1)
    expect(all(suites, 'skipped')).toHaveLength(4)
  })
})

describe('JUnit XML', () => {
  const suites = () =>
    parseXml(
      junitXml(
        reportOf({
          judgements: [
            judgement('holds', 'passed'),
            judgement('violated', 'failed', { message: 'expected 204, got 200', usually: 'It forgot.' }),
            judgement('open', 'cantTell', { message: 'no answer' }),
            judgement('missing', 'untested', { message: 'no order', need: 'name one' }),
            judgement('not-here', 'inapplicable'),
            judgement('advice', 'failed', { level: 'advisory' }),
            judgement('advice-open', 'cantTell', { level: 'advisory' }),
            judgement('waiting', 'cantTell', { message: 'open must hold first', behind: 'open' }),
          ],
        }),
      ),
    )

  it('has counts that add up', () => {
    const counts = { tests: '8', failures: '1', errors: '1', skipped: '5' }
    expect(all(suites(), 'testcase')[5]?.attributes['classname']).toBe('listOrders.advisory')
    expect(suites().attributes).toMatchObject({ name: 'store-conformance', time: '0.812', ...counts })
    expect(all(suites(), 'testsuite').map(({ attributes }) => attributes)).toEqual([
      { name: 'listOrders', time: '0.000', timestamp: '2026-11-21T10:00:00.000Z', ...counts },
    ])
  })

  it('has the expectation that is not met in the message, and the evidence in the text', () => {
    const [failure] = all(suites(), 'failure')
    expect(failure?.attributes).toEqual({
      message: 'Not met: listOrders: violated holds: expected 204, got 200',
      type: 'failed',
    })
    expect(failure?.text).toContain('violated holds')
    expect(all(suites(), 'skipped').map(({ attributes }) => attributes['message'])).toContain(
      'not tested: no order (name one)',
    )
  })
})

it('the rules of a scenario share the time of its requests', () => {
  const given = (title: string, id: string) => {
    const made = judgement(id, 'passed')
    return { ...made, rule: { ...made.rule, given: { title } } }
  }
  const exchange = (scenario: string, durationMs: number) => ({ ...exchangeWith('x'), scenario, durationMs })
  const judgements = [given('one', 'a'), given('one', 'b'), given('two', 'c')]
  const exchanges = [exchange('one', 200), exchange('one', 100), exchange('two', 50)]
  const [suite] = all(parseXml(junitXml(reportOf({ judgements, exchanges }))), 'testsuite')
  expect(suite?.children.flatMap(({ attributes: { time } }) => time ?? [])).toEqual([
    '0.150',
    '0.150',
    '0.050',
  ])
  expect(suite?.attributes['time']).toBe('0.350')
})

it.each<[string, Parameters<typeof reportOf>[0], RegExp]>([
  ['incomplete', {}, /^Incomplete: .*1 of 1/],
  ['unreachable', { unreachable: 'No "response".' }, /No "response"/],
])(
  'a run without a verdict (%s) is an error with the reason, which the totals count',
  (type, parts, sentence) => {
    const judgements = [judgement('missing', 'untested', { message: 'no order', need: 'name one' })]
    const suites = parseXml(junitXml(reportOf({ judgements, ...parts })))
    const errors = all(suites, 'error').map(({ attributes }) => attributes)
    expect(errors).toEqual([{ type, message: expect.stringMatching(sentence) }])
    expect(suites.attributes).toMatchObject({ tests: '2', errors: '1', skipped: '1' })
    expect(all(suites, 'testcase').at(-1)?.attributes).toEqual({
      classname: 'store-conformance',
      name: 'verdict',
    })
  },
)
