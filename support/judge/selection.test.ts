import { describe, expect, it } from 'vitest'
import type { Erratum, Profile } from '../interface/description.ts'
import { storeServiceUnderTest as subject } from '../run/store-service.ts'
import { allRules } from './interface.ts'
import { isNew, type Selection, select } from './selection.ts'

const published = subject.profiles['1.0.0'] as Profile
const levelsOf = (selection: ReturnType<typeof select>) =>
  Object.fromEntries((selection as Selection).rules.map(({ id, level }) => [id, level]))
const LEVELS = Object.fromEntries(allRules(subject).map(({ id, level }) => [id, level]))

describe('what is chosen', () => {
  it('a rule that is newer than the profile is judged, and does not make a selection complete or partial', () => {
    const { 'update-200': _later, ...rules } = published.rules
    const older = { ...subject, profiles: { '1.0.0': { ...published, rules } } }
    expect(select(older, { profile: '1.0.0', skip: ['update-200'] })).toMatchObject({ partial: false })
    const selection = select(older, { profile: '1.0.0' }) as Selection
    expect(selection.rules.filter(each => isNew(each, selection.profile)).map(({ id }) => id)).toEqual([
      'update-200',
    ])
  })

  it('a withdrawn rule is gone, and a demoted one has its new level', () => {
    const facts = { date: '2027-01-01', reason: 'the clause leaves it open' }
    const errata: Erratum[] = [
      { ...facts, rule: 'list-orders-200', change: 'withdrawn' },
      { ...facts, rule: 'update-200', change: 'demoted', level: 'advisory' },
    ]
    const { 'list-orders-200': _withdrawn, ...left } = LEVELS
    expect(levelsOf(select({ ...subject, errata }, { profile: '1.0.0' }))).toEqual({
      ...left,
      'update-200': 'advisory',
    })
  })
})
