import { expect, it } from 'vitest'
import { dimensions } from '../../suites/dimensions.ts'
import { allRules } from '../judge/interface.ts'
import { matchesGlob } from '../judge/selection.ts'
import { expectedOf } from './proof.ts'
import { storeProof } from './store-proof.ts'

const ids = allRules(storeProof.subject).map(({ id }) => id)
const variants = dimensions.flatMap(dimension =>
  dimension.variants.map(variant => ({ ...variant, name: `${dimension.name}: ${variant.name}` })),
)
const covered = variants.flatMap(variant => ('rules' in variant ? [variant] : []))

it('every variant has a rule and a fault, or a reason why not', () => {
  const open = variants.filter(each =>
    'because' in each ? each.because === '' : each.rules.length === 0 || each.faults.length === 0,
  )
  expect(open.map(({ name }) => name)).toEqual([])
})

it('every rule of a variant exists', () => {
  const stale = covered.flatMap(({ name, rules }) =>
    rules.filter(rule => !ids.some(id => matchesGlob(rule, id))).map(rule => `${name}: ${rule}`),
  )
  expect(stale).toEqual([])
})

it('every fault of a variant exists and breaks one of its rules', () => {
  const wrong = covered.flatMap(({ name, rules, faults }) =>
    faults
      .filter(id => {
        const fault = storeProof.faults.find(each => each.id === id)
        const broken = fault ? expectedOf(storeProof, fault, 'states') : []
        return !broken.some(rule => rules.some(glob => matchesGlob(glob, rule)))
      })
      .map(fault => `${name}: ${fault}`),
  )
  expect(wrong).toEqual([])
})

it('no two variants of a dimension have the same name', () => {
  const names = variants.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
