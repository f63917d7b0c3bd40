import { describe, expect, it } from 'vitest'
import { compareReports, diffMarkdown, diffText } from './diff.ts'
import { failureText, reportHtml, reportMarkdown, summaryText } from './formats.ts'
import { annotations } from './github.ts'
import type { Report } from './report.ts'
import { HOSTILE, hostileReport, report, rule } from './testing/fixtures.ts'

/** The text that Markdown interprets: without fenced blocks and escaped characters (GFM §4.5, §2.4). */
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
  return lines.map(line => line.replace(/\\[!-/:-@[-`{-~]/g, '')).join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that control a terminal
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

describe.each(HOSTILE)('hostile text of a store (%#)', text => {
  const whole = hostileReport(text)
  const changed = [rule('a', 'failed', { title: text, message: text }), rule(`x${text}`, 'failed')]
  const after = report(changed, { target: { baseUrl: text }, profile: text })
  const difference = compareReports(report([rule('a', 'passed')]), after)

  it('cannot control a terminal, or write a verdict on a line of its own', () => {
    const failures = whole.rules.map(each => failureText(each, whole))
    for (const each of [summaryText(whole, { whole: true }), diffText(difference), ...failures])
      expect(each).not.toMatch(CONTROLS)
    expect(summaryText(whole)).not.toMatch(/^ *Conformant/m)
    expect(summaryText(whole)).toMatch(/^Not conformant.*\n$/m)
  })

  it('is only text in Markdown', () => {
    for (const each of [reportMarkdown(whole), diffMarkdown(difference)]) {
      const left = markup(each)
      expect(left).not.toContain('`')
      expect(left.match(/<details>/g)?.length).toBe(left.match(/<\/details>/g)?.length)
      // These elements are part of the report itself.
      const foreign = left.replace(/<\/?details>|<\/?summary>/g, '')
      expect(foreign).not.toMatch(/<[a-z!/?]|https?:\/\/|www\.|@|\]\(|!\[|^#(?!#)|^::/im)
    }
  })

  it('is only text in a page, without hidden characters, and is cut if it is long', () => {
    const page = reportHtml({ ...whole, target: { baseUrl: `https://store.test/${text.slice(0, 100)}` } })
    expect(page.match(/<\/?(style|script)/g)).toHaveLength(4)
    expect(page).not.toMatch(/<(?:img|iframe|link|!--|!\[)|<[a-z][^<>]*\s(?:src|href)="(?!#)/)
    expect(page.replace(/"[^"]*"/g, '""')).not.toMatch(/<[a-z][^>]*\son[a-z]+=/)
    expect(page).not.toMatch(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u)
  })

  it('begins no command in annotations', () => {
    const begun = (report: Report) => annotations(report).match(/^::.*? title=/gm)
    expect(begun(whole)).toEqual(begun(hostileReport('plain')))
    expect(annotations(whole)).not.toMatch(/[\r\u2028\u0085]|%0A/)
  })
})
