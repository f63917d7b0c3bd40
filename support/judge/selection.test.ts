import { expect, it } from 'vitest'
import type { Profile } from '../interface/description.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { isNew, type Selection, select } from './selection.ts'

const published = subject.profiles['1.0.0'] as Profile

it('a rule that is newer than the profile is judged, and does not make a selection complete or partial', () => {
  const { 'update-200': _later, ...rules } = published.rules
  const older = { ...subject, profiles: { '1.0.0': { ...published, rules } } }
  expect(select(older, { profile: '1.0.0', skip: ['update-200'] })).toMatchObject({ partial: false })
  const selection = select(older, { profile: '1.0.0' }) as Selection
  expect(selection.rules.filter(each => isNew(each, selection.profile)).map(({ id }) => id)).toEqual([
    'update-200',
  ])
})
