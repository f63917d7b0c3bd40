import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { reportHtml } from '../formats.ts'
import { standingOf } from '../reading.ts'
import type { Report } from '../report.ts'
import { reportWith } from '../testing/fixtures.ts'

const occurrences = (text: string, part: string): number => text.split(part).length - 1

const reports: Record<string, Report> = {
  'no failure': reportWith(),
  'a hundred failures': reportWith({ failed: 100, untested: 60, cantTell: 12 }),
  'an unreachable store': reportWith({ unreachable: 'https://store.example/v1 cannot be reached' }),
}

describe.each(Object.entries(reports))('the page of a report with %s', (_name, report) => {
  const page = reportHtml(report)

  it('has no id twice, and no link without a target', () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target = ''] of page.matchAll(/\shref="([^"]*)"/g))
      expect(target.startsWith('#') && ids.includes(target.slice(1)), target).toBe(true)
  })

  it('allows the browser to load nothing, and to execute only its own style and script', () => {
    const policy = /content="(default-src[^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'")
    const sources = ['style', 'script'].map(name => {
      const source = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(page)?.[1] ?? ''
      return `${name}-src 'sha256-${createHash('sha256').update(source).digest('base64')}'`
    })
    expect(policy).toBe(`default-src 'none'; ${sources.join('; ')}; base-uri 'none'; form-action 'none'`)
  })

  it('has every clause, rule and failure, or none of them if the store was not reached', () => {
    const times = report.verdict === 'unreachable' ? 0 : 1
    for (const clause of new Set(report.rules.map(({ clause }) => clause)))
      expect(occurrences(page, `id="clause-${clause}"`), clause).toBe(times)
    expect(occurrences(page, 'data-outcome="')).toBe(report.rules.length * times)
    for (const id of new Set(report.rules.map(({ id }) => id))) {
      const isFailed = report.rules.some(each => each.id === id && standingOf(each, report.gate) === 'failed')
      expect(occurrences(page, `id="failed-${id}"`), id).toBe(isFailed ? times : 0)
    }
  })
})

it('the rules are listed by clause, also why a clause has none, and clauses of a later version', () => {
  const [rule, ...rules] = reportWith().rules as [Report['rules'][number], ...Report['rules']]
  const page = reportHtml({ ...reportWith(), rules: [{ ...rule, clause: '12/later' }, ...rules] })
  expect(page).toContain('No rule: a run judges one address; judge staging in a run of its own.')
  expect(page).toContain('id="clause-12/later"')
})
