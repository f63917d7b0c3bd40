import { describe, expect, it } from 'vitest'
import { jsonDifference } from './difference.ts'

const marked = (lines: readonly { text: string; differs: boolean }[] = []) =>
  lines.map(({ text, differs }) => (differs ? '≠' : ' ') + text)

describe('the difference of two JSON texts', () => {
  it('marks lines that the other side does not have', () => {
    const difference = jsonDifference(
      '{"id":5,"in":{"a":1,"b":[1,2]},"same":{"x":[1]}}',
      '{"id":5.0,"in":{"a":1,"c":3,"b":[1,2,3]},"same":{"x":[1]}}',
    )
    expect(marked(difference?.expected)).toEqual([
      ' {',
      '≠  "id": 5,',
      '   "in": {',
      '     "a": 1,',
      '     "b": [',
      '       1,',
      '       2',
      '     ]',
      '   },',
      '   "same": {"x":[1]}',
      ' }',
    ])
    expect(marked(difference?.actual).filter(line => line.startsWith('≠'))).toEqual([
      '≠  "id": 5.0,',
      '≠    "c": 3,',
      '≠      3',
    ])
  })

  it('ignores the order of members', () => {
    const difference = jsonDifference('{"a":1,"b":2}', '{"b":2,"a":1}')
    expect(marked(difference?.actual)).toEqual([' {"b":2,"a":1}'])
  })

  it('is for two arrays or two objects', () => {
    expect(jsonDifference('409', '204')).toBeUndefined()
    expect(jsonDifference('[]', '{}')).toBeUndefined()
    expect(jsonDifference('{"a":1}', 'text')).toBeUndefined()
  })

  it('compares members with any name', () => {
    const difference = jsonDifference('{"__proto__":1}', '{"constructor":1}')
    expect(marked(difference?.expected)).toEqual([' {', '≠  "__proto__": 1', ' }'])
  })
})
