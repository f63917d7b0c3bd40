import { describe, expect, test } from 'vitest'
import { reportJson } from '../report/report.ts'
import { reportWith } from '../report/testing/fixtures.ts'
import { bench } from './testing/bench.ts'

const { run } = bench()

const good = reportJson(reportWith())
const bad = reportJson(reportWith({ failed: 3 }))
const poor = reportJson(reportWith({ untested: 100 }))
const files = {
  'good.json': good,
  'bad.json': bad,
  'poor.json': poor,
  'foreign.json': '{"a":1}',
}

describe.concurrent('diff', () => {
  test.each<[string, string, number, RegExp, ...string[]]>([
    ['good.json', 'good.json', 0, /^No regression/m],
    ['good.json', 'bad.json', 1, /^Regression: \d+ gating rules? broke/m],
    ['bad.json', 'good.json', 0, /^Better: \d gating rules now pass/m],
    ['good.json', 'poor.json', 3, /not judged any more\.$/m],
    ['good.json', 'bad.json', 1, /^## ❌ Regression/, '--markdown'],
    ['good.json', 'bad.json', 1, /^\{\n *"format": "store-conformance-diff\/1"/, '--json'],
  ])('%s %s exits %3$i', async (old, now, code, text, ...flags) => {
    const ended = await run(['diff', old, now, ...flags], { files })
    expect(ended.code).toBe(code)
    expect(ended.stdout).toMatch(text)
  })
})
