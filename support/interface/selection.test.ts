import { expect, it } from 'vitest'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { cellKey } from './description.ts'
import type { Profile } from './profiles.ts'
import { allRules, isNew, type Selection, select } from './selection.ts'

/** With all rules of today: those that are newer than the published one come and go. */
const published = {
  ...(subject.profiles['1.0.0'] as Profile),
  rules: Object.fromEntries(allRules(subject).map(rule => [cellKey(rule), rule.level])),
}

it('a rule that is newer than the profile is judged, and does not make a selection complete or partial', () => {
  const { 'update-200 updateInventory': _later, ...rules } = published.rules
  const older = { ...subject, profiles: { '1.0.0': { ...published, rules } } }
  expect(select(older, { profile: '1.0.0', skip: ['update-200'] })).toMatchObject({ partial: false })
  const selection = select(older, { profile: '1.0.0' }) as Selection
  expect(selection.rules.filter(each => isNew(each, selection.profile)).map(({ id }) => id)).toEqual([
    'update-200',
  ])
})
