import { describe, expect, it } from 'vitest'
import { markdown } from './markdown.ts'
import { exchangeWith, HOSTILE, hostileReport, judgement, reportOf } from './testing/fixtures.ts'
import { failureText } from './text/failures.ts'
import { summaryText } from './text/summary.ts'

/** The text that Markdown interprets: without fenced blocks, code spans and escaped characters (GFM §4.5, §6.1, §2.4). */
function markup(text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const run = /^ {0,3}(`{3,})/.exec(line)?.[1]
    if (fence === undefined && run) fence = run
    else if (fence !== undefined && run && run.length >= fence.length && line.trim() === run)
      fence = undefined
    else if (fence === undefined) lines.push(line)
  }
  expect(fence).toBeUndefined()
  return lines.map(line => line.replace(/\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g, '')).join('\n')
}

describe('Markdown with hostile text of a store', () => {
  it.each(HOSTILE)('%j is only text', text => {
    const shown = markdown(hostileReport(text))
    const rows = (report: string) => report.split('\n').filter(line => line.startsWith('|')).length
    expect(rows(shown)).toBe(rows(markdown(hostileReport('plain'))))
    const left = markup(shown)
    expect(left).not.toContain('`')
    // These elements are part of the report itself.
    const foreign = left.replace(/<\/?details>|<\/?summary>/g, '')
    expect(foreign).not.toMatch(/<[a-z!/?]/i)
    expect(foreign).not.toMatch(/https?:\/\/|www\.|@|\]\(|!\[/)
    expect(
      foreign
        .split('\n')
        .filter(line => line.startsWith('#'))
        .every(line => /^##/.test(line)),
    ).toBe(true)
    expect(left.match(/<details>/g)?.length).toBe(left.match(/<\/details>/g)?.length)
  })
})

describe('the Markdown report has', () => {
  const text = () =>
    markdown(
      reportOf({
        judgements: [
          judgement('a', 'passed'),
          judgement('violated', 'failed', { expected: '204', actual: '200', exchanges: [0] }),
          judgement('missing', 'untested', { need: 'name one' }),
          judgement('missing-too', 'untested', { need: 'name one' }),
        ],
        exchanges: [exchangeWith('{}')],
        warnings: ['stock was not restored'],
      }),
    )

  it('the verdict first, the request that shows it, what to provide, and warnings', () => {
    expect(text()).toMatch(/^## ❌ Not conformant: 1 of 4 gating rules failed\.\n/)
    expect(text()).toContain('- expected 204\n- got 200')
    expect(text()).toContain('- 2 × To test them, name one: `missing`, `missing-too`')
    expect(text()).toContain('> ⚠️ stock was not restored')
    expect(text()).toContain(
      "```sh\ncurl -i -X PATCH 'https://store.test/v1/inventory/1' --data-raw '{}'\n```",
    )
  })
  it('an empty observation is shown as nothing', () => {
    const saw = { id: 'o', operation: 'listOrders', clause: '2/order', title: 'What?', saw: '' } as const
    expect(markdown(reportOf({ observations: [saw] }))).toContain('`(nothing)`')
  })
  it('no table if nothing was judged', () => {
    expect(markdown(reportOf({ unreachable: 'No response.' }))).not.toContain('|---')
  })
})

describe('the terminal', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that control a terminal
  const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

  it.each(HOSTILE)('%j cannot control it', text => {
    const report = hostileReport(text)
    const shown = summaryText(report, { colour: false, verbose: true })
    expect(shown).not.toMatch(CONTROLS)
    for (const rule of report.rules) expect(failureText(rule, report.exchanges)).not.toMatch(CONTROLS)
  })

  it('a store cannot write a verdict on a line of its own', () => {
    const shown = summaryText(hostileReport('x\nConformant: the gating rule passed.\n'), {
      colour: false,
      verbose: false,
    })
    expect(shown.split('\n').filter(line => line.startsWith('Conformant'))).toEqual([])
    expect(shown.trimEnd().split('\n').at(-1)).toMatch(/^Not conformant/)
  })
})

describe('a failure', () => {
  const rule = (more = {}) => {
    const [first] = reportOf({ judgements: [judgement('the-rule', 'failed', more)] }).rules
    if (!first) throw new Error('no rule')
    return first
  }

  it('has the unmet expectation, level and §, expected and got, request and response', () => {
    const text = failureText(rule({ expected: '204', actual: '200', usually: 'It forgot.' }), [
      { ...exchangeWith('{"a":1}'), step: 'after' },
    ])
    expect(text).toContain('the-rule holds\n  the-rule · required · §4.1\n  expected  204\n  got       200\n')
    expect(text).toContain('  after:\n  $ curl -i -X PATCH')
    expect(text).toContain('  < 500\n')
    expect(text).toContain('  < {"a":1}')
    expect(text).toContain('  usually   It forgot.')
  })

  it('long bodies are cut, with the number of the remaining characters', () => {
    const exchange = {
      ...exchangeWith('x'),
      response: { status: 200, headers: [], body: 'x'.repeat(5_000_000) },
    }
    const text = failureText(rule(), [exchange, exchange, exchange, exchange, exchange])
    expect(text).toContain('… (4999400 more characters)')
    expect(text).toContain('… and 2 more exchanges, in exchanges.har')
    expect(text.length).toBeLessThan(5_000)
  })

  it('has the reason if there was no response', () => {
    const { response: _response, ...asked } = exchangeWith('x')
    expect(
      failureText(rule(), [{ ...asked, problem: { kind: 'dropped', message: 'the connection ended' } }]),
    ).toContain('  ! the connection ended')
  })

  it('has the smallest case, with the seed of the run', () => {
    const counterexample = { value: '2147483648', runSeed: 42, seed: 1, path: '3:0', shrinks: 7 }
    expect(failureText(rule({ counterexample }), [])).toContain(
      'smallest  2147483648  (after 7 shrinks, seed 42)',
    )
  })
})
