import { expect, it } from 'vitest'
import { withoutCommands } from './output.ts'

it.each([
  ['::error::x\n', ': :error::x\n'],
  ['a\n  ::stop-commands::x\r::set-env::y\n', 'a\n  : :stop-commands::x\r: :set-env::y\n'],
  ['a ::b c::d\n', 'a ::b c::d\n'],
  ['a ##vso[task.setvariable]b ##[group]c ##VSO[d\n', 'a ##vso [task.setvariable]b ## [group]c ##VSO [d\n'],
])('%j is no command of a CI system', (written, shown) => {
  expect(withoutCommands(written)).toBe(shown)
})
