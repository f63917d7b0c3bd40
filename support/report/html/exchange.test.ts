import { describe, expect, it } from 'vitest'
import { prettyJson } from './exchange.ts'

describe('pretty-printed JSON', () => {
  it('keeps every token: spelling of numbers, escapes, repeated names', () => {
    expect(prettyJson('{"id":9007199254740993,"id":5.0,"e":5E0,"s":"\\u002f\\""}')).toBe(
      '{ "id": 9007199254740993, "id": 5.0, "e": 5E0, "s": "\\u002f\\"" }',
    )
  })

  it('breaks values that do not fit in a line', () => {
    const entry = `{"petId":1,"note":"${'x'.repeat(60)}"}`
    expect(prettyJson(`[${entry},${entry},[],{}]`)).toBe(
      [
        '[',
        `  { "petId": 1, "note": "${'x'.repeat(60)}" },`,
        `  { "petId": 1, "note": "${'x'.repeat(60)}" },`,
        '  [],',
        '  {}',
        ']',
      ].join('\n'),
    )
  })

  it.each(['', 'no', '"text"', '5', '{"a":1', '[1,]', '[1] x', `[${'1,'.repeat(200_000)}1]`])(
    'is undefined for other text, and for text that is too large (%#)',
    text => expect(prettyJson(text)).toBeUndefined(),
  )

  it('differs from the original only in whitespace', () => {
    const text = `{"a":[{"b":[1,2,{"c":"${'d '.repeat(80)}"}]},null,true],"e":{"f":{"g":[[[]]]}}}`
    const squeezed = (prettyJson(text) ?? '').replace(/\n\s*/g, '').replace(/([:,]) /g, '$1')
    expect(squeezed.replaceAll('{ ', '{').replaceAll(' }', '}')).toBe(text)
  })
})
