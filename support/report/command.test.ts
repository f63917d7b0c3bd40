import { describe, expect, it } from 'vitest'
import { commandFor } from './command.ts'
import { reportHtml } from './html/page.ts'
import { markdown } from './markdown.ts'
import { judgement, reportOf, SECRET } from './testing/fixtures.ts'
import { summaryText } from './text/summary.ts'

const failing = (parts: Parameters<typeof reportOf>[0] = {}) => {
  const counterexample = { value: '5', seed: -7, path: '0', shrinks: 0 }
  return reportOf({ judgements: [judgement('a', 'failed', { counterexample })], ...parts })
}
const again = (parts: Parameters<typeof reportOf>[0]) => commandFor(failing(parts), { id: 'a' })

describe('the command that judges a rule again', () => {
  it('is the command of the run, with the rule and the seed', () => {
    expect(again({ command: 'npx store-conformance run --target staging' })).toBe(
      'npx store-conformance run --target staging --only a --seed 42',
    )
  })

  it('names the address if a program started the run', () => {
    expect(again({})).toBe('npx store-conformance run --base-url https://store.test/v1 --only a --seed 42')
    expect(again({ baseUrl: 'https://store.test/a;b/v1' })).toContain("'https://store.test/a;b/v1'")
  })

  it('names no address for the bundled reference store', () => {
    expect(again({ reference: true })).toBe('npx store-conformance run --only a --seed 42')
  })

  it('contains no secret', () => {
    expect(again({ command: `run --states-url https://states.test/${SECRET}` })).toContain('$STORE_API_KEY')
  })

  it('is in every report for people', () => {
    const report = failing({ command: 'npx store-conformance run --pets 1,2' })
    const wanted = 'npx store-conformance run --pets 1,2 --only a --seed 42'
    expect(reportHtml(report)).toContain(wanted)
    expect(markdown(report)).toContain(`\`${wanted}\``)
    expect(summaryText(report, { colour: false, verbose: false })).toContain(`again     ${wanted}\n`)
  })
})
