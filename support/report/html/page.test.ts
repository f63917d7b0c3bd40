import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { clauses } from '../../interface/clauses.ts'
import type { Report } from '../report.ts'
import { reportWith } from '../testing/fixtures.ts'
import { reportHtml } from './page.ts'

const occurrences = (text: string, part: string): number => text.split(part).length - 1
const found = (page: string, what: RegExp): string | undefined => what.exec(page)?.[0]
const idsIn = (page: string): string[] => [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)

const reports: Record<string, Report> = {
  'no failure': reportWith(),
  'one failure': reportWith({ failed: 1 }),
  'a hundred failures': reportWith({ failed: 100 }),
  'much untested': reportWith({ untested: 60, cantTell: 12 }),
  'an unreachable store': reportWith({ unreachable: 'https://store.example/v1 cannot be reached' }),
  'no rules': reportWith({ also: { rules: [], observations: [], verdict: 'incomplete' } }),
}

describe.each(Object.entries(reports))('the page of a report with %s', (_name, report) => {
  const page = reportHtml(report)

  it('has no id twice, and no link without a target', () => {
    const ids = idsIn(page)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target = ''] of page.matchAll(/\shref="([^"]*)"/g)) {
      expect(target.startsWith('#') && ids.includes(target.slice(1)), target).toBe(true)
    }
  })

  it('loads nothing else', () => {
    expect(found(page, /<[a-z][^>]*\s(?:src|href|action|data|poster|srcset)="(?!#)/i)).toBeUndefined()
    expect(found(page, /url\(|@import|<(?:img|iframe|object|embed|link|base|form)\b/i)).toBeUndefined()
  })

  it('allows only its own style and script', () => {
    const policy = /content="(default-src[^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'") ?? ''
    expect(policy).toContain("default-src 'none'")
    for (const name of ['style', 'script']) {
      const parts = [...page.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))]
      expect(parts).toHaveLength(1)
      const digest = createHash('sha256')
        .update(parts[0]?.[1] ?? '')
        .digest('base64')
      expect(policy).toContain(`${name}-src 'sha256-${digest}'`)
    }
    expect(found(page, /<[^>]*\s(?:style|on[a-z]+)=/i)).toBeUndefined()
  })
})

describe.each(Object.entries(reports).filter(([, { verdict }]) => verdict !== 'unreachable'))(
  'the page of a report with %s, whose rules were judged,',
  (_name, report) => {
    const page = reportHtml(report)

    it('has every clause of the document once', () => {
      for (const clause of Object.keys(clauses))
        expect(occurrences(page, `id="clause-${clause}"`), clause).toBe(1)
    })

    it('has every rule once in the ledger, and a mark that links to it', () => {
      const [, map = ''] = /<section id="rules"(.*?)id="meanings"/s.exec(page) ?? []
      for (const { id, outcome } of report.rules) {
        expect(occurrences(page, `id="rule-${id}"`), id).toBe(1)
        expect(occurrences(map, `href="#${outcome === 'failed' ? 'failed' : 'rule'}-${id}"`), id).toBe(1)
      }
    })
  },
)

it('the first screen shows the target, and everything that is needed to repeat the run', () => {
  const page = reportHtml(reportWith({ failed: 1 }))
  const [heading = ''] = /<h1.*?<\/h1>/s.exec(page) ?? []
  expect(heading.replace(/<[^>]*>/g, '')).toMatch(/Not conformant: 1 of \d+ gating rules failed\./)
  for (const part of ['https://store.test/v1', '1.0.0, the whole interface', 'required, implied'])
    expect(page).toContain(part)
  expect(page).toContain('<time datetime="2026-11-21T10:00:00.000Z">21 November 2026, 10:00 UTC</time>')
  expect(page).toMatch(/<dt>Seed<\/dt><dd>42<\/dd>/)
})

it('the page of a store that was not reached has its reason once, and no rules', () => {
  const reason = 'http://127.0.0.1:1/v1 cannot be reached'
  const page = reportHtml(reportWith({ unreachable: reason }))
  expect(page.split(reason)).toHaveLength(2)
  expect(page).not.toMatch(/id="(?:rules|ledger|open|failed)"|<nav/)
})

it('the ledger shows why a clause has no rule, what was observed, and clauses of a later version', () => {
  const none = reportWith({ also: { rules: [] } })
  const text = reportHtml(none)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
  expect(text).toContain('No rule: a run judges one address; judge staging in a run of its own.')
  expect(text).toContain('No rule of this run.')
  expect(text).toContain('What does the body of a 409 look like? empty')
  const [rule, ...rules] = reportWith().rules as [Report['rules'][number], ...Report['rules']]
  const later = reportWith({ also: { rules: [{ ...rule, clause: '12/later' }, ...rules] } })
  expect(reportHtml(later)).toContain('id="clause-12/later"')
})
