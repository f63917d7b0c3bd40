import { describe, expect, it } from 'vitest'
import { hasHidden } from '../printable.ts'
import { capital } from '../words.ts'
import { plain, visible } from './markup.ts'

const shown = (text: string, options = {}) => visible(text, options).toString()

describe('text of a store', () => {
  it('is escaped', () => {
    expect(shown(`<b a="1" b='2'>&amp;`)).toBe('&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;')
  })

  it.each([
    ['\u202e', '\\u202e'],
    ['\u001b', '\\u001b'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\ud800', '\\ud800'],
    ['\r\n\t', '\\r\\n\\t'],
  ])('shows %j as an escape', (hidden, escaped) => {
    expect(shown(`a${hidden}b`)).toBe(`a<span class="escape">${escaped}</span>b`)
    expect(plain(`a${hidden}b`)).toBe(`a${escaped}b`)
    expect(hasHidden(hidden)).toBe(true)
  })

  it('stays if it is visible: other scripts, combined letters, emoji', () => {
    for (const text of ['שלום', 'é', 'नमस्ते', '日本語', '😀', '\ufffd']) expect(shown(text)).toBe(text)
  })

  it('keeps line breaks and tabs in blocks of code', () => {
    expect(shown('a\n\tb\r', { lines: true })).toBe('a\n\tb<span class="escape">\\r</span>')
    expect(hasHidden('a\n\tb')).toBe(false)
  })

  it('is cut with the number of the remaining characters, and never within a surrogate pair', () => {
    expect(shown('x'.repeat(1_000_000), { limit: 10 })).toBe(
      'xxxxxxxxxx<span class="cut">… 999,990 more characters</span>',
    )
    expect(plain('abcdef', 3)).toBe('abc … (3 more characters)')
    expect(plain('ab😀', 3)).toBe('ab … (2 more characters)')
  })
})

describe('the start of a sentence', () => {
  it.each([
    ['it needs 2 pets', 'It needs 2 pets'],
    ['note: it broke', 'Note: it broke'],
    ['http://127.0.0.1:1/v1 cannot be reached', 'http://127.0.0.1:1/v1 cannot be reached'],
    ['listOrders did not answer', 'listOrders did not answer'],
    ['cancel-pending-204 must hold first', 'cancel-pending-204 must hold first'],
    ['', ''],
  ])('%j: %j', (text, wanted) => expect(capital(text)).toBe(wanted))
})
