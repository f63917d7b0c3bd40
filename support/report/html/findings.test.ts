import { describe, expect, it } from 'vitest'
import { markdown } from '../markdown.ts'
import type { Report, ReportedRule } from '../report.ts'
import { summaryText } from '../text/summary.ts'
import { reportHtml } from './page.ts'
import { reportWith } from './testing/reports.ts'

const text = (part: string): string =>
  part
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')

const section = (report: Report, id: string): string =>
  new RegExp(
    `<(section|details class="section") id="${id}".*?(?=<section id=|<details class="section"|</main>)`,
    's',
  ).exec(reportHtml(report))?.[0] ?? ''

const changed = (
  report: Report,
  change: (rule: ReportedRule, at: number) => Partial<ReportedRule>,
): Report => ({
  ...report,
  rules: report.rules.map((rule, at) => ({ ...rule, ...change(rule, at) })),
})

describe('failures', () => {
  it('have expectation, response, reason, evidence, and the command to run it again', () => {
    const report = reportWith({ failed: 1 })
    const { id = '', usually = '' } = report.rules[0] ?? {}
    const found = text(section(report, 'failed'))
    for (const part of [
      'Expected 409',
      'Got 204',
      'The document states it, in §',
      usually,
      'DELETE /v1/store/orders/1000 200 A shipped order',
      `curl -i -X DELETE --path-as-is 'https://store.example/v1/store/orders/1000' -H "Authorization: Bearer $STORE_API_KEY"`,
      `npx store-conformance run --base-url https://store.example/v1 --only ${id} --seed 42`,
    ]) {
      expect(found).toContain(part)
    }
  })

  it('come in the order of their levels', () => {
    const report = reportWith({ failed: 100, also: { gate: 'advisory' } })
    const articles = section(report, 'failed').matchAll(/<details class="failure.*?class="badge (\w+)"/gs)
    const order = ['required', 'implied', 'advisory']
    const found = [...articles].map(([, level = '']) => order.indexOf(level))
    expect(found).toEqual([...found].sort((a, b) => a - b))
    expect(new Set(found).size).toBe(3)
  })

  it('show the smallest case, and repeat it with the seed of the run', () => {
    const counterexample = { value: '[cancel 3]', runSeed: 42, seed: 7, path: '12:0', shrinks: 1 }
    const found = text(section(changed(reportWith({ failed: 1 }), at0({ counterexample })), 'failed'))
    expect(found).toContain('[cancel 3] Found after 1 shrink, with seed 42. In fast-check: seed 7, path 12:0')
    expect(found).toContain('--seed 42')
  })

  it('come in the order of how many rules wait for them', () => {
    const report = reportWith({ failed: 3 })
    const ids = report.rules.map(({ id }) => id)
    const waiting = changed(report, (_, at) =>
      at === 3 || at === 4
        ? { outcome: 'cantTell', behind: ids[2] as string }
        : at === 5
          ? { outcome: 'cantTell', behind: ids[1] as string }
          : {},
    )
    const found = [
      ...section(waiting, 'failed').matchAll(/<details class="failure failed" id="failed-([^"]*)"( open)?/g),
    ]
    expect(found.map(([, id, open]) => [id, open !== undefined])).toEqual([
      [ids[2], true],
      [ids[1], false],
      [ids[0], false],
    ])
    const lines = summaryText(waiting, { colour: false, verbose: false }).match(
      /(?<=^✗ Not met: ).*(?=: expected)/gm,
    )
    expect(lines).toEqual([ids[1], ids[0]])
    expect(markdown(waiting).match(/(?<=^- `)[^`]*(?=` expected)/gm)).toEqual([ids[1], ids[0]])
  })

  it('name the rules that wait for them, directly or through others', () => {
    const report = reportWith({ failed: 1 })
    const [first, second, third] = report.rules as [ReportedRule, ReportedRule, ReportedRule]
    const waiting = changed(report, (_, at) =>
      at === 1
        ? { outcome: 'cantTell', behind: first.id }
        : at === 2
          ? { outcome: 'cantTell', behind: second.id }
          : {},
    )
    expect(text(section(waiting, 'failed'))).toContain('2 rules wait for it')
    const open = text(section(waiting, 'open'))
    expect(open).toContain(`Wait for ${first.id}: it is not met, fix it first 2 rules`)
    expect(open).toContain(third.title)
  })
})

describe('failures that are expected', () => {
  const expectedFailure = { reason: 'the gateway is being replaced', owner: 'Ada', expires: '2026-12-31' }
  const stale = {
    rule: 'update-200',
    operation: 'updateInventory',
    why: 'passed' as const,
    lines: [3, 7] as [number, number],
    message: 'update-200 passes: remove it',
  }
  const report: Report = {
    ...changed(reportWith({ failed: 1 }), at0({ expectedFailure })),
    verdict: 'partial',
    expectedFailures: { file: 'known.yaml', entries: 2, stale: [] },
  }

  const withStale = (of: Report, verdict: Report['verdict']): Report => ({
    ...of,
    verdict,
    expectedFailures: { file: 'known.yaml', entries: 2, stale: [stale] },
  })

  it('show reason, owner and date', () => {
    expect(text(section(report, 'advice'))).toContain(
      'Why it has no effect The failure is expected: the gateway is being replaced Ada, until 2026-12-31',
    )
  })

  it('are counted next to the verdict', () => {
    expect(text(reportHtml(report))).toContain('1 failure is expected and set aside.')
  })

  it('are a warning if they are out of date', () => {
    const red = withStale(report, 'nonconformant')
    expect(text(section(red, 'warnings'))).toContain('Expected failure out of date: update-200 passes')
    const beside = withStale(reportWith({ failed: 2 }), 'nonconformant')
    expect(text(reportHtml(beside))).toContain('gating rules failed, and an expected failure is out of date.')
  })
})

const at0 = (change: Partial<ReportedRule>) => (_: ReportedRule, at: number) => (at === 0 ? change : {})

describe('the ledger', () => {
  it('shows why a clause has no rule, and what was observed', () => {
    const found = text(section(reportWith({ also: { rules: [] } }), 'ledger'))
    expect(found).toContain('No rule: a run judges one address; judge staging in a run of its own.')
    expect(found).toContain('No rule of this run.')
    expect(found).toContain('What does the body of a 409 look like? empty')
    const later = changed(reportWith(), at0({ clause: '12/later' }))
    expect(section(later, 'ledger')).toContain('id="clause-12/later"')
  })
})
