import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { suites } from '../../suites/index.ts'
import { profileNames } from '../interface/profiles.ts'
import { select } from '../judge/selection.ts'

const frozen = (name: string): readonly string[] =>
  JSON.parse(readFileSync(new URL(`./frozen/${name}.json`, import.meta.url), 'utf8'))

describe('profiles are frozen', () => {
  it.each(profileNames)('%s has the rules that it was published with', name => {
    const selection = select(suites, { profile: name })
    const ids = 'rules' in selection ? selection.rules.map(({ id }) => id).sort() : []
    expect(ids, 'a rule that comes later carries `since`; one that goes breaks the promise').toEqual(
      frozen(name),
    )
  })
})
