import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { clauses } from '../interface/clauses.ts'
import { sectionOf } from '../interface/description.ts'
import { escaped } from './document.ts'
import { reportHtml } from './formats.ts'
import { standingOf } from './reading.ts'
import { reportWith, rule } from './testing/fixtures.ts'

const headingOf = (clause: string): string =>
  `<h3>${sectionOf(clause)} ${escaped((clauses as Record<string, string>)[clause] ?? '')}</h3>`

const count = (text: string, part: string): number => text.split(part).length - 1

it.each([
  ['no failure', reportWith(), 1],
  ['a hundred failures', reportWith({ failed: 100, untested: 60, cantTell: 12 }), 1],
  ['an unreachable store', reportWith({ unreachable: 'https://store.example/v1 cannot be reached' }), 0],
])(
  'a page with %s has each clause, rule, failure and id once, and no broken link',
  (_name, report, times) => {
    const page = reportHtml(report)
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target = ''] of page.matchAll(/\shref="([^"]*)"/g))
      expect(target.startsWith('#') && ids.includes(target.slice(1)), target).toBe(true)
    for (const { clause } of report.rules) expect(count(page, headingOf(clause)), clause).toBe(times)
    expect(count(page, 'data-outcome="')).toBe(report.rules.length * times)
    const failed = report.rules.filter(each => standingOf(each, report.gate) === 'failed')
    for (const { id } of failed) expect(count(page, `id="failed-${id}"`), id).toBe(times)
    expect(count(page, 'id="failed-')).toBe(new Set(failed.map(({ id }) => id)).size)
  },
)

it('allows the browser to load nothing, and to execute only its own style and script', () => {
  const page = reportHtml(reportWith())
  const policy = /content="(default-src[^"]*)"/.exec(page)?.[1]?.replaceAll('&apos;', "'")
  const sources = ['style', 'script'].map(name => {
    const source = new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(page)?.[1] ?? ''
    return `${name}-src 'sha256-${createHash('sha256').update(source).digest('base64')}'`
  })
  expect(policy).toBe(`default-src 'none'; ${sources.join('; ')}; base-uri 'none'; form-action 'none'`)
})

it('says why a clause has no rule, and shows clauses of a later version', () => {
  const page = reportHtml({ ...reportWith(), rules: [rule('later', 'passed', { clause: '12/later' })] })
  expect(page).toContain('No rule: a run judges one address; judge staging in a run of its own.')
  expect(page).toContain('<h3>§12 12/later</h3>')
})
