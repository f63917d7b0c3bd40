import { expect, it } from 'vitest'
import { withoutCommands } from './output.ts'

it.each([
  [['::error::x\n'], ': :error::x\n'],
  [['a\n  ::stop-commands::x\r::set-env::y\n'], 'a\n  : :stop-commands::x\r: :set-env::y\n'],
  [['a ::b c::d\n'], 'a ::b c::d\n'],
  [['a ##vso[task.setvariable]b ##[group]c ##VSO[d\n'], 'a ##vso [task.setvariable]b ## [group]c ##VSO [d\n'],
  [[':', ':error::x'], ': :error::x'],
  [['a longer line', '::b\n', '::c'], 'a longer line::b\n: :c'],
  [['a longer line ##', 'vs', 'o[d ##', '[e'], 'a longer line ##vso [d ## [e'],
  [['', '\n', '\t', ':', ':x'], '\n\t: :x'],
])('%j', (written, shown) => {
  const harmless = withoutCommands()
  expect(written.map(harmless).join('')).toBe(shown)
})
